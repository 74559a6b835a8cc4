import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { createRunnerPresence } from "./runner-presence";

/** Programs of each statement, by their holders. */
let written: string[][] = [];
let announced = 0;
let isAway = false;

const run: Database["query"] = (statement, values) => {
  if (isAway) return Promise.reject(new Error("away"));
  if (statement.name === "record-toolset-runners") written.push(values[1] as string[]);
  else announced += 1;
  return Promise.resolve([]);
};
const db = { query: run, transaction: (body: (tx: object) => unknown) => body({ query: run }) };
const forget = vi.fn();
const create = () =>
  createRunnerPresence({
    db: db as unknown as Database,
    cached: {
      presentToolsets: { forget, get: () => Promise.resolve([]), watch: () => Promise.resolve() },
    },
    log: { warn: () => undefined },
  });

const runner = (holder: string) => ({ toolset: "crm", holder, version: "1" });

beforeEach(() => {
  [written, announced, isAway] = [[], 0, false];
  forget.mockClear();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => void vi.useRealTimers());

describe("the programs of a process", () => {
  it("are recorded at once when they come, and every ten seconds while they wait", async () => {
    const { enter } = create();
    const { arrived, leave } = enter(runner("a"));
    await vi.advanceTimersByTimeAsync(0);
    await arrived;
    expect(written).toEqual([["a"]]);
    expect([announced, forget.mock.calls.length]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(written).toEqual([["a"], ["a"], ["a"], ["a"]]);
    expect(announced).toBe(1);
    leave();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(written).toHaveLength(4);
  });

  it("cost one statement, however many they are and however often they ask", async () => {
    const { enter } = create();
    for (let second = 0; second < 60; second += 1) {
      for (let at = 0; at < 100; at += 1) enter(runner(`runner-${at}`)).leave();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    // At the beginning, and every ten seconds.
    expect(written).toHaveLength(7);
    expect(written.every((holders) => holders.length === 100)).toBe(true);
    expect(announced).toBe(1);
  });

  it("that come after others are recorded within a second, together", async () => {
    const { enter } = create();
    enter(runner("a"));
    await vi.advanceTimersByTimeAsync(0);
    enter(runner("b"));
    enter(runner("c"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([["a"], ["a", "b", "c"]]);
    expect(announced).toBe(2);
  });

  it("are recorded again when the database is back, and hold up nobody meanwhile", async () => {
    const { enter } = create();
    isAway = true;
    const { arrived, leave } = enter(runner("a"));
    await vi.advanceTimersByTimeAsync(0);
    await arrived;
    leave();
    isAway = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(written).toEqual([["a"]]);
    expect(announced).toBe(1);
  });
});
