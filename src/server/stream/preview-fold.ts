import type { PreviewOp } from "@/contract/stream-event";
import { appendOp } from "./append-op";

/**
 * Folds a preview's ops into the fewest that say the same, so that whoever comes late is told
 * each part once. Ops of one part keep their order; parts are independent of each other.
 */
export const createPreviewFold = () => {
  const places = new Map<number | string, PreviewOp[]>();
  const at = (place: number | string): PreviewOp[] => {
    const found = places.get(place);
    if (found) return found;
    const made: PreviewOp[] = [];
    places.set(place, made);
    return made;
  };
  const add = (op: PreviewOp): void => {
    // What is dropped need not be told to those who never had it.
    if (op.op === "output-reset") places.delete(op.tool_call_id);
    else appendOp(at("index" in op ? op.index : op.tool_call_id), op);
  };
  return {
    add: (ops: readonly PreviewOp[]): void => ops.forEach(add),
    /** Copies: later ops do not change what was handed out. */
    ops: (): PreviewOp[] => [...places.values()].flat().map((op) => ({ ...op })),
  };
};
