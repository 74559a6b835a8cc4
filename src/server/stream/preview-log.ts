import { toCallKey } from "@/contract/call-key";
import type { PreviewOp } from "@/contract/stream-event";
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

/** `shifted` is the event as watchers count it that began with a snapshot. */
type Batch = { event: PreviewEvent; shifted?: PreviewEvent };

export type PreviewLog = ReturnType<typeof createPreviewLog>;

/** Records one preview from its reset to its end, in batches and as a whole. */
export const createPreviewLog = ({
  attempt,
  historyVersion,
  isMirror = false,
}: PreviewLogOptions) => {
  /** The newest batches. */
  let batches: Batch[] = [];
  /** All batches by the part or call that they are about. */
  const folded = new Map<number | string, PreviewOp[]>();
  /** All watchers that need a snapshot at the same time share one. */
  let snapshot: PreviewEvent | undefined;
  const log = {
    attempt,
    historyVersion,
    isMirror,
    isEnded: false,
    /** The open batch, to which ops are appended. */
    pending: [] as PreviewOp[],
    /** Batches so far, dropped ones included. */
    count: 0,
    /** Closes the open batch. @returns false when it was empty. */
    closeBatch: (): boolean => {
      const { pending } = log;
      if (pending.length === 0) return false;
      batches.push({ event: { type: "preview", attempt, seq: log.count, ops: pending } });
      if (batches.length >= 2 * MAX_BATCHES) batches = batches.slice(-MAX_BATCHES);
      for (const op of pending) foldOp(folded, op);
      log.count += 1;
      snapshot = undefined;
      log.pending = [];
      return true;
    },
    /** @returns everything so far as one batch, with the cursor after it; undefined when there is nothing. */
    takeSnapshot: (): { event: PreviewEvent; cursor: PreviewCursor } | undefined => {
      const { count } = log;
      if (count === 0) return undefined;
      if (count === 1) snapshot = batches[0]?.event;
      // Copies, which later ops do not change.
      const ops = snapshot?.ops ?? [...folded.values()].flat().map((op) => ({ ...op }));
      snapshot ??= { type: "preview", attempt, seq: 0, ops };
      return { event: snapshot, cursor: { next: count, offset: count - 1 } };
    },
    /** @returns the next batch, undefined when there is none yet, "behind" when it is dropped. */
    takeNext: (cursor: PreviewCursor): PreviewEvent | "behind" | undefined => {
      const { next, offset } = cursor;
      const dropped = log.count - batches.length;
      if (next < dropped) return "behind";
      const batch = batches[next - dropped];
      if (!batch) return undefined;
      cursor.next += 1;
      // Watchers from the beginning share one object, and so do those that began at the same snapshot.
      if (offset === 0) return batch.event;
      const seq = next - offset;
      if (batch.shifted?.seq !== seq) batch.shifted = { ...batch.event, seq };
      return batch.shifted;
    },
  };
  return log;
};

/**
 * Folds an op into the fewest with the same effect, for watchers that come late. Ops of one part keep their order;
 * parts are independent of each other.
 */
const foldOp = (folded: Map<number | string, PreviewOp[]>, op: PreviewOp): void => {
  const place = toPlace(op);
  const ops = folded.get(place) ?? [];
  // A late watcher has no output to reset.
  if (op.op === "output-reset") folded.delete(place);
  else if (op.op === "compaction") folded.set(place, [op]);
  else {
    folded.set(place, ops);
    appendOp(ops, op);
  }
};

const toPlace = (op: PreviewOp): number | string => {
  if (op.op === "compaction") return op.op;
  return "index" in op ? op.index : toCallKey(op);
};

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
