import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, lstat, open, readdir, rename, unlink } from "node:fs/promises";
import { hasErrorCode } from "@/lib/has-error-code";
import { type OpenDirectory, type Place, joinPath } from "./rooted-directory";
import { ToolFailure } from "./tool-result";
import { quotePath } from "./workspace-path";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Largest file that is read or written, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export type DirectoryEntry = {
  name: string;
  type: "file" | "directory" | "link" | "other";
  /** Bytes. */
  size: number;
};

export const listEntries = async ({ directory, name }: Place, path: string) => {
  if (name !== undefined) throw new ToolFailure(`${quotePath(path)} is not a directory.`);
  const names = await readdir(joinPath(directory));
  const entries = await Promise.all(names.map((entry) => readEntry(directory, entry)));
  return entries.filter((entry) => entry !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
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

export const readWholeFile = async ({ directory, name, stats }: Place, path: string) => {
  if (name === undefined || stats?.isDirectory()) {
    throw new ToolFailure(`${quotePath(path)} is a directory.`);
  }
  // Without O_NONBLOCK, opening a named pipe would block until there is a writer.
  const handle = await open(joinPath(directory, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const opened = await handle.stat();
    if (!opened.isFile()) throw new ToolFailure(`${quotePath(path)} is not a regular file.`);
    if (opened.size > MAX_FILE_BYTES) {
      throw new ToolFailure(`${quotePath(path)} is larger than ${MAX_FILE_BYTES} bytes.`);
    }
    return await readBytes(handle, opened.size);
  } finally {
    await handle.close();
  }
};

/** Reads at most the size that was checked, even when the file grows meanwhile. */
const readBytes = async (handle: FileHandle, size: number): Promise<Uint8Array> => {
  const buffer = Buffer.alloc(size);
  for (let at = 0; at < size;) {
    const { bytesRead } = await handle.read(buffer, at, size - at, at);
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
