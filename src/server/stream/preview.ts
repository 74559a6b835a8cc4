import type { PreviewOp } from "@/contract/stream-event";

/**
 * What the turn loop tells of an answer that is not committed yet. Calls return at once and
 * never throw; ops are batched by time before they travel.
 */
export type PreviewWriter = {
  /** Drops everything told so far, as a new attempt begins. */
  reset: (attempt: number) => void;
  write: (op: PreviewOp) => void;
  /** The step is committed or dropped: watchers read it from the database from now on. */
  end: () => void;
};
