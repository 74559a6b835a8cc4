import { isUnavailable } from "@/contract/domain-error";
import { toFileKind } from "@/contract/file-kind";
import { cutBytes } from "@/lib/cut-text";
import { countOmittedFiles, selectShownFiles, toSizedFile } from "@/contract/shown-files";
import type { OmittedFiles } from "@/contract/usage";
import type { ChatRow, FilePartRow, HistoryMessage } from "@/server/db/chats/rows";
import type { Rendition } from "@/server/db/sql/writes/renditions";
import type { FileAbilities } from "@/server/model/file-abilities";
import { ToolFailure } from "@/server/tools/tool-result";
import type { ToolChat, ToolLog } from "@/server/tools/tool-context";
import { calculateResultShare } from "@/server/turn/result-share";

type MessageFile = FilePartRow["data"];

/** What the model gets of a file: bytes that it sees, text that it reads, or a sentence why it gets nothing. */
export type ShownFile =
  | { type: "media"; mediaType: string; bytes: Uint8Array }
  | { type: "text"; text: string }
  | { type: "note"; note: string; path?: string };

/** Files of messages by their ids. */
export type MessageFiles = ReadonlyMap<string, ShownFile>;

/** The text of a PDF, or why it could not be read, as the end of a sentence. */
type PdfText = { text: string } | { failure: string; /** It may succeed later. */ isBusy?: true };

export type MessageFileDeps = {
  /** Reads a file of a chat, or a range of it. */
  readFile: (id: string, range: { start: number; end: number }) => Promise<Uint8Array>;
  readRendition: (id: string, kind: Rendition["kind"]) => Promise<Rendition | undefined>;
  saveRendition: (id: string, rendition: Rendition) => Promise<void>;
  /** Writes a file to the workspace, unless it is there. @returns its path. Rejects with a `ToolFailure`. */
  placeFile: (chat: ToolChat, file: MessageFile) => Promise<string>;
  readPdf: (bytes: Uint8Array, signal: AbortSignal) => Promise<PdfText>;
};

type LoadInput = {
  chat: ToolChat;
  turn: Pick<ChatRow, "turnSteps">;
  history: readonly HistoryMessage[];
  abilities: FileAbilities;
  /** Of the model, in tokens. */
  contextLimit: number | null;
  signal: AbortSignal;
  log: Pick<ToolLog, "warn">;
};

type LoadedFiles = {
  files: MessageFiles;
  /** What left the request, as newer files take the room. */
  omitted: OmittedFiles | undefined;
};

const NO_FILES: LoadedFiles = { files: new Map(), omitted: undefined };

/** Loads what the model gets of the files of all messages. Each file is read once. */
export const loadMessageFiles = async (
  deps: MessageFileDeps,
  input: LoadInput,
): Promise<LoadedFiles> => {
  const messages = input.history.filter(hasFiles).map(listFiles);
  if (messages.length === 0) return NO_FILES;
  const sized = messages.map((files) => files.flatMap(toTakenFile(input.abilities)));
  const shown = selectShownFiles(sized);
  const loaded = new Map<string, ShownFile>();
  for (const files of messages) {
    const texts = files.filter(({ media_type }) => toFileKind(media_type) !== "image");
    const reader = {
      ...input,
      shown,
      maxBytes: calculateResultShare(input.contextLimit, texts.length),
    };
    for (const file of files) {
      // A file that two messages have is given once.
      if (!loaded.has(file.file_id)) loaded.set(file.file_id, await loadFile(deps, file, reader));
    }
  }
  await placeFiles(deps, input, loaded);
  return { files: loaded, omitted: countOmittedFiles(sized.flat(), shown) };
};

const hasFiles = ({ role, parts }: HistoryMessage): boolean =>
  role === "user" && parts.some(({ type }) => type === "file");

const listFiles = ({ parts }: Pick<HistoryMessage, "parts">): MessageFile[] =>
  parts.flatMap((part) => (part.type === "file" ? part.data : []));

/** What a file takes of a request; nothing if the model is not given it as bytes. */
const toTakenFile =
  ({ images, pdfs }: FileAbilities) =>
  (file: MessageFile) => {
    const sized = toSizedFile(file);
    return sized && (sized.kind === "image" ? images : pdfs) ? [sized] : [];
  };

type FileReader = LoadInput & { shown: ReadonlySet<string>; maxBytes: number };

const loadFile = async (
  deps: MessageFileDeps,
  file: MessageFile,
  reader: FileReader,
): Promise<ShownFile> => {
  try {
    switch (toFileKind(file.media_type)) {
      case "image":
        return await loadImage(deps, file, reader);
      case "pdf":
        return await loadPdf(deps, file, reader);
      case "text":
        return { type: "text", text: await readText(deps, file, reader) };
      case "other":
        return { type: "note", note: "" };
    }
  } catch (error) {
    if (isUnavailable(error) || reader.signal.aborted) throw error;
    reader.log.warn(
      { err: error, fileId: file.file_id },
      "file of a message not given to the model",
    );
    return { type: "note", note: "The file could not be read." };
  }
};

const LEFT_OUT =
  "It is not shown any more, as newer files take the room. Say so if the answer depends on it.";

