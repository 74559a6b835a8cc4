import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { removeTree } from "@/server/tools/workspace/remove-tree";
import type { EnteredWorkspace } from "@/server/tools/workspace/workspace";
import { measureUsage } from "@/server/tools/workspace/workspace-usage";
import { createOwnDirectory } from "./own-directory";

/** Where a call has its files. */
export type CallPlaces = { workspace: string; temp_dir: string; temp_file: string };

/** The directories of one call, which are removed at its end. */
export type CallDirectory = {
  /** As functions of the server find them. */
  hostPlaces: CallPlaces;
  /** As commands find them. */
  innerPlaces: CallPlaces;
  /** The home of commands. */
  innerHome: string;
  mounts: { workspace: string; callDirectory: string };
  /** Where a proxy of the call may listen. */
  proxySocket: string;
  /** What commands fill, and how much of it they may. */
  measured: string;
  measure: () => Promise<number>;
  /** Begins to count what a command writes to the limit of all workspaces; undefined for a call without one. */
  track: EnteredWorkspace["track"] | undefined;
  maxBytes: number;
  /** Removes what is private to the call. */
  remove: () => Promise<void>;
};

/** What one call may write without a workspace of a chat, in bytes. */
const MAX_CALL_BYTES = 256 * 1024 * 1024;
const TEMP_FILE = "file";

type CreateOptions = {
  /** Undefined where commands cannot run. */
  sandbox: Sandbox | undefined;
  /** The workspace of the chat, for a recipe that works on it. */
  chatWorkspace: EnteredWorkspace | undefined;
};

/** Creates the directories of one call. */
export const createCallDirectory = async ({
  sandbox,
  chatWorkspace,
}: CreateOptions): Promise<CallDirectory> => {
  const root = await createOwnDirectory("call");
  try {
    const callDirectory = await createPrivate(root, "temp", sandbox);
    const measureRoot = async (): Promise<number> => (await measureUsage(root)).diskBytes;
    const workspace = chatWorkspace?.directory ?? (await createPrivate(root, "workspace", sandbox));
    if (chatWorkspace) await sandbox?.prepareWorkspace(workspace);
    return {
      hostPlaces: toPlaces(workspace, callDirectory),
      innerPlaces: toInnerPlaces(sandbox, workspace, callDirectory),
      innerHome: sandbox?.homePath(workspace) ?? workspace,
      mounts: { workspace, callDirectory },
      proxySocket: path.join(root, "proxy"),
      measured: chatWorkspace ? workspace : root,
      measure: async () =>
        chatWorkspace ? (await chatWorkspace.measure()) + (await measureRoot()) : measureRoot(),
      track: chatWorkspace?.track,
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
