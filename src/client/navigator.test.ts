import { expect, it, vi } from "vitest";
import { createNavigator } from "./navigator";

/** A navigator whose looks and delays the test settles. */
const start = () => {
  const looks: PromiseWithResolvers<boolean>[] = [];
  const delays: PromiseWithResolvers<void>[] = [];
  const navigator = createNavigator({
    look: () => {
      const look = Promise.withResolvers<boolean>();
      looks.push(look);
      return look.promise;
    },
    delay: (signal) => {
      const delay = Promise.withResolvers<void>();
      delays.push(delay);
      signal.addEventListener("abort", () => delay.resolve());
      return delay.promise;
    },
  });
  return { navigator, looks, delays };
};

it("opens a page at once while the server answers", async () => {
  const { navigator, looks } = start();
  const push = vi.fn();
  const opened = navigator.open(push);
  looks[0]?.resolve(true);
  await opened;
  expect(push).toHaveBeenCalledOnce();
  expect(navigator.isWaiting()).toBe(false);
});

it("waits for a server that does not answer, says so, and opens the page when it is back", async () => {
  const { navigator, looks, delays } = start();
  const push = vi.fn();
  const listener = vi.fn();
  navigator.subscribe(listener);
  const opened = navigator.open(push);
  looks[0]?.resolve(false);
  await expect.poll(() => navigator.isWaiting()).toBe(true);
  expect(listener).toHaveBeenCalledOnce();
  delays[0]?.resolve();
  await expect.poll(() => looks.length).toBe(2);
  expect(push).not.toHaveBeenCalled();
  looks[1]?.resolve(true);
  await opened;
  expect(push).toHaveBeenCalledOnce();
  expect(navigator.isWaiting()).toBe(false);
});

it("opens only the page that was chosen last", async () => {
  const { navigator, looks } = start();
  const first = vi.fn();
  const second = vi.fn();
  const opened = [navigator.open(first), navigator.open(second)];
  looks.forEach(({ resolve }) => resolve(true));
  await Promise.all(opened);
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledOnce();
});

it("keeps waiting for the second page when the first one gives up", async () => {
  const { navigator, looks } = start();
  const second = vi.fn();
  const opened = navigator.open(vi.fn());
  looks[0]?.resolve(false);
  await expect.poll(() => navigator.isWaiting()).toBe(true);
  const reopened = navigator.open(second);
  await opened;
  expect(navigator.isWaiting()).toBe(true);
  looks[1]?.resolve(true);
  await reopened;
  expect(second).toHaveBeenCalledOnce();
});

it("opens no page that the person has given up", async () => {
  const { navigator, looks } = start();
  const push = vi.fn();
  const opened = navigator.open(push);
  looks[0]?.resolve(false);
  await expect.poll(() => navigator.isWaiting()).toBe(true);
  navigator.cancel();
  await opened;
  expect(navigator.isWaiting()).toBe(false);
  expect(push).not.toHaveBeenCalled();
});
