import type { Database } from "@/server/db/database";
import { readPreviewChunks, type StoredPreviewChunk } from "@/server/db/preview-reads";
import type { PreviewRelay } from "./preview";

type Sources = {
  db: Database;
  relay: PreviewRelay;
  chatId: string;
  /** Called when a row is missing, so that only a snapshot helps. */
  onGap: () => void;
};

/** Shows the watchers of this process one chat's preview that another process makes. */
export const createPreviewReceiver = ({ db, relay, chatId, onGap }: Sources) => {
  const mirror = relay.mirror(chatId);
  let lastId = "0";
  let shown: { preview: string; rows: number } | undefined;
  let reading: Promise<void> | undefined;
  let isStale = false;
  let life = 0;

  const apply = (chunk: StoredPreviewChunk): void => {
    lastId = chunk.id;
    const isShown = shown?.preview === chunk.preview;
    if (chunk.seq === 0) {
      if (isShown && shown?.rows === chunk.through) return;
      shown = { preview: chunk.preview, rows: chunk.through };
      mirror.begin(chunk);
      return mirror.tell(chunk.ops);
    }
    if (!isShown || !shown || chunk.seq <= shown.rows) return;
    if (chunk.seq > shown.rows + 1 && !chunk.isEnd) return onGap();
    shown.rows = chunk.seq;
    mirror.tell(chunk.ops);
    if (chunk.isEnd) mirror.end();
  };
  const readAll = async (): Promise<void> => {
    while (isStale) {
      isStale = false;
      const readIn = life;
      const chunks = await readPreviewChunks(db, { chatId, after: lastId });
      if (readIn === life) chunks.forEach(apply);
    }
  };

  return {
    /** There are new rows. */
    read: (): void => {
      isStale = true;
      // A failed read is made up for by the next row.
      reading ??= readAll()
        .catch(() => undefined)
        .finally(() => (reading = undefined));
    },
    /** Nobody watches, so what comes next will not join on to what was shown. */
    forget: (): void => {
      life += 1;
      lastId = "0";
      shown = undefined;
    },
  };
};
export type PreviewReceiver = ReturnType<typeof createPreviewReceiver>;
