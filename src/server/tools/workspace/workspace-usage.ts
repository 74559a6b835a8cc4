import { lstat } from "node:fs/promises";
import { hasErrorCode } from "@/lib/has-error-code";
import { joinBytes, readBatches } from "./directory-batches";

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
  const pending: (string | Buffer)[] = [directory];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for await (const entry of readEntries(at)) {
      signal?.throwIfAborted();
      if (++usage.files > maxFiles) return usage;
      const path = joinBytes(at, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else usage.bytes += await readSize(path);
    }
  }
  return usage;
};

const readEntries = async function* (directory: string | Buffer) {
  try {
    for await (const batch of readBatches(directory)) yield* batch;
  } catch (error) {
    // It was deleted in the meantime, or belongs to another user of the machine.
    if (!hasErrorCode(error, "ENOENT", "EACCES")) throw error;
  }
};

const readSize = async (path: Buffer): Promise<number> => {
  try {
    return (await lstat(path)).size;
  } catch {
    // It was deleted in the meantime.
    return 0;
  }
};
