import { statfsSync, statSync } from "node:fs";
import { MAX_OVERRUN_BYTES, type TrackedDisk } from "@/server/tools/workspace/tracked-disk";
import { ENTRY_BYTES } from "@/server/tools/workspace/workspace-usage";
import { type ProcessRow, sumNumbers } from "./process-table";
import { findUnlinkedFiles, withoutSandbox } from "./unlinked-files";

/** What is full: the workspace of the command, or all of them together. */
export type ExceededDisk = "workspace" | "workspaces";

export type DiskUsage = {
  /** Bytes over the limit that is nearest; below 0 is what may still be written. */
  over: number;
  exceeded?: ExceededDisk;
};

/** Bytes that are not looked at: what others of the machine may create in the first milliseconds, small temporary files. */
const IGNORED_BYTES = 1024 * ENTRY_BYTES;
/** How often a workspace is read in any case, while processes run. */
const MAX_AGE_MS = 5_000;
/** Times of what the reading takes, so that it takes 1 % of a processor at most. */
const MIN_AGE_OF_COST = 100;

type DiskMeterOptions = {
  workspace: string;
  measureWorkspace: () => Promise<number>;
  disk: TrackedDisk;
  /** Whether the processes are those of a sandbox. */
  isolated: boolean;
};

/**
 * Measures how far a workspace is over a limit, and whether all are. It is read anew only when what its disk lost or the
 * processes wrote since the last time could have filled it: reading all entries at each poll would take longer than the
 * time between two. The free space of the disk alone is no measure, as others may free as much of it, and no process says
 * how many entries it has made, so a workspace is also read from time to time.
 *
 * All commands see what the disk lost. So each of them may count what it lost since its own reading only: what was
 * written before, another one counts that has read earlier, or it was read.
 */
export const createDiskMeter = (options: DiskMeterOptions, limit: number) => {
  const { disk } = options;
  const reader = createDiskReader(options);
  let actualLimit: number | undefined;
  /** What the processes had written when there was room in all. */
  let writtenWithRoom = 0;
  /** What the workspace may have while all are full: those that do not grow may go on. */
  let allowed: number | undefined;

  const compare = (grown: number): { inWorkspace: number; inAll: number } => {
    const { workspaceBytes, roomInAll } = disk.sizes();
    const inWorkspace = Math.max(reader.own(), workspaceBytes) + grown - (actualLimit ?? limit);
    return { inWorkspace, inAll: grown - roomInAll };
  };
  /** @param grown what may have come since the workspace was read; a limit is exceeded by what was read only. */
  const decide = (grown: number): DiskUsage => {
    const { inWorkspace, inAll } = compare(grown);
    if (inWorkspace > 0) return { over: inWorkspace, exceeded: "workspace" };
    if (inAll <= 0) {
      writtenWithRoom = reader.written();
      allowed = undefined;
      return { over: Math.max(inWorkspace, inAll) };
    }
    allowed ??= reader.own() - (reader.written() - writtenWithRoom);
    const growth = reader.own() - allowed;
    // Nothing but their end frees files without a name.
    const isOver = growth > 0 || reader.unlinked() > IGNORED_BYTES;
    if (isOver && disk.isFull()) return { over: Math.max(1, inAll), exceeded: "workspaces" };
    return { over: inWorkspace };
  };
  return async (rows: ProcessRow[]): Promise<DiskUsage> => {
    reader.poll(rows);
    if (actualLimit === undefined) {
      const hadAtStart = await reader.begin();
      // In a workspace that was over its limit before, a command can still remove files.
      const isOver = Number.isFinite(hadAtStart) && hadAtStart > limit;
      actualLimit = isOver ? Math.min(hadAtStart, limit + MAX_OVERRUN_BYTES) : limit;
      allowed = hadAtStart;
      return decide(0);
    }
    const grown = reader.grown();
    const { inWorkspace, inAll } = compare(grown);
    const isNear = inWorkspace > 0 || (inAll > 0 && grown > 0);
    if (isNear || reader.isDue(rows)) await reader.readAgain(rows);
    return decide(reader.grown());
  };
};

