import { Readable } from "node:stream";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { DomainError } from "@/contract/domain-error";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import type { Queryable } from "@/server/db/connection/database";
import { readImport } from "@/server/db/sql/writes/import-slices";

/** A document with conversations. */
export type ArchiveDocument = {
  name: string;
  /** Bytes, unpacked. */
  size: number;
  open: () => Promise<AsyncIterable<Uint8Array>>;
};

export type Archive = {
  /** In the order of their numbers. */
  documents: readonly ArchiveDocument[];
  /** Finds a file by its path, or by how its name begins. */
  findFile: (place: FilePlace) => ArchiveFile | undefined;
};

export type FilePlace = { path: string } | { prefix: string };

export type ArchiveFile = { name: string; size: number; read: () => Promise<Uint8Array> };

type Upload = { importId: string; size: number };

type Limits = {
  /** Bytes of all documents together, unpacked. */
  maxUnpackedBytes: number;
};

/** Most entries of an archive: what is known of them is held in memory. */
const MAX_ENTRIES = 50_000;

/**
 * Opens an upload: a ZIP, or the document itself. Reads the list of a ZIP, and no content.
 *
 * @throws {DomainError} `invalid` for what is no such archive, is broken or encrypted, or has too much in it.
 */
export const openArchive = async (
  db: Queryable,
  upload: Upload,
  limits: Limits,
): Promise<Archive> => {
  const start = await readStart(db, upload);
  if (start.subarray(0, 2).toString("latin1") === "PK") return openZip(db, upload, limits);
  if (!/^(?:\uFEFF)?\s*[[{]/.test(start.toString("utf8"))) {
    throw invalid("This is neither a ZIP archive nor a JSON document.");
  }
  const open = () => Promise.resolve(readImport(db, { ...upload, start: 0, end: upload.size }));
  return {
    documents: [{ name: "The document", size: upload.size, open }],
    findFile: () => undefined,
  };
};

const invalid = (message: string, cause?: unknown): DomainError =>
  new DomainError("invalid", message, { shouldRetry: false, cause });

/** Enough for what is before the first bracket of a document. */
const START_BYTES = 1_024;

const readStart = async (db: Queryable, { importId, size }: Upload): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  const range = { importId, start: 0, end: Math.min(size, START_BYTES) };
  for await (const piece of readImport(db, range)) pieces.push(piece);
  return Buffer.concat(pieces);
};

const openZip = async (db: Queryable, upload: Upload, limits: Limits): Promise<Archive> => {
  const { zip, entries } = await listEntries(db, upload);
  const documents = entries.filter(isDocument).toSorted(byNumber);
  if (documents.length === 0) {
    throw invalid(
      "This archive has no conversations.json, nor chats.json: it is no export of ChatGPT, Claude or Parley.",
    );
  }
  if (documents.some((entry) => entry.isEncrypted())) {
    throw invalid("This archive is encrypted: unpack it with its password, and pack it without.");
  }
  const unpacked = documents.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked > limits.maxUnpackedBytes) {
    throw invalid(
      `The documents of this archive have ${toMegabytes(unpacked)} MB, unpacked, and at most ${toMegabytes(limits.maxUnpackedBytes)} MB can be imported.`,
    );
  }
  return {
    documents: documents.map((entry) => ({
      name: entry.fileName,
      size: entry.uncompressedSize,
      open: () => zip.openReadStreamPromise(entry),
    })),
    findFile: createFinder(zip, entries),
  };
};

const toMegabytes = (bytes: number): number => Math.ceil(bytes / (1024 * 1024));

const listEntries = async (
  db: Queryable,
  upload: Upload,
): Promise<{ zip: ZipFile; entries: Entry[] }> => {
  try {
    const reader = new UploadReader(db, upload.importId);
    const options = { autoClose: false, lazyEntries: true, validateEntrySizes: true };
    const zip = await fromRandomAccessReaderPromise(reader, upload.size, options);
    if (zip.entryCount > MAX_ENTRIES) {
      throw invalid(
        `This archive has ${zip.entryCount} files, and at most ${MAX_ENTRIES} are read.`,
      );
    }
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      if (entries.length === MAX_ENTRIES) throw invalid("This archive has too many files.");
      entries.push(entry);
    }
    return { zip, entries };
  } catch (error) {
    if (error instanceof DomainError) throw error;
    // The library names what is wrong, such as a name that leads out of the archive.
    throw invalid(`This archive is broken: ${toReason(error)}.`, error);
  }
};

/** The reason of an error of a library, as a part of a sentence. */
export const toReason = (error: unknown): string =>
  (error instanceof Error ? error.message : "it cannot be read")
    .slice(0, 200)
    .trimEnd()
    .replace(/\.$/, "");

/** Reads ranges of an upload from the database. */
class UploadReader extends RandomAccessReader {
  readonly #db: Queryable;
  readonly #importId: string;

  constructor(db: Queryable, importId: string) {
    super();
    this.#db = db;
    this.#importId = importId;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const slices = readImport(this.#db, { importId: this.#importId, start, end });
    return Readable.from(slices, { objectMode: false });
  }
}

const DOCUMENT = /^(?:conversations|chats)(?:[-_](\d+))?\.json$/i;

const toBaseName = ({ fileName }: Entry): string => fileName.split("/").at(-1) ?? "";

const isDocument = (entry: Entry): boolean => DOCUMENT.test(toBaseName(entry));

const byNumber = (a: Entry, b: Entry): number =>
  getNumber(a) - getNumber(b) || (a.fileName < b.fileName ? -1 : 1);

const getNumber = (entry: Entry): number => Number(DOCUMENT.exec(toBaseName(entry))?.[1] ?? -1);

/** ChatGPT names files by their ids, with more behind it. */
const createFinder = (zip: ZipFile, entries: readonly Entry[]): Archive["findFile"] => {
  const byPath = new Map(entries.map((entry) => [entry.fileName, entry]));
  const byId = new Map<string, Entry>();
  for (const entry of entries) {
    const [, id] = /^(file[-_][A-Za-z0-9]+)/.exec(toBaseName(entry)) ?? [];
    if (id !== undefined) byId.set(id, entry);
  }
  return (place) => {
    const entry = "path" in place ? byPath.get(place.path) : byId.get(place.prefix);
    return (
      entry && {
        name: toBaseName(entry),
        size: entry.uncompressedSize,
        read: () => readEntry(zip, entry),
      }
    );
  };
};

/** @throws {Error} for an entry that is broken, encrypted, or larger than a file of a chat may be. */
const readEntry = async (zip: ZipFile, entry: Entry): Promise<Uint8Array> => {
  if (entry.isEncrypted()) throw invalid("It is encrypted.");
  if (entry.uncompressedSize > MAX_ARTIFACT_BYTES) {
    throw invalid(`It has more than ${toMegabytes(MAX_ARTIFACT_BYTES)} MB.`);
  }
  const pieces: Uint8Array[] = [];
  const stream = await zip.openReadStreamPromise(entry);
  for await (const piece of stream) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
};
