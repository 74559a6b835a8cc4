import { EXPORT_FORMAT, ExportedChat, toEntryPath } from "@/contract/exported-chat";
import { isRecord } from "@/lib/is-record";
import type { Conversation } from "./conversation";

export const isParley = (value: unknown): boolean =>
  isRecord(value) && value.format === EXPORT_FORMAT;

/** @throws {z.ZodError} for a document that is not as this program writes it. */
export const convertParley = (value: unknown): Conversation => {
  const chat = ExportedChat.parse(value);
  return {
    source: "parley",
    chats: [{ sourceId: toParleyId(chat.id), chat }],
    files: new Map(
      chat.files.map((file) => [
        file.file_id,
        { name: file.name, content: { path: toEntryPath(file) } },
      ]),
    ),
    notes: [],
  };
};

const toParleyId = (chatId: string): string => `parley:${chatId}`;
