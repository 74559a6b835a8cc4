import { stat, statfs } from "node:fs/promises";
import { ENTRY_BYTES } from "@/server/tools/workspace/workspace-usage";
import { createFileObjectMeter } from "./file-objects";
import { estimateKernelMemory, measureKernelMemory, measureSockets } from "./kernel-memory";
import { readNumber, sumNumbers, type ProcessRow } from "./process-table";
import { withoutSandbox } from "./unlinked-files";

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
  const objects = createFileObjectMeter();
  return async (rows, limit) => {
    const outside = isolated ? (await measurePrivateFiles(rows)) + (await measureSockets(rows)) : 0;
    const resident = sum(
      rows,
      (row) => row.residentPages * page + readStatus(row, BESIDES_RESIDENT),
    );
    const kernel = estimateKernelMemory(rows, page) + objects.estimate();
    const atMost = outside + resident + kernel;
    if (atMost <= limit) return atMost;
    // Exact, but it takes some 10 ms for each GB.
    const shares = sum(rows, (row) => readShare(row, page) + readStatus(row, BESIDES_SHARE));
    const mapped = outside + shares;
    const used = mapped + (await measureKernelMemory(rows, limit - mapped));
    if (used > limit) return used;
    const command = isolated ? withoutSandbox(rows) : rows;
    return used + (await objects.measure(command, limit - used));
  };
};

const sum = (rows: readonly ProcessRow[], measure: (row: ProcessRow) => number): number =>
  rows.reduce((total, row) => total + measure(row), 0);

/** Page tables can take far more than what a process has in memory by them. */
const BESIDES_SHARE = /^(?:VmPTE|HugetlbPages):\s+(\d+) kB/gm;
const BESIDES_RESIDENT = /^(?:VmPTE|HugetlbPages|VmSwap):\s+(\d+) kB/gm;

const readStatus = ({ entry }: ProcessRow, fields: RegExp): number =>
  KILOBYTE * sumNumbers(`/proc/${entry}/status`, fields);

/** What is shared with other processes in parts; all of it where that cannot be read. */
const readShare = ({ entry, residentPages }: ProcessRow, page: number): number =>
  KILOBYTE * sumNumbers(`/proc/${entry}/smaps_rollup`, /^(?:Pss|SwapPss):\s+(\d+) kB/gm) ||
  residentPages * page;

/** All processes in a sandbox have the same root; those that start it still have that of the host. */
const measurePrivateFiles = async (rows: ProcessRow[]): Promise<number> => {
  const host = await stat("/");
  for (const { entry } of rows.toReversed()) {
    const root = await stat(`/proc/${entry}/root/`).catch(() => host);
    if (root.dev === host.dev && root.ino === host.ino) continue;
    const used = PRIVATE_FILE_SYSTEMS.map((name) =>
      measureFileSystem(`/proc/${entry}/root/${name}`),
    );
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
