import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { hasErrorCode } from "@/lib/has-error-code";
import { isUuid } from "@/lib/is-uuid";
import { createKeyedLock } from "@/lib/keyed-lock";
import { waitAtMost } from "@/lib/wait-at-most";
import { ToolFailure } from "@/server/tools/tool-result";
import { removeTree } from "./remove-tree";
import { joinPath } from "./rooted-directory";
import {
  type ChangeDeps,
  changeFileAt,
  type FileChange,
  moveEntry,
  removeEntry,
  type WorkspaceLimits,
  writeFileAt,
} from "./workspace-changes";
import { withPath } from "./workspace-failure";
import {
  type ByteRange,
  type DirectoryListing,
  type ListingPage,
  listEntries,
  readFileRange,
  readWholeFile,
} from "./workspace-files";
import { quotePath, splitPath } from "./workspace-path";
import type { TrackedDisk } from "./tracked-disk";
import type { WorkspaceQuota } from "./workspace-quota";
import { measureUsage } from "./workspace-usage";

/** Total size of one workspace, in bytes. */
const MAX_WORKSPACE_BYTES = 256 * 1024 * 1024;
/** Files and directories of one workspace. */
const MAX_WORKSPACE_FILES = 10_000;

/** The workspace as a program sees it. */
export type ProgramLocation = {
  /** Where the program starts; it stays the workspace's root, whatever is moved. */
  cwd: string;
  /** Relative to the root and without links; "" for the root. Another program may have replaced it meanwhile. */
  path: string;
  type: "file" | "directory";
  /** Bytes. */
  size: number;
};

/** A workspace as the host has it, for what runs commands in it. */
export type EnteredWorkspace = {
  /** Absolute; for no text that leaves the server. */
  directory: string;
  /** Where in it a command starts, relative to it; "" for the workspace itself. */
  cwd: string;
  /** What it may hold. */
  maxBytes: number;
  /** Measures what it holds, in bytes. */
  measure: () => Promise<number>;
  /** Begins to count what a command writes, also to the limit of all workspaces. */
  track: () => TrackedDisk;
};

/**
 * The directory of a root chat and its children. Paths are relative to it and cannot lead out;
 * every function rejects with a `ToolFailure` whose message reveals nothing about the host.
 */
export type Workspace = {
  /** Lists a page of the entries, sorted by name. */
  list: (path: string, page: ListingPage) => Promise<DirectoryListing>;
  read: (path: string) => Promise<Uint8Array>;
  /** Reads a part of a file of any size. */
  readRange: (path: string, range: ByteRange) => Promise<Uint8Array>;
  /** Creates missing directories; writes the file completely or not at all. */
  write: (
    path: string,
    bytes: Uint8Array,
    options: { overwrite: boolean },
  ) => Promise<{ created: boolean }>;
  /** Replaces a file by what is made of it, completely or not at all; no other change comes between. */
  change: (path: string, change: FileChange) => Promise<{ created: boolean }>;
  /** Moves a file or a directory, and creates the missing directories of its new path. */
  move: (from: string, to: string, options: { overwrite: boolean }) => Promise<void>;
  remove: (path: string, options: { recursive: boolean }) => Promise<{ wasDirectory: boolean }>;
  /** Runs a body that starts a program. @returns undefined when the workspace has no files yet. */
  locate: <Result>(
    path: string,
    use: (location: ProgramLocation) => Promise<Result>,
  ) => Promise<Result | undefined>;
  /** Creates the workspace if it is missing, for a command that starts in one of its directories. */
  enter: (path: string) => Promise<EnteredWorkspace>;
};

/** Dependencies of the tools that work on files. */
export type WorkspaceDeps = { openWorkspace: (chat: { rootChatId: string }) => Workspace };

const withRootLock = createKeyedLock();

export type WorkspaceOptions = {
  /** Contains the workspaces of all chats. */
  directory: string;
  /** Whether a root chat exists. Rejects when the database is gone. */
  chatExists: (rootChatId: string) => Promise<boolean>;
  quota: Pick<WorkspaceQuota, "open">;
  limits?: WorkspaceLimits;
};

