import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { hasErrorCode } from "@/lib/has-error-code";
import { isUuid } from "@/lib/is-uuid";
import { createKeyedLock } from "@/lib/keyed-lock";
import { removeTree } from "./remove-tree";
import { type Place, type Walk, withPlace } from "./rooted-directory";
import { ToolFailure } from "./tool-result";
import { toToolFailure } from "./workspace-failure";
import {
  type DirectoryEntry,
  MAX_FILE_BYTES,
  listEntries,
  readWholeFile,
  toWritableFile,
  writeAtomically,
} from "./workspace-files";
import { splitPath } from "./workspace-path";
import type { WorkspaceQuota } from "./workspace-quota";
import { measureUsage } from "./workspace-usage";

/** Total size of one workspace, in bytes. */
const MAX_WORKSPACE_BYTES = 256 * 1024 * 1024;
/** Files and directories of one workspace. */
const MAX_WORKSPACE_FILES = 10_000;

/**
 * The directory of a root chat and its children. Paths are relative to it and cannot lead out;
 * every function rejects with a `ToolFailure` whose message reveals nothing about the host.
 */
export type Workspace = {
  /** Sorted by name. */
  list: (path: string) => Promise<DirectoryEntry[]>;
  read: (path: string) => Promise<Uint8Array>;
  /** Creates missing directories; writes the file completely or not at all. */
  write: (
    path: string,
    bytes: Uint8Array,
    options: { overwrite: boolean },
  ) => Promise<{ created: boolean }>;
};

/** Dependencies of the tools that work on files. */
export type WorkspaceDeps = { openWorkspace: (chat: { rootChatId: string }) => Workspace };

const withRootLock = createKeyedLock();

type WorkspaceLimits = { maxBytes: number; maxFiles: number };

export type WorkspaceOptions = {
  /** Contains the workspaces of all chats. */
  directory: string;
  /** Whether a root chat exists. Rejects when the database is gone. */
  chatExists: (rootChatId: string) => Promise<boolean>;
  quota: Pick<WorkspaceQuota, "write">;
  limits?: WorkspaceLimits;
};

/** Creates access to a workspace; the first write creates the directory. */
export const openWorkspace = (
  {
    directory,
    chatExists,
    quota,
    limits = { maxBytes: MAX_WORKSPACE_BYTES, maxFiles: MAX_WORKSPACE_FILES },
  }: WorkspaceOptions,
  rootChatId: string,
): Workspace => {
  if (!isUuid(rootChatId)) throw new TypeError("a workspace is named by its root chat's id");
  const root = join(directory, rootChatId);
  const createRoot = async (): Promise<void> => {
    const created = await mkdir(root, { recursive: true, mode: 0o700 });
    // A deleted chat's directory is removed after the deletion has committed. So either the chat is
    // found to be missing here, or the removal comes later and includes this directory.
    if (created === undefined || (await chatExists(rootChatId))) return;
    await removeTree(root);
    throw new ToolFailure("This chat was deleted.");
  };
  return {
    list: async (path) => {
      try {
        return await withPath(path, { root, enterLast: true }, (place) => listEntries(place, path));
      } catch (error) {
        // The directory does not exist before the first write.
        if (splitPath(path).length === 0 && isMissingDirectory(error)) return [];
        throw error;
      }
    },
    read: (path) => withPath(path, { root }, (place) => readWholeFile(place, path)),
    write: (path, bytes, { overwrite }) =>
      withRootLock(root, () =>
        writeAt({ root, createRoot, quota, limits }, path, { bytes, overwrite }),
      ),
  };
};

const withPath = async <Result>(
  path: string,
  walk: Walk,
  use: (place: Place) => Promise<Result>,
): Promise<Result> => {
  const names = splitPath(path);
  try {
    return await withPlace(names, walk, use);
  } catch (error) {
    throw toToolFailure(error, path);
  }
};

const isMissingDirectory = (error: unknown): boolean =>
  error instanceof ToolFailure && hasErrorCode(error.cause, "ENOENT");

type WriteDeps = Pick<WorkspaceOptions, "quota"> & {
  root: string;
  createRoot: () => Promise<void>;
  limits: WorkspaceLimits;
};

const writeAt = async (
  { root, createRoot, quota, limits }: WriteDeps,
  path: string,
  { bytes, overwrite }: { bytes: Uint8Array; overwrite: boolean },
): Promise<{ created: boolean }> => {
  splitPath(path);
  if (bytes.length > MAX_FILE_BYTES) {
    throw new ToolFailure(`A file must not be larger than ${MAX_FILE_BYTES} bytes.`);
  }
  await createRoot();
  const usage = await measureUsage(root, { maxFiles: limits.maxFiles });
  let filesLeft = limits.maxFiles - usage.files;
  const takeFile = () => {
    if (filesLeft <= 0) {
      throw new ToolFailure(`The workspace is full: it holds ${limits.maxFiles} files.`);
    }
    filesLeft--;
  };
  const makeDirectory = async (directory: string): Promise<void> => {
    takeFile();
    await mkdir(directory, { mode: 0o700 });
  };
  return withPath(path, { root, makeDirectory }, async (place) => {
    const file = toWritableFile(place, path, overwrite);
    if (file.created) takeFile();
    const growth = bytes.length - file.size;
    if (growth > limits.maxBytes - usage.bytes) {
      throw new ToolFailure(`The workspace is full: it may hold ${limits.maxBytes} bytes.`);
    }
    await quota.write(growth, () => writeAtomically(place.directory, file, { bytes, overwrite }));
    return { created: file.created };
  });
};
