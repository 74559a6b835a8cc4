import { ToolFailure } from "@/server/tools/tool-result";
import { measureUsage } from "./workspace-usage";

const MEGABYTE = 1024 * 1024;
/** Before a write is refused, a measurement older than this is repeated: chats may have been deleted. */
const MAX_AGE_MS = 5_000;

/** The limit of all workspaces of a data directory together. */
export type WorkspaceQuota = {
  /**
   * Runs a change by which a workspace grows, or shrinks where the number is negative.
   *
   * @throws {ToolFailure} when the workspaces have no room for it.
   */
  write: <Result>(growth: number, body: () => Promise<Result>) => Promise<Result>;
  /** Measures the workspaces; the writes of this process are counted in between. Rejects when the signal is aborted. */
  measure: (signal?: AbortSignal) => Promise<void>;
};

/** @param directory contains the workspaces. */
export const createWorkspaceQuota = (directory: string, maxMegabytes: number): WorkspaceQuota => {
  const maxBytes = maxMegabytes * MEGABYTE;
  /** Bytes at the last measurement and of the writes since. */
  let used = 0;
  /** Bytes of the writes that are running. */
  let reserved = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  /** Only a measurement shows how much room a smaller file gave: its size may never have been counted. */
  let hasShrunk = false;
  let measuring: Promise<void> | undefined;

  const measure = (signal?: AbortSignal): Promise<void> =>
    (measuring ??= (async () => {
      const before = used;
      const { bytes } = await measureUsage(directory, { signal });
      // What was written meanwhile may be counted twice until the next measurement, but not missed.
      used = bytes + Math.max(0, used - before);
      measuredAt = performance.now();
      hasShrunk = false;
    })().finally(() => (measuring = undefined)));

  const hasRoom = (growth: number): boolean => growth <= 0 || used + reserved + growth <= maxBytes;

  return {
    measure,
    write: async (growth, body) => {
      if (growth > 0 && measuredAt < 0) await measure();
      const isStale = hasShrunk || performance.now() - measuredAt > MAX_AGE_MS;
      if (!hasRoom(growth) && isStale) await measure();
      if (!hasRoom(growth)) {
        throw new ToolFailure(
          `The files of all chats together may hold ${maxMegabytes} MB, and there is no room for this one. Delete chats that are no longer needed, or let the operator raise PARLEY_WORKSPACES_MAX_MB.`,
        );
      }
      const added = Math.max(0, growth);
      reserved += added;
      try {
        const result = await body();
        used += added;
        hasShrunk ||= growth < 0;
        return result;
      } finally {
        reserved -= added;
      }
    },
  };
};
