import type { Database } from "@/server/db/connection/database";
import { readPreviewChunks, type StoredPreviewChunk } from "@/server/db/sql/reads/preview-reads";
import type { PreviewRelay } from "./preview-relay";

type PreviewReceiverDeps = {
  db: Database;
  relay: PreviewRelay;
  chatId: string;
  /** Called when a row is missing, so that a snapshot is needed. */
  onGap: () => void;
};

/** Shows the watchers of this process one chat's preview that another process writes. */
export const createPreviewReceiver = ({ db, relay, chatId, onGap }: PreviewReceiverDeps) => {
  const mirror = relay.mirror(chatId);
  let lastId = "0";
  let shown: { preview: string; rows: number } | undefined;
  let reading: Promise<void> | undefined;
  let isStale = false;
  /** Rises with each reset, so that a read from before it is ignored. */
  let generation = 0;

  const apply = (chunk: StoredPreviewChunk): void => {
    lastId = chunk.id;
    const isShown = shown?.preview === chunk.preview;
    if (chunk.seq === 0) {
      if (isShown && shown?.rows === chunk.through) return;
      shown = { preview: chunk.preview, rows: chunk.through };
      mirror.begin(chunk);
      return mirror.write(chunk.ops);
    }
    if (!isShown || !shown || chunk.seq <= shown.rows) return;
    if (chunk.seq > shown.rows + 1 && !chunk.isEnd) return onGap();
    shown.rows = chunk.seq;
    mirror.write(chunk.ops);
    if (chunk.isEnd) mirror.end();
  };
  const readAll = async (): Promise<void> => {
    while (isStale) {
      isStale = false;
      const readIn = generation;
      const chunks = await readPreviewChunks(db, { chatId, after: lastId });
      if (readIn === generation) chunks.forEach(apply);
    }
  };

  return {
    /** Reads the new rows. */
    read: (): void => {
      isStale = true;
      // The next row makes up for a failed read.
      reading ??= readAll()
        .catch(() => undefined)
        .finally(() => (reading = undefined));
    },
    /** Forgets what was shown. Without watchers, rows are missed, and later ones do not continue it. */
    reset: (): void => {
      generation += 1;
      lastId = "0";
      shown = undefined;
    },
  };
};
export type PreviewReceiver = ReturnType<typeof createPreviewReceiver>;
