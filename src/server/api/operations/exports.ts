import * as z from "zod";
import { ExportChatInput, type ExportFormat } from "@/contract/exported-chat";
import { cleanFileName } from "@/lib/clean-file-name";
import { defineDownload } from "@/server/api/operation";
import { createDocumentResponse } from "@/server/api/rest/file-response";
import { type ChatToExport, findChatToExport } from "@/server/db/chats/chat-export-reads";
import { writeChatJson } from "@/server/exports/chat-json";
import { writeChatMarkdown } from "@/server/exports/chat-markdown";
import { exportAllZip, exportChatZip } from "@/server/exports/export-zip";
import { unknownChat } from "@/server/machine/lock-chat";

const ZIP = "application/zip";

type Reader = Parameters<typeof writeChatJson>[0];

/** How each format is written, and what it is. */
const FORMATS = {
  json: {
    extension: "json",
    mediaType: "application/json",
    write: (reader: Reader, chat: ChatToExport) => encode(writeChatJson(reader, chat)),
  },
  markdown: {
    extension: "md",
    mediaType: "text/markdown; charset=utf-8",
    write: (reader: Reader, chat: ChatToExport) => encode(writeChatMarkdown(reader, chat, false)),
  },
  zip: {
    extension: "zip",
    mediaType: ZIP,
    write: (reader: Reader, chat: ChatToExport) => readAll(exportChatZip(reader, chat)),
  },
} satisfies Record<ExportFormat, unknown>;

async function* encode(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}

const readAll = (stream: AsyncIterable<Uint8Array>): AsyncIterator<Uint8Array> =>
  stream[Symbol.asyncIterator]();

export const exportChatOperation = defineDownload({
  name: "chats.export",
  method: "GET",
  path: "/chats/{chat_id}/export",
  summary: "Get a chat as a document: Markdown, JSON, or a ZIP of both with its files",
  scope: "read",
  isWritten: true,
  input: ExportChatInput,
  respond: async ({ db, actor: viewer }, { chat_id: chatId, format }, request) => {
    const chat = await findChatToExport(db, { chatId, viewer });
    if (!chat) throw unknownChat(chatId);
    const { extension, mediaType, write } = FORMATS[format];
    const name = cleanFileName(`${chat.title.replaceAll(/[/\\]/g, "-")}.${extension}`);
    const content = () => write({ db, viewer }, chat);
    return createDocumentResponse({ name, mediaType, content }, request);
  },
});

export const exportAllOperation = defineDownload({
  name: "chats.exportAll",
  method: "GET",
  path: "/export",
  summary:
    "Get all chats, archived ones included, with their files as a ZIP, which `POST /imports` takes",
  scope: "read",
  isWritten: true,
  input: z.strictObject({}),
  respond: ({ db, actor: viewer }, _input, request) =>
    Promise.resolve(
      createDocumentResponse(
        {
          name: "parley-export.zip",
          mediaType: ZIP,
          content: () => readAll(exportAllZip({ db, viewer })),
        },
        request,
      ),
    ),
});
