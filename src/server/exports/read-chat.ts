import {
  EXPORT_FORMAT,
  type ExportedChat,
  type ExportedFile,
  type ExportedMessage,
} from "@/contract/exported-chat";
import { MAX_PAGE_SIZE } from "@/contract/limits";
import type { Artifact } from "@/contract/part";
import type { Queryable } from "@/server/db/connection/database";
import { listFiles } from "@/server/db/chats/artifact-reads";
import type { ChatToExport } from "@/server/db/chats/chat-export-reads";
import type { Viewer } from "@/server/db/chats/viewer";
import { listMessages } from "@/server/db/sql/reads/message-reads";
import { toExportedMessage } from "./to-exported-message";

/** Messages that are read, converted and sent at a time. */
const PAGE_MESSAGES = 50;

type Reader = { db: Queryable; viewer: Viewer };

/** What a document of a chat begins with. */
export const toExportedHead = (chat: ChatToExport) =>
  ({
    format: EXPORT_FORMAT,
    id: chat.id,
    title: chat.title,
    archived: chat.archivedAt !== null,
    pinned: chat.pinned,
    labels: chat.labels,
    system_prompt: chat.systemPrompt,
    model: chat.model && `${chat.model.provider}/${chat.model.model}`,
    ...chat.parameters,
    created_at: chat.createdAt.toISOString(),
    updated_at: chat.updatedAt.toISOString(),
  }) satisfies Omit<ExportedChat, "messages" | "files" | "forked_from">;

/** The messages of a chat as a document has them, page by page, and what of them it shares with the chat it comes from. */
export const createMessageReader = ({ db, viewer }: Reader, chat: ChatToExport) => {
  const places = new Map<number, number>();
  let shared = 0;
  async function* read(): AsyncGenerator<ExportedMessage[], void, undefined> {
    let after = 0;
    for (;;) {
      const page = await listMessages(db, { chatId: chat.id, viewer, after, limit: PAGE_MESSAGES });
      const last = page?.messages.at(-1);
      if (!page || !last) return;
      const messages: ExportedMessage[] = [];
      for (const row of page.messages) {
        const message = toExportedMessage(row, { findPlace: (seq) => places.get(seq) });
        if (!message) continue;
        places.set(row.seq, places.size + 1);
        if (row.seq <= (chat.forkedFromSeq ?? 0)) shared = places.size;
        messages.push(message);
      }
      yield messages;
      if (!page.hasMore) return;
      after = last.seq;
    }
  }
  const getOrigin = (): ExportedChat["forked_from"] =>
    chat.forkedFromSeq === null ? null : { chat_id: chat.forkedFromId, messages: shared };
  return { read, getOrigin };
};

/** The files of a chat and of its agents, the oldest first. */
export const readFiles = async (
  { db, viewer }: Reader,
  chatId: string,
): Promise<ExportedFile[]> => {
  const found: ExportedFile[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await listFiles(db, { chatId, viewer, before, limit: MAX_PAGE_SIZE });
    found.push(...page.map(({ file }) => toExportedFile(file)));
    if (page.length < MAX_PAGE_SIZE) return found.toReversed();
    before = page.at(-1)?.file.id;
  }
};

export const toExportedFile = ({ id, name, media_type, size }: Artifact): ExportedFile => ({
  file_id: id,
  name,
  media_type,
  size,
});
