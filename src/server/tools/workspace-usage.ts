import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import pLimit, { type LimitFunction } from "p-limit";

export type Usage = { bytes: number; files: number };

/** Measures a directory without following links; stops counting above `maxFiles`. */
export const measureUsage = async (directory: string, maxFiles: number): Promise<Usage> => {
  const usage = { bytes: 0, files: 0 };
  const pending = [directory];
  for (let at = pending.pop(); at !== undefined && usage.files <= maxFiles; at = pending.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      usage.files++;
      if (entry.isDirectory()) pending.push(join(at, entry.name));
      else usage.bytes += await readSize(join(at, entry.name));
    }
  }
  return usage;
};

const readSize = async (path: string): Promise<number> => {
  try {
    return (await lstat(path)).size;
  } catch {
    // It was deleted in the meantime.
    return 0;
  }
};

const locks = new Map<string, LimitFunction>();

/** Runs one body at a time for each key, in the order of the calls. */
export const withKeyedLock = async <Result>(
  key: string,
  body: () => Promise<Result>,
): Promise<Result> => {
  const lock = locks.get(key) ?? pLimit(1);
  locks.set(key, lock);
  try {
    return await lock(body);
  } finally {
    if (lock.activeCount + lock.pendingCount === 0) locks.delete(key);
  }
};
