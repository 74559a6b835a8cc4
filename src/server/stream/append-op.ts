import type { PreviewOp } from "@/contract/stream-event";

type TextOp = Extract<PreviewOp, { text: string }>;

/** Appends an op to an unsent batch; text for the same place extends the last op. */
export const appendOp = (batch: PreviewOp[], op: PreviewOp): void => {
  const last = batch.at(-1);
  if (last && "text" in last && "text" in op && isSamePlace(last, op)) last.text += op.text;
  else batch.push({ ...op });
};

const isSamePlace = (last: TextOp, op: TextOp): boolean => {
  if (last.op === "output-append") {
    if (last.op !== op.op) return false;
    return last.tool_call_id === op.tool_call_id && last.phase === op.phase;
  }
  return last.op === op.op && last.index === op.index;
};
