import type { PreviewOp } from "@/contract/stream-event";
import type { PreviewEvent } from "./stream-event";
import { createPreviewFold } from "./preview-fold";
import { appendOp } from "./append-op";

/**
 * Batches that are kept for watchers who are not there yet: two seconds of them at full speed.
 * A slower watcher gets the whole preview anew, as one batch.
 */
const KEPT_BATCHES = 64;

/** Where one watcher stands in one preview. */
export type PreviewCursor = {
  /** The batch that it gets next. */
  next: number;
  /** How far its own count is behind, as it began with a snapshot. */
  offset: number;
};

export type PreviewLogOptions = {
  attempt: number;
  /** The history that the preview continues. */
  historyVersion: number;
  /** Made by another process; such a preview is not passed on. */
  isMirror?: boolean;
};

/** One preview, from its reset to its end: what was told, in batches and as a whole. */
export const createPreviewLog = ({
  attempt,
  historyVersion,
  isMirror = false,
}: PreviewLogOptions) => {
  const fold = createPreviewFold();
  const batches = createBatches(attempt);
  let pending: PreviewOp[] = [];
  let ended = false;
  let snapshot: { count: number; event: PreviewEvent } | undefined;

  /** Made once for all who need it at the same time. */
  const whole = (count: number): PreviewEvent => {
    if (snapshot?.count !== count) {
      snapshot = { count, event: { type: "preview", attempt, seq: 0, ops: fold.ops() } };
    }
    return snapshot.event;
  };

  return {
    attempt,
    historyVersion,
    isMirror,
    isEnded: (): boolean => ended,
    end: (): void => {
      ended = true;
      pending = [];
    },
    /** Takes an op into the open batch. */
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
    /** Everything told so far as one batch, and where to go on. Undefined when there is nothing. */
    begin: (): { event: PreviewEvent; cursor: PreviewCursor } | undefined => {
      const count = batches.count();
      if (count === 0) return undefined;
      const only = count === 1 ? batches.get({ next: 0, offset: 0 }) : undefined;
      return { event: only ?? whole(count), cursor: { next: count, offset: count - 1 } };
    },
    /** @returns the next batch, undefined when there is none yet, "behind" when it is not kept. */
    next: (cursor: PreviewCursor): PreviewEvent | "behind" | undefined => {
      if (batches.isForgotten(cursor)) return "behind";
      const found = batches.get(cursor);
      if (found) cursor.next += 1;
      return found;
    },
  };
};
export type PreviewLog = ReturnType<typeof createPreviewLog>;

/** The newest batches of one preview. */
const createBatches = (attempt: number) => {
  let kept: { event: PreviewEvent; shifted?: PreviewEvent }[] = [];
  let first = 0;
  const count = (): number => first + kept.length;
  return {
    /** Batches added so far, forgotten ones included. */
    count,
    add: (ops: readonly PreviewOp[]): void => {
      kept.push({ event: { type: "preview", attempt, seq: count(), ops } });
      if (kept.length < 2 * KEPT_BATCHES) return;
      first += kept.length - KEPT_BATCHES;
      kept = kept.slice(-KEPT_BATCHES);
    },
    isForgotten: ({ next }: PreviewCursor): boolean => next < first,
    /** The batch as its watcher counts it; those who saw the beginning share one object. */
    get: ({ next, offset }: PreviewCursor): PreviewEvent | undefined => {
      const found = kept[next - first];
      if (!found || offset === 0) return found?.event;
      const seq = next - offset;
      if (found.shifted?.seq !== seq) found.shifted = { ...found.event, seq };
      return found.shifted;
    },
  };
};
