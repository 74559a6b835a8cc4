import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StepSink } from "@/server/model/model-step";
import { YIELD_AFTER_MS, yieldWhileIdle } from "./turn-slot";

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
    const received: string[] = [];
    const sink: StepSink = {
      start: (index) => void received.push(`start ${index}`),
      append: (index, text) => void received.push(`append ${index} ${text}`),
      end: (index) => void received.push(`end ${index}`),
    };
    const answer = Promise.withResolvers<string>();
    let observed = sink;
    const result = yieldWhileIdle(slot, sink, (wrapped) => {
      observed = wrapped;
      return answer.promise;
    });
    vi.advanceTimersByTime(YIELD_AFTER_MS - 1);
    expect(slot.isYielded).toBe(false);
    vi.advanceTimersByTime(1);
    expect(slot.isYielded).toBe(true);
    observed.start(0, { type: "text", text: "" });
    expect(slot.isYielded).toBe(false);
    vi.advanceTimersByTime(YIELD_AFTER_MS - 1);
    observed.append(0, "a");
    vi.advanceTimersByTime(YIELD_AFTER_MS - 1);
    expect(slot.isYielded).toBe(false);
    vi.advanceTimersByTime(1);
    expect(slot.isYielded).toBe(true);
    observed.end(0);
    expect(slot.isYielded).toBe(false);
    vi.advanceTimersByTime(YIELD_AFTER_MS);
    expect(slot.isYielded).toBe(true);
    answer.resolve("done");
    expect(await result).toBe("done");
    expect(slot.isYielded).toBe(false);
    vi.advanceTimersByTime(10 * YIELD_AFTER_MS);
    expect(slot.isYielded).toBe(false);
    expect(received).toEqual(["start 0", "append 0 a", "end 0"]);
  });
});
