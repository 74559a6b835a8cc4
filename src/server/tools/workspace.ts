import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isUuid } from "@/lib/is-uuid";
import { type Place, type Walk, withPlace } from "./rooted-directory";
import { ToolFailure } from "./tool-failure";
import { namedFailure } from "./workspace-failure";
import {
  type DirectoryEntry,
  MAX_FILE_BYTES,
  listPlace,
  readPlace,
  writablePlace,
  writeWhole,
} from "./workspace-files";
import { namesOf } from "./workspace-path";
import { measure, withKeyedLock } from "./workspace-usage";

/** All files of one workspace together, in bytes. */
const MAX_WORKSPACE_BYTES = 256 * 1024 * 1024;
/** Files and directories of one workspace. */
const MAX_WORKSPACE_FILES = 10_000;

/**
 * The directory of a root chat and its children. Paths are relative to it and cannot lead out;
 * every function fails with a `ToolFailure` whose text tells nothing of the host.
 */
export type Workspace = {
  /** Sorted by name. */
  list: (path: string) => Promise<DirectoryEntry[]>;
  read: (path: string) => Promise<Uint8Array>;
  /** Makes missing directories; the file is written whole or not at all. */
  write: (
    path: string,
    bytes: Uint8Array,
    options: { overwrite: boolean },
  ) => Promise<{ created: boolean }>;
};

/** What the tools need that work on files. */
export type WorkspaceDeps = { openWorkspace: (chat: { rootChatId: string }) => Workspace };

type WorkspaceLimits = { maxBytes: number; maxFiles: number };

/** Opens nothing yet: the directory is made by the first write. */
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
        return await at(path, { root, enterLast: true }, (place) => listPlace(place, path));
      } catch (error) {
        // Before the first write there is no directory, and nothing in it.
        if (namesOf(path).length === 0 && isMissing(error)) return [];
        throw error;
      }
    },
    read: (path) => at(path, { root }, (place) => readPlace(place, path)),
    write: (path, bytes, { overwrite }) =>
      withKeyedLock(root, () => writeAt({ root, limits }, path, { bytes, overwrite })),
  };
};

const at = async <Result>(
  path: string,
  walk: Walk,
  use: (place: Place) => Promise<Result>,
): Promise<Result> => {
  const names = namesOf(path);
  try {
    return await withPlace(names, walk, use);
  } catch (error) {
    throw namedFailure(error, path);
  }
};

const isMissing = (error: unknown): boolean =>
  error instanceof ToolFailure &&
  error.cause instanceof Error &&
  "code" in error.cause &&
  error.cause.code === "ENOENT";

const writeAt = async (
  { root, limits }: { root: string; limits: WorkspaceLimits },
  path: string,
  { bytes, overwrite }: { bytes: Uint8Array; overwrite: boolean },
): Promise<{ created: boolean }> => {
  namesOf(path);
  if (bytes.length > MAX_FILE_BYTES) {
    throw new ToolFailure(`A file must not be larger than ${MAX_FILE_BYTES} bytes.`);
  }
  await mkdir(root, { recursive: true, mode: 0o700 });
  const usage = await measure(root, limits.maxFiles);
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
  return at(path, { root, makeDirectory }, async (place) => {
    const file = writablePlace(place, path, overwrite);
    if (file.created) takeFile();
    if (bytes.length - file.size > limits.maxBytes - usage.bytes) {
      throw new ToolFailure(`The workspace is full: it may hold ${limits.maxBytes} bytes.`);
    }
    await writeWhole(place.directory, file, { bytes, overwrite });
    return { created: file.created };
  });
};
