import { statfsSync, statSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { ENTRY_BYTES } from "@/server/tools/workspace/workspace-usage";
import { estimateKernelMemory, measureKernelMemory, measureSockets } from "./kernel-memory";
import { readNumber, sumNumbers, type ProcessRow } from "./process-table";
import { findUnlinkedFiles, withoutSandbox } from "./unlinked-files";

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
    const outside = isolated ? (await measurePrivateFiles(rows)) + (await measureSockets(rows)) : 0;
    const resident = sum(
      rows,
      (row) => row.residentPages * page + readStatus(row, BESIDES_RESIDENT),
    );
    const atMost = outside + resident + estimateKernelMemory(rows, page);
    if (atMost <= limit) return atMost;
    // Exact, but it takes some 10 ms for each GB.
    const shares = sum(rows, (row) => readShare(row, page) + readStatus(row, BESIDES_SHARE));
    const used = outside + shares;
    return used + (await measureKernelMemory(rows, limit - used));
  };
};

const sum = (rows: readonly ProcessRow[], measure: (row: ProcessRow) => number): number =>
  rows.reduce((total, row) => total + measure(row), 0);

/** Page tables can take far more than what a process has in memory by them. */
const BESIDES_SHARE = /^(?:VmPTE|HugetlbPages):\s+(\d+) kB/gm;
const BESIDES_RESIDENT = /^(?:VmPTE|HugetlbPages|VmSwap):\s+(\d+) kB/gm;

const readStatus = ({ pid }: ProcessRow, fields: RegExp): number =>
  KILOBYTE * sumNumbers(`/proc/${pid}/status`, fields);

/** What is shared with other processes in parts; all of it where that cannot be read. */
const readShare = ({ pid, residentPages }: ProcessRow, page: number): number =>
  KILOBYTE * sumNumbers(`/proc/${pid}/smaps_rollup`, /^(?:Pss|SwapPss):\s+(\d+) kB/gm) ||
  residentPages * page;

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
    const { blocks, bfree, bsize, files, ffree } = await statfs(place);
    return (blocks - bfree) * bsize + (files - ffree) * ENTRY_BYTES;
  } catch {
    return 0;
  }
};

/** What others of the machine may create in the first milliseconds of a command. */
const OF_OTHERS = 1024 * ENTRY_BYTES;

type DiskMeterOptions = {
  workspace: string;
  measureWorkspace: () => Promise<number>;
  /** Whether the processes are those of a sandbox. */
  isolated: boolean;
};

/**
 * Measures how far a workspace is over a limit; below 0 is what may still be written. It is read anew
 * only when what its disk lost or the processes wrote since the last time could have filled it: reading
 * all entries at each poll would take longer than the time between two. The free space of the disk alone
 * is no measure, as others may free as much of it.
 */
export const createDiskMeter = (
  { workspace, measureWorkspace, isolated }: DiskMeterOptions,
  limit: number,
) => {
  const atStart = { ...readDisk(workspace), written: 0 };
  // Begun at once, as a command starts within 10 ms.
  const sizeAtStart = measureWorkspace().catch(toFull);
  let measured: { bytes: number; free: number; written: number } | undefined;
  let actualLimit = limit;
  let hadAtStart = 0;
  let written = 0;
  return async (rows: ProcessRow[]): Promise<number> => {
    const { free, entries, device } = readDisk(workspace);
    // What a process wrote that has ended is missing where its parent is not ours to read.
    written = Math.max(written, sumWritten(rows));
    const atMost =
      measured && measured.bytes + Math.max(0, measured.free - free, written - measured.written);
    if (atMost !== undefined && atMost <= actualLimit) return atMost - actualLimit;
    const lost = Math.max(0, atStart.free - free);
    // In a workspace that was over its limit before, a command can still remove files.
    if (measured === undefined) {
      const bytes = await sizeAtStart;
      // The measurement may have come after what the command has done since.
      const created = atStart.entries - entries;
      hadAtStart = bytes - Math.min(lost, written) - (created > OF_OTHERS ? created : 0);
      actualLimit = hadAtStart < Number.POSITIVE_INFINITY ? Math.max(limit, hadAtStart) : limit;
      measured = { ...atStart, bytes };
      return bytes - actualLimit;
    }
    const named = await measureWorkspace().catch(toFull);
    const unlinked = await findUnlinkedFiles(isolated ? withoutSandbox(rows) : rows, device);
    // What cannot be found is at most what the disk lost, the processes are known to have written, and no name has.
    const most = unlinked.hasHidden ? lost : Math.min(lost, written);
    const hidden = unlinked.hasOthers || unlinked.hasHidden ? most - (named - hadAtStart) : 0;
    measured = { bytes: named + Math.max(unlinked.bytes, hidden), free, written };
    return measured.bytes - actualLimit;
  };
};

/** A workspace that cannot be measured may hold anything. */
const toFull = (): number => Number.POSITIVE_INFINITY;

/** What the processes have written to any disk, with those that they waited for. */
const sumWritten = (rows: ProcessRow[]): number =>
  sum(rows, ({ pid }) => sumNumbers(`/proc/${pid}/io`, /^write_bytes: (\d+)/gm));

/** Takes microseconds, and the first value is needed before the command runs on. */
const readDisk = (directory: string): { device: number; free: number; entries: number } => {
  try {
    const { bfree, bsize, ffree } = statfsSync(directory);
    const entries = ffree * ENTRY_BYTES;
    return { device: statSync(directory).dev, free: bfree * bsize + entries, entries };
  } catch {
    return { device: 0, free: 0, entries: 0 };
  }
};