/** What was known of the disk and of the processes when the workspace was read. */
type Reading = { free: number; written: number; cpuTicks: number; dueAt: number };

/** Reads a workspace, and what may have come since. */
const createDiskReader = ({ workspace, measureWorkspace, isolated, disk }: DiskMeterOptions) => {
  const atStart = readDisk(workspace);
  const { sizeAtStart } = disk;
  // Otherwise begun at once, as a command starts within 10 ms.
  const measured = Promise.resolve(sizeAtStart ?? measureWorkspace()).catch(toFull);
  let reading: Reading = { free: atStart.free, written: 0, cpuTicks: 0, dueAt: 0 };
  let now = atStart;
  let [hadAtStart, own, unlinkedBytes, written] = [0, 0, 0, 0];
  const lost = (): number => Math.max(0, atStart.free - now.free);
  const keep = (named: number, unlinked: number): void => {
    own = named + unlinked;
    unlinkedBytes = unlinked;
    if (Number.isFinite(own)) disk.report({ named, unlinked });
  };
  return {
    poll: (rows: readonly ProcessRow[]): void => {
      now = readDisk(workspace);
      // What a process wrote that has ended is missing where its parent is not ours to read.
      written = Math.max(written, sumWritten(rows));
    },
    /** @returns what the workspace had before the command. */
    begin: async (): Promise<number> => {
      const created = atStart.entries - now.entries;
      const named = await measured;
      // The measurement may have come after all that the command has written since, whatever others have freed.
      const done = written + (created > IGNORED_BYTES ? created : 0);
      hadAtStart = typeof sizeAtStart === "number" ? sizeAtStart : Math.max(0, named - done);
      reading.dueAt = performance.now() + MAX_AGE_MS;
      keep(named, 0);
      return hadAtStart;
    },
    readAgain: async (rows: readonly ProcessRow[]): Promise<void> => {
      const startedAt = performance.now();
      const named = await measureWorkspace().catch(toFull);
      const files = await findUnlinkedFiles(isolated ? withoutSandbox(rows) : rows, atStart.device);
      // What cannot be found is at most what the disk lost, the processes are known to have written, and no name has.
      const most = files.hasHidden ? lost() : Math.min(lost(), written);
      const hidden = files.hasOthers || files.hasHidden ? most - (named - hadAtStart) : 0;
      const age = Math.max(MAX_AGE_MS, MIN_AGE_OF_COST * (performance.now() - startedAt));
      const dueAt = performance.now() + age;
      reading = { free: now.free, written, cpuTicks: sumTicks(rows), dueAt };
      keep(named, Math.max(files.bytes, hidden));
    },
    isDue: (rows: readonly ProcessRow[]): boolean =>
      performance.now() > reading.dueAt && sumTicks(rows) !== reading.cpuTicks,
    /** Bytes of the workspace and of files without a name, at the last reading. */
    own: (): number => own,
    /** What only the command has of that. */
    unlinked: (): number => unlinkedBytes,
    /** What the processes have written to any disk, as far as they say so. */
    written: (): number => written,
    /** What may have come since, at most. */
    grown: (): number => Math.max(0, reading.free - now.free, written - reading.written),
  };
};

/** A workspace that cannot be measured may hold anything. */
const toFull = (): number => Number.POSITIVE_INFINITY;

const sumTicks = (rows: readonly ProcessRow[]): number =>
  rows.reduce((total, { cpuTicks }) => total + cpuTicks, 0);

/** What the processes have written to any disk, with those that they waited for. */
const sumWritten = (rows: readonly ProcessRow[]): number =>
  rows.reduce(
    (total, { entry }) => total + sumNumbers(`/proc/${entry}/io`, /^write_bytes: (\d+)/gm),
    0,
  );

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
