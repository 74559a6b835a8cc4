import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { YIELD_AFTER_MS, yieldWhileIdle } from "./yield-while-idle";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const createSlot = () => {
  const slot = { isYielded: false, yield: () => void 0, reclaim: () => void 0 };
  slot.yield = () => void (slot.isYielded = true);
  slot.reclaim = () => void (slot.isYielded = false);
  return slot;
};

describe("the slot of a turn", () => {
  it("is yielded while its model sends nothing, before and between the parts of an answer", async () => {
    const slot = createSlot();
    const answer = Promise.withResolvers<string>();
    let receive = (): void => undefined;
    const result = yieldWhileIdle(slot, (onActivity) => {
      receive = onActivity;
      return answer.promise;
    });
    vi.advanceTimersByTime(YIELD_AFTER_MS - 1);
    expect(slot.isYielded).toBe(false);
    vi.advanceTimersByTime(1);
    expect(slot.isYielded).toBe(true);
    receive();
    expect(slot.isYielded).toBe(false);
    vi.advanceTimersByTime(YIELD_AFTER_MS - 1);
    receive();
    vi.advanceTimersByTime(YIELD_AFTER_MS - 1);
    expect(slot.isYielded).toBe(false);
    vi.advanceTimersByTime(1);
    expect(slot.isYielded).toBe(true);
    receive();
    expect(slot.isYielded).toBe(false);
    vi.advanceTimersByTime(YIELD_AFTER_MS);
    expect(slot.isYielded).toBe(true);
    answer.resolve("done");
    expect(await result).toBe("done");
    expect(slot.isYielded).toBe(false);
    vi.advanceTimersByTime(10 * YIELD_AFTER_MS);
    expect(slot.isYielded).toBe(false);
  });
});
