import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isUuid } from "@/lib/is-uuid";
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
import { measureUsage, withKeyedLock } from "./workspace-usage";

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

type WorkspaceLimits = { maxBytes: number; maxFiles: number };

/** Creates access to a workspace; the first write creates the directory. */
export const openWorkspace = (
  dataDir: string,
  rootChatId: string,
  limits: WorkspaceLimits = { maxBytes: MAX_WORKSPACE_BYTES, maxFiles: MAX_WORKSPACE_FILES },
): Workspace => {
  if (!isUuid(rootChatId)) throw new TypeError("a workspace is named by its root chat's id");
  const root = join(dataDir, "workspaces", rootChatId);
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
      withKeyedLock(root, () => writeAt({ root, limits }, path, { bytes, overwrite })),
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
  error instanceof ToolFailure &&
  error.cause instanceof Error &&
  "code" in error.cause &&
  error.cause.code === "ENOENT";

const writeAt = async (
  { root, limits }: { root: string; limits: WorkspaceLimits },
  path: string,
  { bytes, overwrite }: { bytes: Uint8Array; overwrite: boolean },
): Promise<{ created: boolean }> => {
  splitPath(path);
  if (bytes.length > MAX_FILE_BYTES) {
    throw new ToolFailure(`A file must not be larger than ${MAX_FILE_BYTES} bytes.`);
  }
  await mkdir(root, { recursive: true, mode: 0o700 });
  const usage = await measureUsage(root, limits.maxFiles);
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
    if (bytes.length - file.size > limits.maxBytes - usage.bytes) {
      throw new ToolFailure(`The workspace is full: it may hold ${limits.maxBytes} bytes.`);
    }
    await writeAtomically(place.directory, file, { bytes, overwrite });
    return { created: file.created };
  });
};
