import { trackAlone, type TrackedDisk } from "@/server/tools/workspace/tracked-disk";
import type { TreeLimits } from "./limits";
import { createProcessTree } from "./process-tree";
import type { Launch } from "./sandbox";
import { createDiskMeter, type ExceededDisk } from "./disk-usage";
import { createMemoryMeter } from "./tree-usage";

export type ExceededLimit = "memory" | "processes" | ExceededDisk;

export type WatchOptions = {
  /** The process that was started by the launch. */
  pid: number;
  launch: Launch;
  workspace: string;
  limits: TreeLimits;
  /** Measures the workspace, in bytes. May reject. */
  measureWorkspace: () => Promise<number>;
  /** Where what it writes counts as well; nowhere when left out. */
  disk?: TrackedDisk | undefined;
  /** Called at most once, when the tree over its limit has ended. Must not throw. */
  onExceeded: (limit: ExceededLimit) => void;
};

export type WatchedTree = {
  /**
   * Ends all processes, also those that the first one left behind, and the watching. To be called
   * in any case: at a timeout, and after the end of the command itself. Never rejects.
   *
   * @returns whether none is left.
   */
  end: () => Promise<boolean>;
};

const POLL_MS = 250;
/** Near a limit, polls are as close as the fastest growth needs; each one takes a few ms. */
const MIN_POLL_MS = 20;
const MEGABYTE = 1024 * 1024;
/** How far a tree may get over a limit before it is ended: half of what is promised, as ending takes time. */
const OVERSHOOT_BYTES = 50 * MEGABYTE;
/** The fastest growth that was measured on one core, in bytes per ms. */
const GROWTH_PER_MS = 4 * MEGABYTE;

/** Polls what the processes of a launch use together, and ends them when it is over a limit. */
export const watchTree = (options: WatchOptions): WatchedTree => {
  const tree = createProcessTree(options.pid, options.launch);
  const { isolated, memoryGroup } = options.launch;
  const { disk = trackAlone() } = options;
  const measureMemory = createMemoryMeter(isolated);
  const measureDisk = createDiskMeter(
    { ...options, disk, isolated },
    options.limits.workspaceBytes,
  );
  let ending: Promise<boolean> | undefined;
  let exceeded: ExceededLimit | undefined;
  let timer: NodeJS.Timeout | undefined;

  const end = (): Promise<boolean> => {
    clearTimeout(timer);
    return (ending ??= endAll());
  };

  const endAll = async (): Promise<boolean> => {
    const hasEnded = await tree.end().finally(disk.end);
    // The kernel may have ended it before a poll.
    if (memoryGroup?.hasKilled()) exceeded ??= "memory";
    await memoryGroup?.remove();
    if (exceeded) options.onExceeded(exceeded);
    return hasEnded;
  };

  const poll = async (): Promise<void> => {
    const { limits } = options;
    const rows = tree.list();
    // Bytes over the limits; below 0 is what is left.
    const memory = (await measureMemory(rows, limits.memoryBytes)) - limits.memoryBytes;
    const written = await measureDisk(rows);
    if (ending) return;
    exceeded = memory > 0 || memoryGroup?.hasKilled() ? "memory" : written.exceeded;
    if (rows.length > limits.processes) exceeded = "processes";
    if (exceeded) {
      await end();
      return;
    }
    const room = -Math.max(memory, written.over);
    schedule(Math.min(POLL_MS, Math.max(MIN_POLL_MS, (room + OVERSHOOT_BYTES) / GROWTH_PER_MS)));
  };

  const schedule = (afterMs: number): void => {
    timer = setTimeout(() => void poll().catch(() => schedule(POLL_MS)), afterMs);
    timer.unref();
  };
  schedule(0);
  return { end };
};
