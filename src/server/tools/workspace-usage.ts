import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

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

const running = new Map<string, Promise<unknown>>();

/** Runs one body after the other for each key, so that two cannot both take the last room. */
export const inTurn = async <Result>(key: string, body: () => Promise<Result>): Promise<Result> => {
  const before = running.get(key) ?? Promise.resolve();
  const mine = before.then(body, body);
  const settled = mine.then(
    () => undefined,
    () => undefined,
  );
  running.set(key, settled);
  try {
    return await mine;
  } finally {
    if (running.get(key) === settled) running.delete(key);
  }
};
