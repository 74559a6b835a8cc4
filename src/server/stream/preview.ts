import type { PreviewOp } from "@/contract/stream-event";
import type { PreviewWatch } from "./preview-channel";

/**
 * Publishes an answer that is not committed yet. Calls return at once and never throw; ops are
 * batched by time before they are sent.
 */
export type PreviewWriter = {
  /**
   * Drops everything written so far, as a new attempt begins. Ops before the first reset are dropped.
   *
   * @param historyVersion of the chat as the step was built. Watchers get the preview only while the
   * committed history has this version, so they never see a committed step together with its own
   * preview, nor a preview before the history that it continues.
   */
  reset: (attempt: number, historyVersion: number) => void;
  write: (op: PreviewOp) => void;
  /** Ends the preview: its step is committed or dropped, and watchers read the database. */
  end: () => void;
};

/** Writes what another process publishes of a chat. */
export type PreviewMirror = {
  begin: (options: { attempt: number; historyVersion: number }) => void;
  write: (ops: readonly PreviewOp[]) => void;
  end: () => void;
};

/** Carries previews from the workers of this process to its watchers. */
export type PreviewRelay = {
  /** Opens the writer for the one worker of a chat. */
  open: (chatId: string) => PreviewWriter;
  /** @param wake called, at a limited rate, when there may be something new. */
  watch: (chatId: string, wake: () => void) => PreviewWatch;
  mirror: (chatId: string) => PreviewMirror;
  /** Whether a watcher here needs the chat's preview from another process. */
  isWanted: (chatId: string) => boolean;
  listWanted: () => string[];
  /** @param listener called when a chat becomes wanted. */
  onWanted: (listener: (chatId: string) => void) => void;
};
