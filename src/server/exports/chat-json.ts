import type { ChatToExport } from "@/server/db/chats/chat-export-reads";
import type { Viewer } from "@/server/db/chats/viewer";
import type { Queryable } from "@/server/db/connection/database";
import { createMessageReader, readFiles, toExportedHead } from "./read-chat";

type Reader = { db: Queryable; viewer: Viewer };

/** The JSON document of a chat in pieces. */
export async function* writeChatJson(
  reader: Reader,
  chat: ChatToExport,
): AsyncGenerator<string, void, undefined> {
  const { read, getOrigin } = createMessageReader(reader, chat);
  yield `${JSON.stringify(toExportedHead(chat)).slice(0, -1)},"messages":[`;
  let separator = "\n";
  for await (const messages of read()) {
    if (messages.length === 0) continue;
    yield separator + messages.map((message) => JSON.stringify(message)).join(",\n");
    separator = ",\n";
  }
  const files = await readFiles(reader, chat.id);
  yield `\n],"files":${JSON.stringify(files)},"forked_from":${JSON.stringify(getOrigin())}}\n`;
}
