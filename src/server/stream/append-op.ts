import { toCallKey } from "@/contract/call-key";
import type { PreviewOp } from "@/contract/stream-event";

type TextOp = Extract<PreviewOp, { text: string }>;

/** Appends an op to an unsent batch; text for the same place extends the last op. */
export const appendOp = (batch: PreviewOp[], op: PreviewOp): void => {
  if (op.op === "output-reset") removeOutput(batch, op);
  const last = batch.at(-1);
  if (last && "text" in last && "text" in op && isSamePlace(last, op)) last.text += op.text;
  else batch.push({ ...op });
};

/** What a reset clears need not be sent: without a watcher, a batch stays open for hours. */
const removeOutput = (batch: PreviewOp[], reset: Extract<PreviewOp, { op: "output-reset" }>) => {
  const kept = batch.filter(
    (op) => !("tool_call_id" in op && "message_id" in op) || toCallKey(op) !== toCallKey(reset),
  );
  batch.splice(0, batch.length, ...kept);
};

const isSamePlace = (last: TextOp, op: TextOp): boolean => {
  if (last.op === "output-append") {
    if (last.op !== op.op) return false;
    return toCallKey(last) === toCallKey(op) && last.phase === op.phase;
  }
  return last.op === op.op && last.index === op.index;
};
