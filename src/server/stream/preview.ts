import type { PreviewOp } from "@/contract/stream-event";
import type { PreviewWatch } from "./preview-channel";

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

/** Feeds in what another process tells of a chat. */
export type PreviewMirror = {
  begin: (options: { attempt: number; historyVersion: number }) => void;
  tell: (ops: readonly PreviewOp[]) => void;
  end: () => void;
};

/** Carries previews from the workers of this process to its watchers. */
export type PreviewRelay = {
  /** The way in for the one worker of a chat. */
  open: (chatId: string) => PreviewWriter;
  /** @param wake called, not too often, when there may be something new. */
  watch: (chatId: string, wake: () => void) => PreviewWatch;
  mirror: (chatId: string) => PreviewMirror;
  /** True while somebody here watches work on the chat that is done elsewhere. */
  isWanted: (chatId: string) => boolean;
  wanted: () => string[];
  /** @param listener called when a chat becomes wanted. */
  onWanted: (listener: (chatId: string) => void) => void;
};
