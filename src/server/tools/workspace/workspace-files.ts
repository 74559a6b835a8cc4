import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { hasErrorCode } from "@/lib/has-error-code";
import { readBatches } from "./directory-batches";
import { type OpenDirectory, type Place, joinPath } from "./rooted-directory";
import { ToolFailure } from "@/server/tools/tool-result";
import { quotePath } from "./workspace-path";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

export type DirectoryEntry = {
  name: string;
  type: "file" | "directory" | "link" | "other";
  /** Bytes. */
  size: number;
};

/** A part of a directory's entries, which are sorted by name. */
export type ListingPage = {
  /** Entries before the page. */
  offset: number;
  /** Each entry costs a call to the file system. */
  limit: number;
};

export type DirectoryListing = {
  entries: DirectoryEntry[];
  /** Names in the directory, including those that are not on the page. */
  total: number;
};

export const listEntries = async (
  { directory, name, stats }: Place,
  path: string,
  { offset, limit }: ListingPage,
): Promise<DirectoryListing> => {
  if (name !== undefined) {
    const problem = stats ? "is not a directory" : "does not exist";
    throw new ToolFailure(`${quotePath(path)} ${problem}.`);
  }
  const { names, total } = await readFirstNames(directory, offset + limit);
  const page = names.slice(offset);
  const entries = await Promise.all(page.map((entry) => readEntry(directory, entry)));
  return { entries: entries.filter((entry) => entry !== undefined), total };
};

/** Sorts in batches, because sorting the names of a huge directory at once would block the process. */
const readFirstNames = async (directory: OpenDirectory, count: number) => {
  let names: string[] = [];
  let total = 0;
  for await (const batch of readBatches(joinPath(directory))) {
    const sorted = batch.map(({ name }) => name.toString()).sort(compareNames);
    names = mergeSorted(names, sorted, count);
    total += batch.length;
  }
  return { names, total };
};

const compareNames = (a: string, b: string): number => (a < b ? -1 : 1);

/** @returns the first names of two sorted lists, sorted. */
const mergeSorted = (a: readonly string[], b: readonly string[], count: number): string[] => {
  const merged: string[] = [];
  let [atA, atB] = [0, 0];
  while (merged.length < count) {
    const [nextA, nextB] = [a[atA], b[atB]];
    const isFromA = nextB === undefined || (nextA !== undefined && nextA < nextB);
    const next = isFromA ? nextA : nextB;
    if (next === undefined) break;
    merged.push(next);
    if (isFromA) atA += 1;
    else atB += 1;
  }
  return merged;
};

const readEntry = async (
  directory: OpenDirectory,
  name: string,
): Promise<DirectoryEntry | undefined> => {
  try {
    const stats = await lstat(joinPath(directory, name));
    const type = stats.isFile()
      ? "file"
      : stats.isDirectory()
        ? "directory"
        : stats.isSymbolicLink()
          ? "link"
          : "other";
    return { name, type, size: stats.size };
  } catch {
    // It was deleted in the meantime, or its name is not text.
    return undefined;
  }
};

export const readWholeFile = (place: Place, path: string): Promise<Uint8Array> =>
  withRegularFile(place, path, (handle, size) => {
    if (size > MAX_ARTIFACT_BYTES) {
      throw new ToolFailure(
        `${quotePath(path)} has ${size} bytes, and files of more than ${MAX_ARTIFACT_BYTES} bytes are not read.`,
      );
    }
    return readBytes(handle, { position: 0, length: size });
  });

export type ByteRange = { position: number; length: number };

/** @returns fewer bytes than the range has, where the file ends. */
export const readFileRange = (place: Place, path: string, range: ByteRange): Promise<Uint8Array> =>
  withRegularFile(place, path, (handle) => readBytes(handle, range));

const withRegularFile = async (
  { directory, name, stats }: Place,
  path: string,
  read: (handle: FileHandle, size: number) => Promise<Uint8Array>,
): Promise<Uint8Array> => {
  if (name === undefined || stats?.isDirectory()) {
    throw new ToolFailure(`${quotePath(path)} is a directory.`);
  }
  // Without O_NONBLOCK, opening a named pipe would block until there is a writer.
  const handle = await open(joinPath(directory, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const opened = await handle.stat();
    if (!opened.isFile()) throw new ToolFailure(`${quotePath(path)} is not a regular file.`);
    return await read(handle, opened.size);
  } finally {
    await handle.close();
  }
};

/** Reads at most the length that was asked for, even when the file grows meanwhile. */
const readBytes = async (
  handle: FileHandle,
  { position, length }: ByteRange,
): Promise<Uint8Array> => {
  const buffer = Buffer.alloc(length);
  for (let at = 0; at < length;) {
    const { bytesRead } = await handle.read(buffer, at, length - at, position + at);
    if (bytesRead === 0) return buffer.subarray(0, at);
    at += bytesRead;
  }
  return buffer;
};

/** @returns the file at a place. @throws {ToolFailure} when it must not be written. */
export const toWritableFile = (
  { name, stats }: Place,
  path: string,
  overwrite: boolean,
): { name: string; size: number; mode: number; created: boolean } => {
  if (name === undefined || stats?.isDirectory()) {
    throw new ToolFailure(`${quotePath(path)} is a directory.`);
  }
  if (stats && !stats.isFile()) throw new ToolFailure(`${quotePath(path)} is not a regular file.`);
  if (stats && !overwrite) {
    throw new ToolFailure(
      `${quotePath(path)} already exists. Set overwrite to true to replace it.`,
    );
  }
  const mode = stats ? stats.mode & 0o777 : 0o600;
  return { name, size: stats?.size ?? 0, mode, created: stats === undefined };
};

/** Writes a temporary file first, so that no reader sees a partial file and a crash keeps the old one. */
export const writeAtomically = async (
  directory: OpenDirectory,
  { name, mode }: { name: string; mode: number },
  { bytes, overwrite }: { bytes: Uint8Array; overwrite: boolean },
): Promise<void> => {
  const draft = joinPath(directory, `.${randomUUID()}.tmp`);
  const handle = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A rename replaces an existing file; a link fails if there is one.
    if (overwrite) await rename(draft, joinPath(directory, name));
    else await link(draft, joinPath(directory, name));
  } finally {
    await unlinkIfExists(draft);
  }
};

const unlinkIfExists = async (path: string): Promise<void> => {
  try {
    await unlink(path);
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
  }
};
