import type { PreviewOp } from "@/contract/stream-event";
import { appendOp } from "./append-op";
import { createPreviewFold } from "./preview-fold";
import type { PreviewEvent } from "./stream-event";

/** Batches that watchers can still take one by one: two seconds of them at the highest rate. */
const MAX_BATCHES = 64;

/** The position of one watcher in one preview. */
export type PreviewCursor = {
  /** The index of the batch to take next. */
  next: number;
  /** How much lower the watcher's numbers are than those of the log: its snapshot has the number 0. */
  offset: number;
};

export type PreviewLogOptions = {
  attempt: number;
  /** The history that the preview continues. */
  historyVersion: number;
  /** Received from another process, so not sent on. */
  isMirror?: boolean;
};

/** Records one preview from its reset to its end, in batches and as a whole. */
export const createPreviewLog = ({
  attempt,
  historyVersion,
  isMirror = false,
}: PreviewLogOptions) => {
  const fold = createPreviewFold();
  const batches = createBatches(attempt);
  let pending: PreviewOp[] = [];
  let hasEnded = false;
  let snapshot: { count: number; event: PreviewEvent } | undefined;

  /** All watchers that need a snapshot at the same time share one. */
  const toSnapshot = (count: number): PreviewEvent => {
    if (snapshot?.count !== count) {
      snapshot = { count, event: { type: "preview", attempt, seq: 0, ops: fold.toOps() } };
    }
    return snapshot.event;
  };

  return {
    attempt,
    historyVersion,
    isMirror,
    isEnded: (): boolean => hasEnded,
    end: (): void => {
      hasEnded = true;
      pending = [];
    },
    /** Adds an op to the open batch. */
    write: (op: PreviewOp): void => appendOp(pending, op),
    /** Closes the open batch. @returns false when it was empty. */
    closeBatch: (): boolean => {
      if (pending.length === 0) return false;
      batches.add(pending);
      fold.add(pending);
      pending = [];
      return true;
    },
    hasBatches: (): boolean => batches.count() > 0,
    /** @returns everything so far as one batch, with the cursor after it; undefined when there is nothing. */
    takeSnapshot: (): { event: PreviewEvent; cursor: PreviewCursor } | undefined => {
      const count = batches.count();
      if (count === 0) return undefined;
      const only = count === 1 ? batches.get({ next: 0, offset: 0 }) : undefined;
      return { event: only ?? toSnapshot(count), cursor: { next: count, offset: count - 1 } };
    },
    /** @returns the next batch, undefined when there is none yet, "behind" when it is dropped. */
    takeNext: (cursor: PreviewCursor): PreviewEvent | "behind" | undefined => {
      if (batches.isDropped(cursor)) return "behind";
      const found = batches.get(cursor);
      if (found) cursor.next += 1;
      return found;
    },
  };
};
export type PreviewLog = ReturnType<typeof createPreviewLog>;

/** The newest batches of one preview. */
const createBatches = (attempt: number) => {
  let batches: { event: PreviewEvent; shifted?: PreviewEvent }[] = [];
  let first = 0;
  const count = (): number => first + batches.length;
  return {
    /** Batches added so far, dropped ones included. */
    count,
    add: (ops: readonly PreviewOp[]): void => {
      batches.push({ event: { type: "preview", attempt, seq: count(), ops } });
      if (batches.length < 2 * MAX_BATCHES) return;
      first += batches.length - MAX_BATCHES;
      batches = batches.slice(-MAX_BATCHES);
    },
    isDropped: ({ next }: PreviewCursor): boolean => next < first,
    /** @returns the batch as its watcher counts it; watchers from the beginning share one object. */
    get: ({ next, offset }: PreviewCursor): PreviewEvent | undefined => {
      const found = batches[next - first];
      if (!found || offset === 0) return found?.event;
      const seq = next - offset;
      if (found.shifted?.seq !== seq) found.shifted = { ...found.event, seq };
      return found.shifted;
    },
  };
};
