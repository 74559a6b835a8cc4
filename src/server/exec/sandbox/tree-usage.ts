import { statfsSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { readNumber, type ProcessRow } from "./process-table";

/** Memory of processes in bytes: what several of them share may be counted for each, or exactly. */
type MemoryMeter = (rows: ProcessRow[], limit: number) => Promise<number>;

const KILOBYTE = 1024;
/** What a private file system of a sandbox holds is memory. */
const PRIVATE_FILE_SYSTEMS = ["tmp", "dev/shm"];

/** Read once, as the file takes some ms. */
let pageBytes: number | undefined;

export const createMemoryMeter = (isolated: boolean): MemoryMeter => {
  const page = (pageBytes ??=
    KILOBYTE * (readNumber("/proc/self/smaps", /^KernelPageSize: +(\d+) kB/m) || 4));
  return async (rows, limit) => {
    const files = isolated ? await measurePrivateFiles(rows) : 0;
    const resident = rows.reduce((sum, row) => sum + row.residentPages * page, 0);
    if (resident + files <= limit) return resident + files;
    // Exact, but it takes some 10 ms for each GB.
    return files + rows.reduce((sum, { pid }) => sum + readShare(pid), 0);
  };
};

const readShare = (pid: number): number => {
  const file = `/proc/${pid}/smaps_rollup`;
  return (
    KILOBYTE * (readNumber(file, /^Pss: +(\d+) kB/m) + readNumber(file, /^SwapPss: +(\d+) kB/m))
  );
};

/** All processes in a sandbox have the same root; those that start it still have that of the host. */
const measurePrivateFiles = async (rows: ProcessRow[]): Promise<number> => {
  const host = await stat("/");
  for (const { pid } of rows.toReversed()) {
    const root = await stat(`/proc/${pid}/root/`).catch(() => host);
    if (root.dev === host.dev && root.ino === host.ino) continue;
    const used = PRIVATE_FILE_SYSTEMS.map((name) => measureFileSystem(`/proc/${pid}/root/${name}`));
    return (await Promise.all(used)).reduce((sum, bytes) => sum + bytes, 0);
  }
  return 0;
};

const measureFileSystem = async (place: string): Promise<number> => {
  try {
    const { blocks, bfree, bsize } = await statfs(place);
    return (blocks - bfree) * bsize;
  } catch {
    return 0;
  }
};

type DiskMeterOptions = { workspace: string; measureWorkspace: () => Promise<number> };

/**
 * Measures how far a workspace is over a limit; below 0 is what may still be written. It is read anew
 * only when what its disk lost or the processes wrote since the last time could have filled it: reading
 * all entries at each poll would take longer than the time between two. The free space of the disk alone
 * is no measure, as others may free as much of it.
 */
export const createDiskMeter = (
  { workspace, measureWorkspace }: DiskMeterOptions,
  limit: number,
) => {
  const freeAtStart = readFreeBytes(workspace);
  // Begun at once, as a command starts within 10 ms.
  const sizeAtStart = measureWorkspace().catch(toFull);
  let measured: { bytes: number; free: number; written: number } | undefined;
  let actualLimit = limit;
  return async (rows: ProcessRow[]): Promise<number> => {
    const free = readFreeBytes(workspace);
    const written = sumWritten(rows);
    const atMost =
      measured && measured.bytes + Math.max(0, measured.free - free, written - measured.written);
    if (atMost !== undefined && atMost <= actualLimit) return atMost - actualLimit;
    // In a workspace that was over its limit before, a command can still remove files.
    if (measured === undefined) {
      const bytes = await sizeAtStart;
      const lost = Math.max(0, freeAtStart - free);
      const hadAtStart = bytes - Math.min(lost, written);
      actualLimit = hadAtStart < Number.POSITIVE_INFINITY ? Math.max(limit, hadAtStart) : limit;
      measured = { bytes, free: freeAtStart, written: 0 };
      return bytes - actualLimit;
    }
    const bytes = await measureWorkspace().catch(toFull);
    measured = { bytes, free, written };
    return bytes - actualLimit;
  };
};

/** A workspace that cannot be measured may hold anything. */
const toFull = (): number => Number.POSITIVE_INFINITY;

/** What the processes have written to any disk, with those that they waited for. */
const sumWritten = (rows: ProcessRow[]): number =>
  rows.reduce((sum, { pid }) => sum + readNumber(`/proc/${pid}/io`, /^write_bytes: (\d+)/m), 0);

/** Takes microseconds, and the first value is needed before the command runs on. */
const readFreeBytes = (directory: string): number => {
  try {
    const { bfree, bsize } = statfsSync(directory);
    return bfree * bsize;
  } catch {
    return 0;
  }
};
