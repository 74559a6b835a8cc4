import { randomUUID } from "node:crypto";
import type { PreviewOp } from "@/contract/stream-event";
import type { Database } from "@/server/db/connection/database";
import { insertPreviewChunk, type NewPreviewChunk } from "@/server/db/sql/writes/preview-writes";
import { appendOp, type PreviewCursor, type PreviewLog } from "./preview-log";
import type { PreviewRelay } from "./preview-relay";
import { createThrottle } from "./throttle";

/** The least time between two rows of one chat: each costs a transaction. */
const SEND_MS = 100;

type Chunk = Omit<NewPreviewChunk, "chatId">;

/** How much of one preview has been sent. */
type SentPreview = {
  preview: string;
  log: PreviewLog;
  cursor: PreviewCursor;
  /** Rows sent after the first one. */
  rows: number;
};

type PreviewSenderDeps = { db: Database; relay: PreviewRelay; chatId: string; sendMs?: number };

/** Sends one chat's preview to other processes while it is written in this one. */
export const createPreviewSender = ({ db, relay, chatId, sendMs = SEND_MS }: PreviewSenderDeps) => {
  let sent: SentPreview | undefined;
  let isSnapshotDue = false;
  let sending = Promise.resolve();

  const sendChunks = async (): Promise<void> => {
    const { log: current } = watch.channel;
    const log = current?.isMirror ? undefined : current;
    const chunks = log ? takeChunks(log) : takeEnd();
    for (const chunk of chunks) await insertPreviewChunk(db, { chatId, ...chunk });
  };

  const takeChunks = (log: PreviewLog): Chunk[] => {
    if (sent?.log !== log) {
      sent = { preview: randomUUID(), log, cursor: { next: 0, offset: 0 }, rows: 0 };
      isSnapshotDue = false;
      return [takeSnapshot(sent)];
    }
    const { ops, isBehind } = takeOps(sent);
    // A snapshot has the number of the last row, so watchers that have that row skip it.
    if (ops.length > 0 || isBehind) sent.rows += 1;
    const chunks = [];
    if (ops.length > 0 && !isBehind) chunks.push(toChunk(sent, sent.rows, ops));
    if (isSnapshotDue || isBehind) chunks.push(takeSnapshot(sent));
    isSnapshotDue = false;
    return chunks;
  };

  const takeEnd = (): Chunk[] => {
    if (!sent) return [];
    const end = { ...toChunk(sent, sent.rows + 1, []), isEnd: true };
    sent = undefined;
    return [end];
  };

  const throttle = createThrottle(sendMs, () => {
    sending = sending.then(sendChunks).catch(() => {
      // The failed row may or may not have arrived, so the next one is a snapshot.
      sent = undefined;
      throttle.leading();
    });
  });
  const watch = relay.watch(chatId, throttle.leading);
  throttle.leading();

  return {
    /** Sends a snapshot, for a watcher elsewhere that has nothing yet. */
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

const takeOps = ({ log, cursor }: SentPreview): { ops: PreviewOp[]; isBehind: boolean } => {
  const ops: PreviewOp[] = [];
  for (;;) {
    const event = log.takeNext(cursor);
    if (event === "behind") return { ops, isBehind: true };
    if (!event) return { ops, isBehind: false };
    event.ops.forEach((op) => appendOp(ops, op));
  }
};

const toChunk = (
  { preview, log: { attempt, historyVersion }, rows }: SentPreview,
  seq: number,
  ops: readonly PreviewOp[],
): Chunk => ({ attempt, seq, preview, historyVersion, through: rows, ops });

const takeSnapshot = (sent: SentPreview): Chunk => {
  const snapshot = sent.log.takeSnapshot();
  if (snapshot) sent.cursor = snapshot.cursor;
  return toChunk(sent, 0, snapshot?.event.ops ?? []);
};
