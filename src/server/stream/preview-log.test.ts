import { describe, expect, it } from "vitest";
import type { PreviewOp } from "@/contract/stream-event";
import { appendOp } from "./preview-log";

const MESSAGE = "0197b1c0-0000-7000-8000-000000000001";
const output = (tool_call_id: string, text: string, phase?: string): PreviewOp => ({
  op: "output-append",
  message_id: MESSAGE,
  tool_call_id,
  text,
  ...(phase !== undefined && { phase }),
});
const reset = (tool_call_id: string): PreviewOp => ({
  op: "output-reset",
  message_id: MESSAGE,
  tool_call_id,
});
const text = (index: number, delta: string): PreviewOp => ({
  op: "text-append",
  index,
  text: delta,
});
const append = (...ops: PreviewOp[]): PreviewOp[] => {
  const batch: PreviewOp[] = [];
  for (const op of ops) appendOp(batch, op);
  return batch;
};

describe("text extends the last op", () => {
  it("of the same part or the same call", () => {
    expect(append(text(0, "a"), text(0, "b"))).toEqual([text(0, "ab")]);
    expect(append(output("1", "a"), output("1", "b"))).toEqual([output("1", "ab")]);
  });

  it.each<[what: string, ops: PreviewOp[]]>([
    ["of another part", [text(0, "a"), text(1, "b")]],
    ["of another call", [output("1", "a"), output("2", "b")]],
    ["of another phase", [output("1", "a", "thinks"), output("1", "b", "answers")]],
    ["of another kind", [text(0, "a"), { op: "reasoning-append", index: 0, text: "b" }]],
    ["before an op between them", [output("1", "a"), text(0, "b"), output("1", "c")]],
  ])("but not that %s", (_what, ops) => {
    expect(append(...ops)).toEqual(ops);
  });

  it("without changing the op that came first", () => {
    const first = text(0, "a");
    append(first, text(0, "b"));
    expect(first).toEqual(text(0, "a"));
  });
});

describe("a reset of a call's output", () => {
  it("takes the place of what the call has written, and of earlier resets", () => {
    expect(append(output("1", "a"), reset("1"), output("1", "b"), reset("1"))).toEqual([
      reset("1"),
    ]);
  });

  it("keeps what comes after it, and what others have written", () => {
    const call: PreviewOp = {
      op: "tool-call-start",
      index: 0,
      tool_call_id: "1",
      tool_name: "exec",
      kind: "builtin",
      started_at: "2026-01-01T00:00:00.000Z",
    };
    const batch = append(
      call,
      text(1, "a"),
      output("1", "b"),
      output("2", "c"),
      reset("1"),
      output("1", "d"),
    );
    expect(batch).toEqual([call, text(1, "a"), output("2", "c"), reset("1"), output("1", "d")]);
  });

  it("keeps a batch small that is not taken, as that of a screen that is drawn for hours", () => {
    const screen = "x".repeat(5_000);
    const frames = Array.from({ length: 10_000 }, () => [reset("1"), output("1", screen)]);
    expect(append(...frames.flat())).toEqual([reset("1"), output("1", screen)]);
  });
});