const loadImage = async (
  deps: MessageFileDeps,
  { file_id, width }: MessageFile,
  { abilities, shown }: FileReader,
): Promise<ShownFile> => {
  if (!abilities.images) {
    return {
      type: "note",
      note: "The image is not shown to you, as you cannot see images: say so if the answer depends on it.",
    };
  }
  if (width === undefined) {
    return {
      type: "note",
      note: "The image is not shown to you: it is damaged or has too many pixels.",
    };
  }
  if (!shown.has(file_id)) return { type: "note", note: LEFT_OUT };
  const image = await deps.readRendition(file_id, "image");
  if (!image) return { type: "note", note: "The image is not shown to you." };
  return { type: "media", ...image };
};

const loadPdf = async (
  deps: MessageFileDeps,
  file: MessageFile,
  reader: FileReader,
): Promise<ShownFile> => {
  const { file_id, size, media_type: mediaType } = file;
  if (reader.shown.has(file_id)) {
    const bytes = await deps.readFile(file_id, { start: 0, end: size - 1 });
    // Providers refuse the whole request for a document with a password.
    if (!isEncrypted(bytes)) return { type: "media", mediaType, bytes };
  }
  const stored = await deps.readRendition(file_id, "text");
  const text = stored?.bytes ?? (await readPdfText(deps, file, reader));
  return { type: "text", text: cut(text, reader.maxBytes) };
};

const isEncrypted = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes("/Encrypt");

/** Most bytes of a text that is stored: more than any model is given of one file. */
const MAX_STORED_TEXT_BYTES = 1024 * 1024;

/** Reads the text of a PDF, which takes seconds, and stores it: it is the same in all later requests. */
const readPdfText = async (
  { readFile, readPdf, saveRendition }: MessageFileDeps,
  { file_id, size }: MessageFile,
  { signal }: FileReader,
): Promise<Uint8Array> => {
  const document = await readPdf(await readFile(file_id, { start: 0, end: size - 1 }), signal);
  const text = Buffer.from(toPdfText(document));
  const bytes = Buffer.from(cut(text, MAX_STORED_TEXT_BYTES));
  const isBusy = "failure" in document && document.isBusy === true;
  if (!isBusy) await saveRendition(file_id, { kind: "text", mediaType: "text/plain", bytes });
  return bytes;
};

const toPdfText = (document: PdfText): string => {
  if ("failure" in document) {
    return `(The text of the PDF could not be read: ${document.failure}.)`;
  }
  return document.text === "" ? "(The PDF has no text: its pages are images.)" : document.text;
};

/** Reads a text file up to the model's share: more at its head than at its tail. */
const readText = async (
  { readFile }: MessageFileDeps,
  { file_id, size }: MessageFile,
  { maxBytes }: FileReader,
): Promise<string> => {
  if (size <= maxBytes) return decode(await readFile(file_id, { start: 0, end: size - 1 }));
  const head = await readFile(file_id, { start: 0, end: maxBytes - 1 });
  const tail = await readFile(file_id, { start: size - maxBytes, end: size - 1 });
  return cutBytes(Buffer.concat([head, tail]), {
    maxBytes,
    marker: (bytes) => toMarker(bytes + size - 2 * maxBytes),
  });
};

const cut = (bytes: Uint8Array, maxBytes: number): string =>
  bytes.length <= maxBytes ? decode(bytes) : cutBytes(bytes, { maxBytes, marker: toMarker });

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const toMarker = (bytes: number): string => `\n… ${bytes} bytes left out …\n`;

/**
 * Writes what only tools can read to the workspace, when a turn begins. Those of earlier messages are not there in a chat
 * that began with a history or is a fork.
 */
const placeFiles = async (
  { placeFile }: MessageFileDeps,
  { chat, turn, history, log }: LoadInput,
  loaded: Map<string, ShownFile>,
): Promise<void> => {
  for (const message of history.filter(hasFiles)) {
    for (const file of listFiles(message)) {
      if (toFileKind(file.media_type) !== "other") continue;
      loaded.set(file.file_id, {
        type: "note",
        note: "",
        path: toUploadPath(file),
        ...(turn.turnSteps === 0 && (await place(placeFile, { chat, file, log }))),
      });
    }
  }
};

const place = async (
  placeFile: MessageFileDeps["placeFile"],
  { chat, file, log }: Pick<LoadInput, "chat" | "log"> & { file: MessageFile },
): Promise<{ path: string } | { note: string }> => {
  try {
    return { path: await placeFile(chat, file) };
  } catch (error) {
    if (isUnavailable(error)) throw error;
    // The disk may be full: the message is answered nevertheless.
    log.warn(
      { err: error, fileId: file.file_id },
      "file of a message not written to the workspace",
    );
    const reason = error instanceof ToolFailure ? `: ${error.message}` : ".";
    return { note: `It could not be written to the workspace${reason}` };
  }
};

/** Where a file of a message is in the workspace. Two files with one name have different paths. */
export const toUploadPath = ({ file_id, name }: Pick<MessageFile, "file_id" | "name">): string =>
  `uploads/${file_id.slice(-8)}/${name}`;
