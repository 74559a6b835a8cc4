import { lstat, mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { hasErrorCode } from "@/lib/has-error-code";
import { removeTree } from "@/server/tools/workspace/remove-tree";

/** What directories are for: the files of a call, or the bundles of recipes until they are loaded. */
type Purpose = "call" | "recipes";

const NAME = /^parley-(?:call|recipes)-(\d+-\d+)-/;

/**
 * Creates a directory whose name says which process made it, so that a later one can remove what this one leaves
 * behind when it is killed.
 */
export const createOwnDirectory = async (purpose: Purpose): Promise<string> =>
  mkdtemp(path.join(tmpdir(), `parley-${purpose}-${await describeProcess(process.pid)}-`));

/** Removes the directories whose process has ended. Does not touch those of other accounts. */
export const removeAbandonedDirectories = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const maker = NAME.exec(name)?.[1];
    if (maker === undefined || maker === (await describeProcess(Number.parseInt(maker, 10)))) {
      continue;
    }
    const directory = path.join(tmpdir(), name);
    const stats = await lstat(directory).catch(() => undefined);
    if (stats?.isDirectory() && stats.uid === process.getuid?.()) await removeTree(directory);
  }
};

/** @returns the id of a process and the time of its start, as ids are used again; "" for one that has ended. */
const describeProcess = async (pid: number): Promise<string> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name of the program comes before, in brackets, and may contain spaces.
    const startedAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "0";
    return `${pid}-${startedAt}`;
  } catch (error) {
    if (hasErrorCode(error, "ENOENT", "ESRCH")) return process.pid === pid ? `${pid}-0` : "";
    throw error;
  }
};
