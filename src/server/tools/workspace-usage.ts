import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { hasErrorCode } from "@/lib/has-error-code";

export type Usage = { bytes: number; files: number };

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
  const usage = { bytes: 0, files: 0 };
  const pending = [directory];
  for (let at = pending.pop(); at !== undefined && usage.files <= maxFiles; at = pending.pop()) {
    signal?.throwIfAborted();
    for (const entry of await readEntries(at)) {
      usage.files++;
      if (entry.isDirectory()) pending.push(join(at, entry.name));
      else usage.bytes += await readSize(join(at, entry.name));
    }
  }
  return usage;
};

const readEntries = async (directory: string): Promise<Dirent[]> => {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    // It was deleted in the meantime, or belongs to another user of the machine.
    if (hasErrorCode(error, "ENOENT", "EACCES")) return [];
    throw error;
  }
};

const readSize = async (path: string): Promise<number> => {
  try {
    return (await lstat(path)).size;
  } catch {
    // It was deleted in the meantime.
    return 0;
  }
};
