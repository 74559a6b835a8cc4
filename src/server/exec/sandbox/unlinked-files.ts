import type { Stats } from "node:fs";
import { readFile, readdir, stat } from "node:fs/promises";
import { hasErrorCode } from "@/lib/has-error-code";
import { BLOCK_BYTES } from "@/server/tools/workspace/workspace-usage";
import type { ProcessRow } from "./process-table";

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
  for (const { pid } of rows) {
    hasOthers ||= MAPPED.test(await readText(`/proc/${pid}/maps`));
    const files = await listFiles(pid);
    hasHidden ||= files === undefined;
    for (const file of files ?? []) {
      const stats = await stat(`/proc/${pid}/fd/${file}`).catch(() => undefined);
      hasOthers ||= stats?.isSocket() === true && (await hasSentFiles(pid, file));
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

const hasSentFiles = async (pid: number, file: string): Promise<boolean> =>
  SENT_FILES.test(await readText(`/proc/${pid}/fdinfo/${file}`));

const readText = (file: string): Promise<string> => readFile(file, "latin1").catch(() => "");

/** @returns undefined when it cannot be traced, such as one whose program is closed to readers. */
export const listFiles = (pid: number): Promise<string[] | undefined> =>
  readdir(`/proc/${pid}/fd`).catch((error: unknown) =>
    hasErrorCode(error, "EACCES") ? undefined : [],
  );

/**
 * Finds the processes of a command. Those of the sandbox itself, of which no command can make more, are the supervisor,
 * its child and its grandchild, which is the first one of the namespace.
 */
export const withoutSandbox = (rows: readonly ProcessRow[]): ProcessRow[] => {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const parent = (row: ProcessRow | undefined) => row && byPid.get(row.parent);
  return rows.filter((row) => parent(parent(parent(row))) !== undefined);
};
