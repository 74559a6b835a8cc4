import { toCallKey } from "@/contract/call-key";
import type { PreviewOp } from "@/contract/stream-event";
import { appendOp } from "./append-op";

/**
 * Folds a preview's ops into the fewest with the same effect, for watchers that come late. Ops of one
 * part keep their order; parts are independent of each other.
 */
export const createPreviewFold = () => {
  const places = new Map<number | string, PreviewOp[]>();
  const getOps = (place: number | string): PreviewOp[] => {
    const ops = places.get(place) ?? [];
    places.set(place, ops);
    return ops;
  };
  const add = (op: PreviewOp): void => {
    // A late watcher has no output to reset.
    if (op.op === "output-reset") places.delete(toCallKey(op));
    else appendOp(getOps("index" in op ? op.index : toCallKey(op)), op);
  };
  return {
    add: (ops: readonly PreviewOp[]): void => ops.forEach(add),
    /** @returns copies, which later ops do not change. */
    toOps: (): PreviewOp[] => [...places.values()].flat().map((op) => ({ ...op })),
  };
};
