import { randomUUID } from "node:crypto";
import type { PreviewOp } from "@/contract/stream-event";
import type { Database } from "@/server/db/database";
import { insertPreviewChunk, type NewPreviewChunk } from "@/server/db/preview-writes";
import { appendOp } from "./append-op";
import { createThrottle } from "./throttle";
import type { PreviewCursor, PreviewLog } from "./preview-log";
import type { PreviewRelay } from "./preview";

/** Rows of one chat are at least this far apart: each costs a transaction. */
const SEND_MS = 100;

/** What the watchers elsewhere have been told of one preview. */
type Sent = {
  preview: string;
  log: PreviewLog;
  cursor: PreviewCursor;
  /** Rows sent after the first one. */
  rows: number;
};

type Sources = { db: Database; relay: PreviewRelay; chatId: string; sendMs?: number };

/** Sends one chat's preview to other processes, as long as it is made here. */
export const createPreviewSender = ({ db, relay, chatId, sendMs = SEND_MS }: Sources) => {
  let sent: Sent | undefined;
  let isSnapshotDue = false;
  let sending = Promise.resolve();

  const sendNews = async (): Promise<void> => {
    const current = watch.current();
    const log = current?.isMirror ? undefined : current;
    const chunks = log ? newsOf(log) : endOfSent();
    for (const chunk of chunks) await insertPreviewChunk(db, { chatId, ...chunk });
  };

  const newsOf = (log: PreviewLog): Omit<NewPreviewChunk, "chatId">[] => {
    if (sent?.log !== log) {
      sent = { preview: randomUUID(), log, cursor: { next: 0, offset: 0 }, rows: 0 };
      isSnapshotDue = false;
      return [snapshotOf(sent)];
    }
    const { ops, isBehind } = takeOps(sent);
    // Watchers that are up to date skip a snapshot that holds no more than what they have.
    if (ops.length > 0 || isBehind) sent.rows += 1;
    const chunks = [];
    if (ops.length > 0 && !isBehind) chunks.push(chunkOf(sent, sent.rows, ops));
    if (isSnapshotDue || isBehind) chunks.push(snapshotOf(sent));
    isSnapshotDue = false;
    return chunks;
  };

  const endOfSent = (): Omit<NewPreviewChunk, "chatId">[] => {
    if (!sent) return [];
    const end = { ...chunkOf(sent, sent.rows + 1, []), isEnd: true };
    sent = undefined;
    return [end];
  };

  const throttle = createThrottle(sendMs, () => {
    sending = sending.then(sendNews).catch(() => {
      // Nobody knows how much arrived, so the next row tells everything anew.
      sent = undefined;
      throttle.leading();
    });
  });
  const watch = relay.watch(chatId, throttle.leading);
  throttle.leading();

  return {
    /** Somebody elsewhere has nothing yet. */
    sendSnapshot: (): void => {
      isSnapshotDue = true;
      throttle.leading();
    },
    close: async (): Promise<void> => {
      watch.close();
      throttle.cancel();
      await sending;
    },
  };
};
export type PreviewSender = ReturnType<typeof createPreviewSender>;

const takeOps = ({ log, cursor }: Sent): { ops: PreviewOp[]; isBehind: boolean } => {
  const ops: PreviewOp[] = [];
  for (;;) {
    const event = log.next(cursor);
    if (event === "behind") return { ops, isBehind: true };
    if (!event) return { ops, isBehind: false };
    event.ops.forEach((op) => appendOp(ops, op));
  }
};

const chunkOf = (
  { preview, log: { attempt, historyVersion }, rows }: Sent,
  seq: number,
  ops: readonly PreviewOp[],
): Omit<NewPreviewChunk, "chatId"> => ({
  attempt,
  seq,
  preview,
  historyVersion,
  through: rows,
  ops,
});

const snapshotOf = (sent: Sent): Omit<NewPreviewChunk, "chatId"> => {
  const begun = sent.log.begin();
  if (begun) sent.cursor = begun.cursor;
  return chunkOf(sent, 0, begun?.event.ops ?? []);
};
