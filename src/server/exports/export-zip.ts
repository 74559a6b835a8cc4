import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { type ExportedFile, toEntryPath } from "@/contract/exported-chat";
import { findArtifact, readArtifact } from "@/server/db/chats/artifact-reads";
import {
  type ChatToExport,
  listChatsToExport,
  listFilesToExport,
} from "@/server/db/chats/chat-export-reads";
import type { Artifact } from "@/contract/part";
import type { Viewer } from "@/server/db/chats/viewer";
import type { Queryable } from "@/server/db/connection/database";
import { writeChatJson } from "./chat-json";
import { writeChatMarkdown } from "./chat-markdown";
import { readFiles, toExportedFile } from "./read-chat";

type Reader = { db: Queryable; viewer: Viewer };

/** An entry of a ZIP, whose content is read when its turn has come. */
type Entry = { path: string; read: () => AsyncIterable<string | Uint8Array> };

/** The name of the entry with the documents of all chats, as a JSON array. */
const CHATS_ENTRY = "chats.json";

/** Chats, and files, that are listed at a time. */
const PAGE_ROWS = 100;

/** A ZIP of one chat: its documents and its files. */
export const exportChatZip = (reader: Reader, chat: ChatToExport): Readable =>
  writeZip(
    (async function* () {
      yield { path: CHATS_ENTRY, read: () => writeArray([chat], reader) };
      yield { path: "chat.md", read: () => writeChatMarkdown(reader, chat, true) };
      for (const file of await readFiles(reader, chat.id)) yield toFileEntry(reader, file);
    })(),
  );

/** A ZIP of all root chats of the viewer, archived ones included, and their files. */
export const exportAllZip = (reader: Reader): Readable =>
  writeZip(
    (async function* () {
      yield { path: CHATS_ENTRY, read: () => writeArray(listAllChats(reader), reader) };
      for await (const file of listAllFiles(reader))
        yield toFileEntry(reader, toExportedFile(file));
    })(),
  );

async function* writeArray(
  chats: AsyncIterable<ChatToExport> | Iterable<ChatToExport>,
  reader: Reader,
): AsyncGenerator<string, void, undefined> {
  let separator = "[\n";
  for await (const chat of chats) {
    yield separator;
    yield* writeChatJson(reader, chat);
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "]\n";
}

/** Lists all of something, page by page. */
async function* listAll<Row>(
  load: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row, void, undefined> {
  let last: Row | undefined;
  for (;;) {
    const page = await load(last);
    yield* page;
    if (page.length < PAGE_ROWS) return;
    last = page.at(-1);
  }
}

const listAllChats = ({ db, viewer }: Reader) =>
  listAll<ChatToExport>((last) =>
    listChatsToExport(db, { viewer, after: last?.id, limit: PAGE_ROWS }),
  );

const listAllFiles = ({ db, viewer }: Reader) =>
  listAll<Artifact>((last) => listFilesToExport(db, { viewer, after: last?.id, limit: PAGE_ROWS }));

const toFileEntry = (reader: Reader, file: ExportedFile): Entry => ({
  path: toEntryPath(file),
  read: () => readFile(reader, file),
});

/** A file whose chat is deleted meanwhile ends early. */
async function* readFile({ db, viewer }: Reader, { file_id: id, size }: ExportedFile) {
  try {
    yield* readArtifact(db, { id, start: 0, end: size - 1 });
  } catch (error) {
    if (await findArtifact(db, { id, viewer })) throw error;
  }
}

/** Writes entries one after the other, as fast as the reader of the stream takes them. */
const writeZip = (entries: AsyncIterable<Entry>): Readable => {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let current: Readable | undefined;
  const write = async (): Promise<void> => {
    for await (const { path, read } of entries) {
      if (output.destroyed) return;
      const content = Readable.from(toBytes(read()), { objectMode: false });
      current = content;
      const ended = new Promise<void>((resolve, reject) => {
        content.once("error", reject).once("close", resolve);
      });
      zip.addReadStream(content, path);
      await ended;
    }
    zip.end();
  };
  zip.once("error", (error) => output.destroy(error as Error));
  // The reader has gone: what is being read ends.
  output.once("close", () => current?.destroy());
  write().catch((error: unknown) => output.destroy(error as Error));
  return output;
};

async function* toBytes(
  content: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of content) yield typeof piece === "string" ? Buffer.from(piece) : piece;
}
