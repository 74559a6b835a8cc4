import type { PreviewOp } from "@/contract/stream-event";

/**
 * What the turn loop tells of an answer that is not committed yet. Calls return at once and
 * never throw; ops are batched by time before they travel.
 */
export type PreviewWriter = {
  /**
   * Drops everything told so far, as a new attempt begins; what is written before the first
   * reset is dropped too.
   *
   * @param historyVersion of the chat as the step was built. Watchers are shown the preview
   * exactly while the committed history is at this version, so a committed step is never seen
   * beside its own preview, nor a preview before the history that it continues.
   */
  reset: (attempt: number, historyVersion: number) => void;
  write: (op: PreviewOp) => void;
  /** The step is committed or dropped: watchers read it from the database from now on. */
  end: () => void;
};
