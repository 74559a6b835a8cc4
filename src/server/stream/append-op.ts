import type { PreviewOp } from "@/contract/stream-event";

/** Adds an op to a batch that nobody has seen yet; text for the same place lengthens the last op. */
export const appendOp = (batch: PreviewOp[], op: PreviewOp): void => {
  const last = batch.at(-1);
  if (last === undefined || last.op !== op.op || !lengthen(last, op)) batch.push({ ...op });
};

const lengthen = (last: PreviewOp, op: PreviewOp): boolean => {
  switch (op.op) {
    case "text-append":
    case "reasoning-append":
    case "args-append":
      if (last.op !== op.op || last.index !== op.index) return false;
      last.text += op.text;
      return true;
    case "output-append":
      if (last.op !== op.op || last.tool_call_id !== op.tool_call_id) return false;
      if (last.phase !== op.phase) return false;
      last.text += op.text;
      return true;
    case "text-start":
    case "reasoning-start":
    case "reasoning-end":
    case "tool-call-start":
    case "output-reset":
      return false;
  }
};
