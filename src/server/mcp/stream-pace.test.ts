import { beforeEach, expect, it, vi } from "vitest";
import { createStreamPace } from "./stream-pace";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  return () => vi.useRealTimers();
});

/** Counts how often a stream that ends at once is opened in a time. */
const countOpened = (ms: number): number => {
  let opened = 0;
  const pace = createStreamPace(() => expect.unreachable());
  const reopen = (): void => {
    opened += 1;
    pace(reopen, 0, 0);
  };
  pace(reopen, 0, 0);
  vi.advanceTimersByTime(ms);
  return opened;
};

it("opens a stream that ends at once after pauses that grow, whatever the server asks for", () => {
  expect(countOpened(999)).toBe(0);
  expect(countOpened(1_000)).toBe(1);
  expect(countOpened(7_000)).toBe(3);
  expect(countOpened(60 * 60_000)).toBeLessThan(70);
});

it("forgets the series when a stream has held", () => {
  const pace = createStreamPace(() => expect.unreachable());
  const reopen = vi.fn();
  for (let time = 0; time < 3; time++) {
    pace(reopen, 1e9, 0);
    vi.advanceTimersByTime(1_000);
    expect(reopen).toHaveBeenCalledTimes(time + 1);
    vi.advanceTimersByTime(61_000);
  }
});

it("gives the connection up after three attempts", () => {
  const onLost = vi.fn();
  const pace = createStreamPace(onLost);
  for (const attempt of [0, 1, 2]) pace(() => undefined, 0, attempt);
  expect(onLost).not.toHaveBeenCalled();
  pace(() => expect.unreachable(), 0, 3);
  vi.advanceTimersByTime(60_000);
  expect(onLost).toHaveBeenCalledOnce();
});

it("does not open a stream that is not needed any more", () => {
  const cancel = createStreamPace(() => undefined)(() => expect.unreachable(), 0, 0);
  cancel();
  vi.advanceTimersByTime(60_000);
});
