import { describe, expect, it } from "vitest";
import { createConnectionCount } from "./connection-count";

/** Lets a test pass time, in which the process and the connections are busy for a part. */
const start = (max = 16) => {
  const state = { now: 0, idleMs: 0, busyMs: 0 };
  let used = 1;
  const readCount = createConnectionCount({
    max,
    readBusyMs: () => state.busyMs,
    readTimes: () => state,
  });
  const pass = (ms: number, { idle, busy }: { idle: number; busy: number }): number => {
    state.now += ms;
    state.idleMs += ms * idle;
    state.busyMs += ms * busy * used;
    used = readCount();
    return used;
  };
  return { pass };
};

const WAITING = { idle: 0.9, busy: 1 };
const WORKING = { idle: 0.05, busy: 1 };
const QUIET = { idle: 0.9, busy: 0.2 };

describe("the number of connections", () => {
  it("doubles while the process waits for busy ones, up to the most", () => {
    const { pass } = start(10);
    expect([1, 2, 3, 4, 5].map(() => pass(50, WAITING))).toEqual([2, 4, 8, 10, 10]);
  });

  it("stays one while the process is busy itself, and while the connection is not", () => {
    const { pass } = start();
    expect([1, 2, 3].map(() => pass(50, WORKING))).toEqual([1, 1, 1]);
    expect([1, 2, 3].map(() => pass(50, QUIET))).toEqual([1, 1, 1]);
  });

  it("falls by one each second when they are busy no more, and at once after a pause", () => {
    const { pass } = start();
    pass(50, WAITING);
    expect(pass(50, WAITING)).toBe(4);
    const falling = Array.from({ length: 50 }, () => pass(50, QUIET));
    expect(falling).toEqual(falling.toSorted((one, other) => other - one));
    expect([falling[0], falling.at(-1)]).toEqual([4, 2]);
    pass(50, WAITING);
    expect(pass(600, QUIET)).toBe(1);
  });
});
