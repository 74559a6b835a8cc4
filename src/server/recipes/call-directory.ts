import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { removeTree } from "@/server/tools/workspace/remove-tree";
import type { EnteredWorkspace } from "@/server/tools/workspace/workspace";
import type { TrackedDisk } from "@/server/tools/workspace/tracked-disk";
import type { WorkspaceShare } from "@/server/tools/workspace/workspace-quota";
import type { Workspaces } from "@/server/tools/workspace/workspaces";
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
  /**
   * Counts what is private to the call to the limit of all workspaces, before a command.
   *
   * @returns what begins to count what the command writes.
   * @throws {ToolFailure} when the limit is exceeded by so much that no command may start.
   */
  count: () => Promise<EnteredWorkspace["track"]>;
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
  openShare: Workspaces["openShare"];
};

/** Creates the directories of one call. */
export const createCallDirectory = async ({
  sandbox,
  chatWorkspace,
  openShare,
}: CreateOptions): Promise<CallDirectory> => {
  const root = await createOwnDirectory("call");
  const share = openShare(root);
  try {
    const callDirectory = await createPrivate(root, "temp", sandbox);
    const workspace = chatWorkspace?.directory ?? (await createPrivate(root, "workspace", sandbox));
    if (chatWorkspace) await sandbox?.prepareWorkspace(workspace);
    return {
      hostPlaces: toPlaces(workspace, callDirectory),
      innerPlaces: toInnerPlaces(sandbox, workspace, callDirectory),
      innerHome: sandbox?.homePath(workspace) ?? workspace,
      mounts: { workspace, callDirectory },
      proxySocket: path.join(root, "proxy"),
      measured: chatWorkspace ? workspace : root,
      maxBytes: chatWorkspace?.maxBytes ?? MAX_CALL_BYTES,
      ...(chatWorkspace ? countBoth(root, chatWorkspace, share) : countPrivate(root, share)),
      remove: async () => {
        await removeTree(root);
        share.free();
      },
    };
  } catch (error) {
    await removeTree(root);
    throw error;
  }
};

type Counting = Pick<CallDirectory, "measure" | "count">;

const countPrivate = (root: string, share: WorkspaceShare): Counting => ({
  measure: async () => (await measureUsage(root)).diskBytes,
  count: async () => {
    const bytes = await countShare(share);
    return () => share.track(bytes);
  },
});

/** Files of a chat and of a call have one limit for commands, but only the latter are gone after the call. */
const countBoth = (root: string, chat: EnteredWorkspace, share: WorkspaceShare): Counting => ({
  measure: async () => (await chat.measure()) + (await measureUsage(root)).diskBytes,
  count: async () => {
    const ownBytes = await countShare(share);
    return () => trackBoth(chat.track(), share, ownBytes);
  },
});

const trackBoth = (disk: TrackedDisk, share: WorkspaceShare, ownBytes: number): TrackedDisk => {
  const { sizeAtStart } = disk;
  // While the command runs, what it reports has both.
  share.free();
  return {
    ...disk,
    sizeAtStart:
      typeof sizeAtStart === "number"
        ? sizeAtStart + ownBytes
        : sizeAtStart?.then((bytes) => bytes + ownBytes),
    end: () => {
      disk.end();
      share.count().catch(() => undefined);
    },
  };
};

/** The limit of the call itself is left to the polls of its commands: people cannot remove its files. */
const countShare = async (share: WorkspaceShare): Promise<number> => {
  const bytes = await share.count();
  await share.checkStart(Number.POSITIVE_INFINITY);
  return bytes;
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
