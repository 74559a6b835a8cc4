import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, lstat, open, readdir, rename, unlink } from "node:fs/promises";
import { type OpenDirectory, type Place, pathIn } from "./rooted-directory";
import { ToolFailure } from "./tool-failure";
import { quoted } from "./workspace-path";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** One file that is read or written as a whole, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export type DirectoryEntry = {
  name: string;
  type: "file" | "directory" | "link" | "other";
  /** Bytes. */
  size: number;
};

export const listPlace = async ({ directory, name }: Place, path: string) => {
  if (name !== undefined) throw new ToolFailure(`${quoted(path)} is not a directory.`);
  const names = await readdir(pathIn(directory));
  const entries = await Promise.all(names.map((entry) => entryOf(directory, entry)));
  return entries.filter((entry) => entry !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
};

const entryOf = async (
  directory: OpenDirectory,
  name: string,
): Promise<DirectoryEntry | undefined> => {
  try {
    const stats = await lstat(pathIn(directory, name));
    const type = stats.isFile()
      ? "file"
      : stats.isDirectory()
        ? "directory"
        : stats.isSymbolicLink()
          ? "link"
          : "other";
    return { name, type, size: stats.size };
  } catch {
    // It was deleted since, or its name is no text.
    return undefined;
  }
};

export const readPlace = async ({ directory, name, stats }: Place, path: string) => {
  if (name === undefined || stats?.isDirectory()) {
    throw new ToolFailure(`${quoted(path)} is a directory.`);
  }
  // Without O_NONBLOCK a named pipe would hold us until somebody writes to it.
  const handle = await open(pathIn(directory, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const opened = await handle.stat();
    if (!opened.isFile()) throw new ToolFailure(`${quoted(path)} is not a regular file.`);
    if (opened.size > MAX_FILE_BYTES) {
      throw new ToolFailure(`${quoted(path)} is larger than ${MAX_FILE_BYTES} bytes.`);
    }
    return await readBytes(handle, opened.size);
  } finally {
    await handle.close();
  }
};

/** Reads no more than was there when the size was taken, however fast the file grows. */
const readBytes = async (handle: FileHandle, size: number): Promise<Uint8Array> => {
  const buffer = Buffer.alloc(size);
  for (let at = 0; at < size;) {
    const { bytesRead } = await handle.read(buffer, at, size - at, at);
    if (bytesRead === 0) return buffer.subarray(0, at);
    at += bytesRead;
  }
  return buffer;
};

/** @returns the file that a place stands for, when it may be written. */
export const writablePlace = (
  { name, stats }: Place,
  path: string,
  overwrite: boolean,
): { name: string; size: number; mode: number; created: boolean } => {
  if (name === undefined || stats?.isDirectory()) {
    throw new ToolFailure(`${quoted(path)} is a directory.`);
  }
  if (stats && !stats.isFile()) throw new ToolFailure(`${quoted(path)} is not a regular file.`);
  if (stats && !overwrite) {
    throw new ToolFailure(`${quoted(path)} already exists. Set overwrite to true to replace it.`);
  }
  const mode = stats ? stats.mode & 0o777 : 0o600;
  return { name, size: stats?.size ?? 0, mode, created: stats === undefined };
};

/** Writes beside the file first, so that nobody sees half of it and a crash leaves the old one. */
export const writeWhole = async (
  directory: OpenDirectory,
  { name, mode }: { name: string; mode: number },
  { bytes, overwrite }: { bytes: Uint8Array; overwrite: boolean },
): Promise<void> => {
  const draft = pathIn(directory, `.${randomUUID()}.tmp`);
  const handle = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A rename replaces whatever is there; a link fails when something is.
    if (overwrite) await rename(draft, pathIn(directory, name));
    else await link(draft, pathIn(directory, name));
  } finally {
    await unlinkIfThere(draft);
  }
};

const unlinkIfThere = async (path: string): Promise<void> => {
  try {
    await unlink(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
};
