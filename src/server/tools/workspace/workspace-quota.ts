import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { hasErrorCode } from "@/lib/has-error-code";
import { ToolFailure } from "@/server/tools/tool-result";
import { MAX_OVERRUN_BYTES, type TrackedDisk } from "./tracked-disk";
import { measureUsage } from "./workspace-usage";

const MEGABYTE = 1024 * 1024;
/** Before a write is refused, a measurement older than this is repeated: chats may have been deleted. */
const MAX_AGE_MS = 5_000;

/** The limit of all workspaces of a data directory together, in bytes of disk. */
export type WorkspaceQuota = {
  /** @param name of the directory of a workspace, or the path of a directory elsewhere that counts as one. */
  open: (name: string) => WorkspaceShare;
  /** Measures the workspaces; what this process does is counted in between. Rejects when the signal is aborted. */
  measure: (signal?: AbortSignal) => Promise<void>;
  /** Lets what a directory takes count as that of its new name. */
  rename: (from: string, to: string) => void;
  /** Counts the files of a directory again, after some were removed. May reject. */
  recount: (name: string) => Promise<void>;
};

/** What one workspace takes of the limit. */
export type WorkspaceShare = {
  /**
   * Runs a change by which the workspace grows, or shrinks where the number is negative.
   *
   * @throws {ToolFailure} when the workspaces have no room for it.
   */
  write: <Result>(growth: number, body: () => Promise<Result>) => Promise<Result>;
  /** Counts what has a name in the workspace, in bytes. May reject. */
  count: () => Promise<number>;
  /**
   * Checks, before a command starts, that limits of disk are not exceeded by more than `MAX_OVERRUN_BYTES`.
   *
   * @param maxBytes what the workspace may hold.
   * @throws {ToolFailure} when one is.
   */
  checkStart: (maxBytes: number) => Promise<void>;
  /**
   * Begins to count what a command writes.
   *
   * @param counted the result of `count`, or its promise where the command does not wait for it.
   */
  track: (counted: number | Promise<number>) => TrackedDisk;
  /** Counts nothing any more, as the directory is gone. */
  free: () => void;
};

/** What is known of a workspace. */
type Use = {
  /** Bytes of what has a name. */
  named: number;
  /** Bytes of what only a running command has, by its count. */
  unlinked: Map<object, number>;
  /** The number of the change. */
  changedAt: number;
};

/** @param directory contains the workspaces. */
export const createWorkspaceQuota = (directory: string, maxMegabytes: number): WorkspaceQuota => {
  const maxBytes = maxMegabytes * MEGABYTE;
  const uses = createUses();
  /** Bytes of the writes that are running. */
  let reserved = 0;
  const { measure, measureOne, isMeasured, isStale, setMeasured } = createMeasurements(
    directory,
    uses,
  );
  const room = (): number => maxBytes - uses.total() - reserved;
  const hasRoom = (growth: number): boolean => growth <= 0 || growth <= room();

  const write = async <Result>(
    name: string,
    growth: number,
    body: () => Promise<Result>,
  ): Promise<Result> => {
    if (growth > 0 && !isMeasured()) await measure();
    if (!hasRoom(growth) && isStale()) await measure();
    if (!hasRoom(growth)) throw new ToolFailure(describeFull(maxMegabytes));
    const added = Math.max(0, growth);
    reserved += added;
    try {
      const result = await body();
      // What a smaller file gave is known by a measurement only: its size may never have been counted.
      if (growth < 0) await measureOne(name);
      else uses.change(name, (use) => (use.named += added));
      return result;
    } finally {
      reserved -= added;
    }
  };
  const hasOverrun = async (): Promise<boolean> => {
    const isOver = (): boolean => room() < -MAX_OVERRUN_BYTES;
    if (isOver() && isStale()) await measure();
    return isOver();
  };
  const isFull = (): boolean => {
    // Without a measurement, what is known is all that can be.
    if (isStale()) measure().catch(setMeasured);
    return !isStale() && room() < 0;
  };
  return {
    measure,
    rename: (from, to) => {
      const named = uses.named(from);
      uses.change(to, (use) => (use.named = named));
      uses.change(from, (use) => (use.named = 0));
    },
    recount: async (name) => void (await measureOne(name)),
    open: (name) => ({
      write: (growth, body) => write(name, growth, body),
      count: () => measureOne(name),
      checkStart: async (maxBytes) => {
        checkOverrun(uses.size(name), maxBytes);
        if (await hasOverrun()) throw new ToolFailure(describeFull(maxMegabytes));
      },
      track: (counted) => trackDisk(name, { uses, room, isFull, measureOne, counted }),
      free: () => uses.change(name, (use) => (use.named = 0)),
    }),
  };
};

