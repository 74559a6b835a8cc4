import { type ByteSource, joinSources, toByteSource } from "@/lib/byte-source";
import type { Command } from "./command";
import { maskBytes } from "@/server/mask-secrets";
import { createOutputFile, type OutputFile } from "./output-file";
import { RING_BYTES } from "./output-ring";

/** Output that is kept in a file, in bytes; what is longer has a gap between this beginning and the newest. */
const MAX_FILE_BYTES = 12 * 1024 * 1024;
/** The ring is written to the file when it holds this much that is not there: before it is full. */
const FULL_BYTES = (RING_BYTES * 3) / 4;
/** Written together. */
const BATCH_BYTES = RING_BYTES / 2;

type WholeDeps = {
  command: Pick<Command, "output" | "subscribe" | "setPaused">;
  /** Called at most once, when there is no room for the file: of what follows, the newest is kept. */
  onError: (error: unknown) => void;
};

/**
 * Keeps a command's output without secrets: the beginning in a file, as soon as the command's ring is too small, and
 * the newest in the ring. The command is paused while the ring is written, so that no more than the ring is in memory.
 */
export const createWholeOutput = ({ command, onError }: WholeDeps) => {
  const { output } = command;
  let file: OutputFile | undefined;
  /** Bytes of the output, secrets included, that are in the file. */
  let written = 0;
  let hasFailed = false;
  let writing: Promise<void> | undefined;

  const writeRing = async (): Promise<void> => {
    file ??= await createOutputFile();
    const buffer = Buffer.allocUnsafeSlow(BATCH_BYTES);
    while (output.total() - written >= BATCH_BYTES && written < MAX_FILE_BYTES) {
      const batch = toLines(output.copyTo(buffer, written));
      await file.append(await maskBytes(batch));
      written += batch.length;
    }
  };
  const write = async (): Promise<void> => {
    command.setPaused(true);
    try {
      await writeRing();
    } catch (error) {
      hasFailed = true;
      onError(error);
    } finally {
      writing = undefined;
      command.setPaused(false);
    }
  };
  const unsubscribe = command.subscribe((bytes) => {
    if (!bytes || writing || hasFailed || written >= MAX_FILE_BYTES) return;
    if (output.total() - written >= FULL_BYTES) writing = write();
  });
  return {
    /** Reads the output of an ended command as far as it is kept. @returns bytes that are there until `close`. */
    read: async (): Promise<ByteSource> => {
      await writing;
      const rest = await maskBytes(readRest(output, written));
      return file ? joinSources(file.toSource(), toByteSource(rest)) : toByteSource(rest);
    },
    close: async (): Promise<void> => {
      unsubscribe();
      await writing;
      await file?.close();
    },
  };
};

/** @returns the whole lines at the beginning, as a secret does not go over the end of a line; all, if there are none. */
const toLines = (bytes: Buffer): Buffer =>
  bytes.subarray(0, bytes.lastIndexOf("\n") + 1 || bytes.length);

/** Reads what follows the bytes in the file: if not all of it is kept, a note of the gap and the newest. */
const readRest = (output: Command["output"], written: number): Buffer => {
  const newest = output.readFrom(written);
  const gap = output.total() - written - newest.length;
  return gap > 0 ? Buffer.concat([Buffer.from(`\n[… ${gap} bytes left out …]\n`), newest]) : newest;
};
