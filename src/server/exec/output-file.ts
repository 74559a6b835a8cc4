import { randomUUID } from "node:crypto";
import { readSync } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ByteSource } from "@/lib/byte-source";

/** A file that has no name and vanishes with the process. */
export type OutputFile = {
  /** Rejects when the disk is full; what was written before is kept. */
  append: (bytes: Buffer) => Promise<void>;
  /** What was appended so far, until the file is closed. */
  toSource: () => ByteSource;
  close: () => Promise<void>;
};

export const createOutputFile = async (): Promise<OutputFile> => {
  const path = join(tmpdir(), `parley-output-${randomUUID()}`);
  const handle = await open(path, "wx+", 0o600);
  await unlink(path);
  let size = 0;
  return {
    append: async (bytes) => {
      await handle.appendFile(bytes);
      size += bytes.length;
    },
    toSource: () => ({
      length: size,
      read: (target, start) => {
        for (let at = 0; at < target.length;) {
          const count = readSync(handle.fd, target, at, target.length - at, start + at);
          if (count === 0)
            throw new Error("the file of an output is shorter than what was written");
          at += count;
        }
      },
    }),
    close: () => handle.close(),
  };
};
