import { expect, it } from "vitest";
import { createWaker } from "./waker";

const isAwake = async (sleep: Promise<void>): Promise<boolean> =>
  Promise.race([sleep.then(() => true), Promise.resolve().then(() => false)]);

it("wakes a loop that sleeps", async () => {
  const waker = createWaker();
  const sleep = waker.sleep();
  expect(await isAwake(sleep)).toBe(false);
  waker.wake();
  await sleep;
});

it("remembers one wake that comes while the loop is busy", async () => {
  const waker = createWaker();
  waker.wake();
  waker.wake();
  await waker.sleep();
  expect(await isAwake(waker.sleep())).toBe(false);
});
