import type { Stats } from "node:fs";
import { readFile, readdir, stat } from "node:fs/promises";
import { hasErrorCode } from "@/lib/has-error-code";
import { BLOCK_BYTES } from "@/server/tools/workspace/workspace-usage";
import { type ProcessRow, readNumber } from "./process-table";

/** What processes hold of a file system without a name. */
export type UnlinkedFiles = {
  /** Of files that they have open. */
  bytes: number;
  /** Whether there can be others: files that are mapped, or were sent to a socket, and are open nowhere. */
  hasOthers: boolean;
  /** Whether a process does not let its files be looked at. */
  hasHidden: boolean;
};

/** A mapped file that was deleted, but not memory that is shown as one. */
const MAPPED = /^(?!.*(?:\/dev\/zero|\/memfd:|\/SYSV)).* \(deleted\)$/m;

/** Finds files of a device that were deleted while processes use them. Never rejects. */
export const findUnlinkedFiles = async (
  rows: readonly ProcessRow[],
  device: number,
): Promise<UnlinkedFiles> => {
  /** Bytes by the number of the file, as several processes can have it open. */
  const found = new Map<number, number>();
  let [hasOthers, hasHidden] = [false, false];
  for (const { entry } of rows) {
    hasOthers ||= MAPPED.test(await readText(`/proc/${entry}/maps`));
    const files = await listFiles(entry);
    hasHidden ||= files === undefined;
    for (const file of files ?? []) {
      const stats = await stat(`/proc/${entry}/fd/${file}`).catch(() => undefined);
      hasOthers ||= stats?.isSocket() === true && (await hasSentFiles(entry, file));
      if (stats && isUnlinked(stats, device)) found.set(stats.ino, stats.blocks * BLOCK_BYTES);
    }
  }
  const bytes = [...found.values()].reduce((total, size) => total + size, 0);
  return { bytes, hasOthers, hasHidden };
};

const isUnlinked = (stats: Stats, device: number): boolean =>
  stats.isFile() && stats.nlink === 0 && stats.dev === device;

/** What the kernel tells of a socket with files that nobody has received yet. */
export const SENT_FILES = /^scm_fds:\s*[1-9]/m;

const hasSentFiles = async (entry: number, file: string): Promise<boolean> =>
  SENT_FILES.test(await readText(`/proc/${entry}/fdinfo/${file}`));

const readText = (file: string): Promise<string> => readFile(file, "latin1").catch(() => "");

/**
 * Lists the files that a process has open, by the numbers that it has for them.
 *
 * @returns undefined when it cannot be traced, such as one whose program is closed to readers.
 */
export const listFiles = (entry: number): Promise<string[] | undefined> =>
  readdir(`/proc/${entry}/fd`).catch((error: unknown) =>
    hasErrorCode(error, "EACCES") && !isEnding(entry) ? undefined : [],
  );

/** A process that ends is closed to readers from when it has no memory until its files are closed, a moment later. */
const isEnding = (entry: number): boolean =>
  readNumber(`/proc/${entry}/status`, /^VmSize:\s+(\d+)/m) === 0;

/**
 * Finds the processes of a command. Those of the sandbox itself, of which no command can make more, are the supervisor,
 * its child and its grandchild, which is the first one of the namespace.
 */
export const withoutSandbox = (rows: readonly ProcessRow[]): ProcessRow[] => {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const parent = (row: ProcessRow | undefined) => row && byPid.get(row.parent);
  return rows.filter((row) => parent(parent(parent(row))) !== undefined);
};
