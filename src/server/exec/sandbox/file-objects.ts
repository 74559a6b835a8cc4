import { open, readlink } from "node:fs/promises";
import { type ProcessRow, readNumber } from "./process-table";
import { listFiles, SENT_FILES } from "./unlinked-files";

const KILOBYTE = 1024;
/** For a lock of a file, and for a file that is waited for: each is a line of what the kernel tells of an open file. */
const LINE_BYTES = 256;
/** More than most commands have: it would take long to look at each. */
const MAX_FILES = 4_096;
const CHUNK_BYTES = 64 * KILOBYTE;
const LINE_BREAK = 10;

/** The least that the kernel held for all processes, while this one ran: what one command frees, another may take. */
let least = Number.POSITIVE_INFINITY;

/**
 * Measures what the kernel holds for the open files of a command, besides the files themselves: their locks, and what
 * they wait for. No limit of the kernel counts that, and no process tells how much there is.
 */
export const createFileObjectMeter = () => {
  let leastOfCommand = Number.POSITIVE_INFINITY;
  /** What the kernel holds for this command at most; for all, as it tells no other number quickly. */
  const estimate = (): { sinceStart: number; ever: number } => {
    const now = KILOBYTE * readNumber("/proc/meminfo", /^SUnreclaim:\s+(\d+) kB/m);
    leastOfCommand = Math.min(leastOfCommand, now);
    least = Math.min(least, now);
    return { sinceStart: now - leastOfCommand, ever: now - least };
  };
  return {
    estimate: (): number => estimate().ever,
    /**
     * @param rows the processes of the command, without those that hold it.
     * @param stop ends the reading when it is reached.
     * @returns what came since the command began, of all processes, where its files cannot all be looked at.
     */
    measure: async (rows: readonly ProcessRow[], stop: number): Promise<number> => {
      const counted = await countObjects(rows, stop);
      return counted ?? estimate().sinceStart;
    },
  };
};

/** @returns undefined when files are hidden, or too many. */
const countObjects = async (
  rows: readonly ProcessRow[],
  stop: number,
): Promise<number | undefined> => {
  let [bytes, files] = [0, 0];
  for (const { entry } of rows) {
    const names = await listFiles(entry);
    files += names?.length ?? 0;
    if (names === undefined || files > MAX_FILES) return undefined;
    for (const name of names) {
      if (await hasLongText(entry, name)) return undefined;
      const lines = await countLines(`/proc/${entry}/fdinfo/${name}`, (stop - bytes) / LINE_BYTES);
      if (lines === undefined) return undefined;
      bytes += lines * LINE_BYTES;
      if (bytes > stop) return bytes;
    }
  }
  return bytes;
};

/** Of such a file the kernel keeps all that it tells at once, such as of thousands of locks. */
const hasLongText = async (entry: number, name: string): Promise<boolean> =>
  (await readlink(`/proc/${entry}/fd/${name}`).catch(() => "")).includes("/fdinfo/");

/** @returns undefined for a socket with files that nobody has received: what belongs to these is shown nowhere. */
const countLines = async (file: string, stop: number): Promise<number | undefined> => {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return 0;
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let lines = 0; ;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
      const chunk = buffer.subarray(0, bytesRead);
      if (lines === 0 && SENT_FILES.test(chunk.toString("latin1"))) return undefined;
      for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, at + 1)) {
        lines += 1;
      }
      if (bytesRead === 0 || lines > stop) return lines;
    }
  } catch {
    return 0;
  } finally {
    await handle.close();
  }
};
