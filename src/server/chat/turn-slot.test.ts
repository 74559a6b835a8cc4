import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StepSink } from "@/server/model/model-step";
import { lendWhileSilent, MAX_SILENCE_MS } from "./turn-slot";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const createSlot = () => {
  const slot = { isLent: false, lend: () => void 0, takeBack: () => void 0 };
  slot.lend = () => void (slot.isLent = true);
  slot.takeBack = () => void (slot.isLent = false);
  return slot;
};

describe("the slot of a turn", () => {
  it("is lent while its model sends nothing, before and between the parts of an answer", async () => {
    const slot = createSlot();
    const received: string[] = [];
    const sink: StepSink = {
      start: (index) => void received.push(`start ${index}`),
      append: (index, text) => void received.push(`append ${index} ${text}`),
      end: (index) => void received.push(`end ${index}`),
    };
    const answer = Promise.withResolvers<string>();
    let heard = sink;
    const result = lendWhileSilent(slot, sink, (wrapped) => {
      heard = wrapped;
      return answer.promise;
    });
    vi.advanceTimersByTime(MAX_SILENCE_MS - 1);
    expect(slot.isLent).toBe(false);
    vi.advanceTimersByTime(1);
    expect(slot.isLent).toBe(true);
    heard.start(0, { type: "text", text: "" });
    expect(slot.isLent).toBe(false);
    vi.advanceTimersByTime(MAX_SILENCE_MS - 1);
    heard.append(0, "a");
    vi.advanceTimersByTime(MAX_SILENCE_MS - 1);
    expect(slot.isLent).toBe(false);
    vi.advanceTimersByTime(1);
    expect(slot.isLent).toBe(true);
    heard.end(0);
    expect(slot.isLent).toBe(false);
    vi.advanceTimersByTime(MAX_SILENCE_MS);
    expect(slot.isLent).toBe(true);
    answer.resolve("done");
    expect(await result).toBe("done");
    expect(slot.isLent).toBe(false);
    vi.advanceTimersByTime(10 * MAX_SILENCE_MS);
    expect(slot.isLent).toBe(false);
    expect(received).toEqual(["start 0", "append 0 a", "end 0"]);
  });
});