/** Measures workspaces, all of them together only once at a time. */
const createMeasurements = (directory: string, uses: Uses) => {
  let measuredAt = Number.NEGATIVE_INFINITY;
  let measuring: Promise<void> | undefined;
  const setMeasured = (): void => {
    measuredAt = performance.now();
  };
  const measureOne = async (name: string, signal?: AbortSignal): Promise<number> => {
    const before = uses.changedAt(name);
    const { diskBytes } = await measureUsage(resolve(directory, name), { signal });
    // Otherwise something newer is known.
    if (uses.changedAt(name) === before) uses.change(name, (use) => (use.named = diskBytes));
    return diskBytes;
  };
  const measureAll = async (signal?: AbortSignal): Promise<void> => {
    const names = new Set([...uses.names(), ...(await listNames(directory))]);
    for (const name of names) await measureOne(name, signal);
    setMeasured();
  };
  return {
    measureOne,
    measure: (signal?: AbortSignal): Promise<void> =>
      (measuring ??= measureAll(signal).finally(() => (measuring = undefined))),
    setMeasured,
    isMeasured: (): boolean => measuredAt >= 0,
    isStale: (): boolean => performance.now() - measuredAt > MAX_AGE_MS,
  };
};

type TrackDeps = {
  uses: Uses;
  room: () => number;
  isFull: () => boolean;
  measureOne: (name: string) => Promise<number>;
  counted: number | Promise<number>;
};

const trackDisk = (name: string, deps: TrackDeps): TrackedDisk => {
  const { uses, room, isFull, measureOne, counted } = deps;
  const ofOthers = uses.size(name) - uses.named(name);
  const sizeAtStart =
    typeof counted === "number" ? uses.size(name) : counted.then((named) => named + ofOthers);
  const key = {};
  let hasEnded = false;
  uses.change(name, (use) => use.unlinked.set(key, 0));
  return {
    sizeAtStart,
    report: ({ named, unlinked }) => {
      // A reading may end after the command.
      if (hasEnded) return;
      uses.change(name, (use) => {
        use.named = named;
        use.unlinked.set(key, unlinked);
      });
    },
    sizes: () => ({ workspaceBytes: uses.size(name), roomInAll: room() }),
    isFull,
    end: () => {
      hasEnded = true;
      uses.change(name, (use) => use.unlinked.delete(key));
      measureOne(name).catch(() => undefined);
    },
  };
};

type Uses = ReturnType<typeof createUses>;

/** Keeps what each workspace takes, and the sum, so that nothing is read to know it. */
const createUses = () => {
  const uses = new Map<string, Use>();
  let total = 0;
  let changes = 0;
  const size = (name: string): number => toSize(uses.get(name));
  return {
    size,
    total: (): number => total,
    named: (name: string): number => uses.get(name)?.named ?? 0,
    names: (): string[] => [...uses.keys()],
    changedAt: (name: string): number => uses.get(name)?.changedAt ?? 0,
    change: (name: string, update: (use: Use) => unknown): void => {
      const use = uses.get(name) ?? { named: 0, unlinked: new Map<object, number>(), changedAt: 0 };
      const before = size(name);
      update(use);
      use.changedAt = changes += 1;
      if (use.named === 0 && use.unlinked.size === 0) uses.delete(name);
      else uses.set(name, use);
      total += size(name) - before;
    },
  };
};

const toSize = (use: Use | undefined): number =>
  use ? [...use.unlinked.values()].reduce((total, bytes) => total + bytes, use.named) : 0;

const listNames = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: unknown) => {
    if (hasErrorCode(error, "ENOENT")) return [];
    throw error;
  });

const checkOverrun = (bytes: number, maxBytes: number): void => {
  if (bytes <= maxBytes + MAX_OVERRUN_BYTES) return;
  const [size, most] = [bytes, maxBytes].map((each) => Math.ceil(each / MEGABYTE));
  throw new ToolFailure(
    `The files of this chat take ${size} MB of disk, and they may take ${most} MB. Delete some of them without a command, then run it again.`,
  );
};

const describeFull = (maxMegabytes: number): string =>
  `The files of all chats together may hold ${maxMegabytes} MB, and there is no room for more. Delete chats that are no longer needed, or let the operator raise PARLEY_WORKSPACES_MAX_MB.`;
