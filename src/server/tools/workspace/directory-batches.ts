import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";

/** Entries that are read at once; other work of the process runs between two batches. */
const ENTRIES_PER_BATCH = 1_000;

/**
 * Reads a directory in batches, because reading a huge one at once would block the process. Entries
 * may be removed meanwhile. Names are bytes: a program may give a file a name that is not text.
 */
export const readBatches = async function* (
  path: string | Buffer,
): AsyncGenerator<Dirent<Buffer>[]> {
  // The types do not know this encoding for `opendir`.
  const options = { bufferSize: ENTRIES_PER_BATCH, encoding: "buffer" as BufferEncoding };
  let batch: Dirent<Buffer>[] = [];
  for await (const entry of await opendir(path, options)) {
    batch.push(entry as unknown as Dirent<Buffer>);
    if (batch.length < ENTRIES_PER_BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
};

/** Joins the path of a directory and the name of an entry. */
export const joinBytes = (directory: string | Buffer, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(directory), Buffer.from("/"), name]);
