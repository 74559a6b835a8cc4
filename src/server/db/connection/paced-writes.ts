import { constants, createReadStream } from "node:fs";
import { copyFile, type FileHandle, open } from "node:fs/promises";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * After as many bytes a file is flushed. A commit of the server waits for all that the system has to write before it: of gigabytes
 * that are written at once, some 15 s.
 */
const FLUSH_BYTES = 8 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;

/** Creates a new file, which only this account may read, and writes it in pieces that others can wait for. */
export const createPacedFile = (
  file: string,
  { flushesAtEnd }: { flushesAtEnd: boolean },
): Writable => {
  let handle: FileHandle | undefined;
  let unflushed = 0;
  const write = async (chunk: Uint8Array): Promise<void> => {
    await handle?.writeFile(chunk);
    unflushed += chunk.length;
    if (unflushed < FLUSH_BYTES) return;
    await handle?.datasync();
    unflushed = 0;
  };
  const end = (step: Promise<unknown> | undefined, done: (error?: Error | null) => void): void => {
    Promise.resolve(step).then(() => {
      done();
    }, done);
  };
  return new Writable({
    construct: (done) => {
      const opening = open(file, "wx", 0o600).then((opened) => {
        handle = opened;
      });
      end(opening, done);
    },
    write: (chunk: Uint8Array, _encoding, done) => {
      end(write(chunk), done);
    },
    final: (done) => {
      end(flushesAtEnd ? handle?.sync() : undefined, done);
    },
    destroy: (error, done) => {
      end(handle?.close(), (failure) => {
        done(error ?? failure);
      });
    },
  });
};

/** Copies a file that may be large; where the file system can, the copy shares its blocks. */
export const copyPaced = async (from: string, to: string): Promise<void> => {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    const source = createReadStream(from, { highWaterMark: READ_BYTES });
    await pipeline(source, createPacedFile(to, { flushesAtEnd: false }));
  }
};
