import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import pLimit, { type LimitFunction } from "p-limit";

export type Usage = { bytes: number; files: number };

/** What a directory holds, links not followed; stops counting above `maxFiles`. */
export const measure = async (directory: string, maxFiles: number): Promise<Usage> => {
  const usage = { bytes: 0, files: 0 };
  const left = [directory];
  for (let at = left.pop(); at !== undefined && usage.files <= maxFiles; at = left.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      usage.files++;
      if (entry.isDirectory()) left.push(join(at, entry.name));
      else usage.bytes += await sizeOf(join(at, entry.name));
    }
  }
  return usage;
};

const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await lstat(path)).size;
  } catch {
    // It was deleted since.
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
