import type { Dirent } from "node:fs";
import { lstat } from "node:fs/promises";
import { hasErrorCode } from "@/lib/has-error-code";
import { joinBytes, readBatches } from "./directory-batches";
import { openDirectory, restoreRights } from "./open-directory";
import { joinPath } from "./rooted-directory";

/** What a file or a directory takes of a file system by itself, in bytes: its entry and its inode. */
export const ENTRY_BYTES = 1024;
/** The unit in which a file says how much of the disk it has. */
export const BLOCK_BYTES = 512;

/** What file systems allocate at a time, in bytes. */
const ALLOCATED_BYTES = 4096;

/** Estimates what a file of a size takes of a disk, without its entry. */
export const toDiskBytes = (size: number): number =>
  Math.ceil(size / ALLOCATED_BYTES) * ALLOCATED_BYTES;

export type Usage = {
  /** Sizes of files. */
  bytes: number;
  files: number;
  /** Bytes of disk that files take: a small one a block, and one with holes only what it has. */
  diskBytes: number;
};

type MeasureOptions = {
  /** Counting stops above this number. */
  maxFiles?: number;
  signal?: AbortSignal | undefined;
};

/** Measures a directory without following links; 0 for what does not exist. Rejects when the signal is aborted. */
export const measureUsage = async (
  directory: string,
  { maxFiles = Number.POSITIVE_INFINITY, signal }: MeasureOptions = {},
): Promise<Usage> => {
  const usage = { bytes: 0, files: 0, diskBytes: 0 };
  await addUsage(Buffer.from(directory), { usage, maxFiles, signal });
  return usage;
};

type Measurement = Required<MeasureOptions> & { usage: Usage };

/** Linux takes paths of at most 4,096 bytes, and the name of an entry follows. */
const MAX_PATH_BYTES = 3_500;

const addUsage = async (directory: Buffer, measurement: Measurement): Promise<void> => {
  const { usage, maxFiles, signal } = measurement;
  const pending = [directory];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.length > MAX_PATH_BYTES && process.platform === "linux") {
      await addDeepUsage(at, measurement);
      continue;
    }
    for await (const entry of readEntries(at)) {
      signal?.throwIfAborted();
      if (usage.files > maxFiles) return;
      usage.files += 1;
      usage.diskBytes += ENTRY_BYTES;
      const path = joinBytes(at, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else await addFile(path, usage);
    }
  }
};

/** Goes on from a handle: a command can make directories that are deeper than a path can be long. */
const addDeepUsage = async (directory: Buffer, measurement: Measurement): Promise<void> => {
  const handle = await openDirectory(directory).catch(ignoreChange);
  if (!handle) return;
  try {
    const path = joinPath({ handle, path: directory.toString() });
    await addUsage(Buffer.from(path), measurement);
  } finally {
    await handle.close();
  }
};

/** It was deleted or replaced in the meantime, or belongs to another user of the machine. */
const ignoreChange = (error: unknown): undefined => {
  if (!hasErrorCode(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) throw error;
};

const readEntries = async function* (directory: Buffer): AsyncGenerator<Dirent<Buffer>> {
  try {
    for await (const batch of readBatches(directory)) yield* batch;
  } catch (error) {
    if (await isHidden(directory, error)) yield* readEntries(directory);
    else ignoreChange(error);
  }
};

const addFile = async (path: Buffer, usage: Usage): Promise<void> => {
  try {
    const { size, blocks } = await lstat(path);
    usage.bytes += size;
    usage.diskBytes += blocks * BLOCK_BYTES;
  } catch (error) {
    // Otherwise it was deleted in the meantime.
    if (await isHidden(path, error)) await addFile(path, usage);
  }
};

/** Whether something could not be read for lack of rights that its owner has got back now. */
const isHidden = async (path: Buffer, error: unknown): Promise<boolean> => {
  if (!hasErrorCode(error, "EACCES")) return false;
  const parent = path.subarray(0, path.lastIndexOf("/"));
  return (await restoreRights(parent)) || (await restoreRights(path));
};