/** Creates access to a workspace; the first write creates the directory. */
export const openWorkspace = (
  {
    directory,
    chatExists,
    quota: allQuota,
    limits = { maxBytes: MAX_WORKSPACE_BYTES, maxFiles: MAX_WORKSPACE_FILES },
  }: WorkspaceOptions,
  rootChatId: string,
): Workspace => {
  if (!isUuid(rootChatId)) throw new TypeError("a workspace is named by its root chat's id");
  const root = join(directory, rootChatId);
  const quota = allQuota.open(rootChatId);
  const deps: ChangeDeps = { root, quota, limits };
  const createRoot = async (): Promise<void> => {
    const created = await mkdir(root, { recursive: true, mode: 0o700 });
    // A deleted chat's directory is removed after the deletion has committed. So either the chat is
    // found to be missing here, or the removal comes later and includes this directory.
    if (created === undefined || (await chatExists(rootChatId))) return;
    await removeTree(root);
    throw new ToolFailure("This chat was deleted.");
  };
  const withRoot = <Result>(path: string, write: () => Promise<Result>): Promise<Result> =>
    withRootLock(root, async () => {
      splitPath(path, root);
      await createRoot();
      return write();
    });
  return {
    list: (path, page) =>
      orForNewWorkspace({ path, root }, { entries: [], total: 0 }, () =>
        withPath(path, { root, enterLast: true }, (place) => listEntries(place, path, page)),
      ),
    read: (path) => withPath(path, { root }, (place) => readWholeFile(place, path)),
    readRange: (path, range) =>
      withPath(path, { root }, (place) => readFileRange(place, path, range)),
    write: (path, bytes, { overwrite }) =>
      withRoot(path, () => writeFileAt(deps, path, { bytes, overwrite })),
    change: (path, change) =>
      change.create
        ? withRoot(path, () => changeFileAt(deps, path, change))
        : withRootLock(root, () => changeFileAt(deps, path, change)),
    move: (from, to, { overwrite }) =>
      withRootLock(root, () => moveEntry(deps, { from, to, overwrite })),
    remove: (path, options) => withRootLock(root, () => removeEntry(deps, path, options)),
    locate: (path, use) =>
      orForNewWorkspace({ path, root }, undefined, () => locateEntry(root, path, use)),
    enter: async (path) => {
      await createRoot();
      await withPath(path, { root, enterLast: true }, ({ name, stats }) => {
        if (name === undefined) return Promise.resolve();
        const problem = stats ? "is not a directory" : "does not exist";
        throw new ToolFailure(`${quotePath(path)} ${problem}.`);
      });
      const counting = quota.count();
      // The command starts before a workspace of thousands of files is counted.
      const size = await waitAtMost(counting.catch(ignore), MAX_COUNT_MS);
      await quota.checkStart(limits.maxBytes);
      const track = () => quota.track(size ?? counting);
      return toEntered(path, { root, maxBytes: limits.maxBytes, track });
    },
  };
};

const MAX_COUNT_MS = 100;
const ignore = (): undefined => undefined;

type Entered = Pick<EnteredWorkspace, "maxBytes" | "track"> & { root: string };

const toEntered = (path: string, { root, ...rest }: Entered): EnteredWorkspace => ({
  ...rest,
  directory: root,
  cwd: splitPath(path, root).join("/"),
  measure: async () => (await measureUsage(root)).diskBytes,
});

/** The directory of a workspace does not exist before the first write. */
const orForNewWorkspace = async <Result, Empty>(
  { path, root }: { path: string; root: string },
  empty: Empty,
  use: () => Promise<Result>,
): Promise<Result | Empty> => {
  try {
    return await use();
  } catch (error) {
    const isMissing = error instanceof ToolFailure && hasErrorCode(error.cause, "ENOENT");
    if (isMissing && splitPath(path, root).length === 0) return empty;
    throw error;
  }
};

const locateEntry = <Result>(
  root: string,
  path: string,
  use: (location: ProgramLocation) => Promise<Result>,
): Promise<Result> =>
  withPath(path, { root, enterLast: true }, ({ directory, name, stats }) =>
    withPath(".", { root, enterLast: true }, ({ directory: top }) => {
      if (name !== undefined && !stats?.isFile()) {
        throw new ToolFailure(
          `${quotePath(path)} ${stats ? "is neither a file nor a directory" : "does not exist"}.`,
        );
      }
      return use({
        cwd: joinPath(top),
        path: relative(top.path, join(directory.path, name ?? "")),
        type: name === undefined ? "directory" : "file",
        size: stats?.size ?? 0,
      });
    }),
  );
