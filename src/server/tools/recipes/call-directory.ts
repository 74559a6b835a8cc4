import { lstat, mkdir, mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { hasErrorCode } from "@/lib/has-error-code";
import type { Sandbox } from "@/server/exec/sandbox";
import { removeTree } from "@/server/tools/workspace/remove-tree";
import type { EnteredWorkspace } from "@/server/tools/workspace/workspace";
import { measureUsage } from "@/server/tools/workspace/workspace-usage";

/** Where a call has its files. */
export type CallPlaces = { workspace: string; temp_dir: string; temp_file: string };

/** The directories of one call, which are removed at its end. */
export type CallDirectory = {
  /** As functions of the server find them. */
  hostPlaces: CallPlaces;
  /** As commands find them. */
  innerPlaces: CallPlaces;
  mounts: { workspace: string; callDirectory: string };
  /** What commands fill, and how much of it they may. */
  measured: string;
  measure: () => Promise<number>;
  maxBytes: number;
  /** Removes what is private to the call. */
  remove: () => Promise<void>;
};

const PREFIX = "parley-call-";
/** What one call may write without a workspace of a chat, in bytes. */
const MAX_CALL_BYTES = 256 * 1024 * 1024;
const TEMP_FILE = "file";

type CreateOptions = {
  /** Undefined where commands cannot run. */
  sandbox: Sandbox | undefined;
  /** The workspace of the chat, for a recipe that works on it. */
  chatWorkspace: EnteredWorkspace | undefined;
};

/**
 * Creates the directories of one call. Their name says which process made them, so that a later one can remove what
 * this one leaves behind when it is killed.
 */
export const createCallDirectory = async ({
  sandbox,
  chatWorkspace,
}: CreateOptions): Promise<CallDirectory> => {
  const root = await mkdtemp(
    path.join(tmpdir(), `${PREFIX}${await describeProcess(process.pid)}-`),
  );
  try {
    const callDirectory = await createPrivate(root, "temp", sandbox);
    const measureRoot = async (): Promise<number> => (await measureUsage(root)).bytes;
    const workspace = chatWorkspace?.directory ?? (await createPrivate(root, "workspace", sandbox));
    if (chatWorkspace) await sandbox?.prepareWorkspace(workspace);
    return {
      hostPlaces: toPlaces(workspace, callDirectory),
      innerPlaces: toInnerPlaces(sandbox, workspace, callDirectory),
      mounts: { workspace, callDirectory },
      measured: chatWorkspace ? workspace : root,
      measure: async () =>
        chatWorkspace ? (await chatWorkspace.measure()) + (await measureRoot()) : measureRoot(),
      maxBytes: chatWorkspace?.maxBytes ?? MAX_CALL_BYTES,
      remove: () => removeTree(root),
    };
  } catch (error) {
    await removeTree(root);
    throw error;
  }
};

const toInnerPlaces = (
  sandbox: Sandbox | undefined,
  workspace: string,
  callDirectory: string,
): CallPlaces =>
  sandbox
    ? toPlaces(sandbox.workspacePath(workspace), sandbox.callDirectoryPath(callDirectory))
    : toPlaces(workspace, callDirectory);

const toPlaces = (workspace: string, directory: string): CallPlaces => ({
  workspace,
  temp_dir: directory,
  temp_file: path.join(directory, TEMP_FILE),
});

const createPrivate = async (
  root: string,
  name: string,
  sandbox: Sandbox | undefined,
): Promise<string> => {
  const directory = path.join(root, name);
  await mkdir(directory, { mode: 0o700 });
  await sandbox?.prepareWorkspace(directory);
  return directory;
};

/** Removes the directories of calls whose process has ended. Does not touch those of other accounts. */
export const removeAbandonedCalls = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const maker = new RegExp(`^${PREFIX}(\\d+)-(\\d+)-`).exec(name);
    if (!maker) continue;
    const directory = path.join(tmpdir(), name);
    if (`${maker[1]}-${maker[2]}` === (await describeProcess(Number(maker[1])))) continue;
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
