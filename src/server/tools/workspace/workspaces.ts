import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasErrorCode } from "@/lib/has-error-code";
import { isUuid } from "@/lib/is-uuid";
import { type Pace, removeTree } from "./remove-tree";
import { withPlace } from "./rooted-directory";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "./workspace";
import { writeAtomically } from "./workspace-files";
import { createWorkspaceQuota, type WorkspaceQuota } from "./workspace-quota";

/** Contains the id of the database whose chats have their workspaces here. */
const DATABASE_FILE = ".database";
/** The names of workspaces whose files are being removed. */
const REMOVED_PREFIX = ".removed-";
/** Contains an id of the directory itself, which moves with it. */
const DIRECTORY_FILE = ".directory";

/** The workspaces of all chats, in one directory. */
export type Workspaces = Pick<WorkspaceQuota, "measure"> & {
  directory: string;
  open: (chat: { rootChatId: string }) => Workspace;
  /** Counts a directory elsewhere, given by its path, to the limit of all workspaces. */
  openShare: WorkspaceQuota["open"];
  /** Lists the root chats that have a workspace. */
  list: () => Promise<string[]>;
  /** When a workspace was changed last, in milliseconds of the Unix epoch; undefined if it does not exist. */
  changedAt: (rootChatId: string) => Promise<number | undefined>;
  /** Renames a workspace away, which is gone then; does nothing if it does not exist. */
  discard: (rootChatId: string) => Promise<void>;
  /**
   * Removes the files of workspaces that were renamed away, also before a crash. Rejects when some cannot be removed, or
   * when the pace does.
   */
  removeDiscarded: (pace: Pace) => Promise<void>;
  /** Reads the directory's own id; the first call writes it. Rejects when the directory cannot be used. */
  identify: () => Promise<{ id: string; file: string }>;
  /**
   * Marks the directory as that of a database, unless another one has marked it.
   *
   * @param canMark decides whether a directory that is not marked may be.
   * @returns whether it is marked as that of this database.
   */
  claim: (databaseId: string, canMark: () => Promise<boolean>) => Promise<boolean>;
};

type WorkspacesOptions = Pick<WorkspaceOptions, "chatExists"> & {
  dataDir: string;
  maxMegabytes: number;
};

export const createWorkspaces = ({
  dataDir,
  maxMegabytes,
  chatExists,
}: WorkspacesOptions): Workspaces => {
  const directory = join(dataDir, "workspaces");
  const quota = createWorkspaceQuota(directory, maxMegabytes);
  return {
    directory,
    measure: quota.measure,
    open: ({ rootChatId }) => openWorkspace({ directory, chatExists, quota }, rootChatId),
    openShare: quota.open,
    list: () => listWorkspaces(directory),
    changedAt: (rootChatId) => readChangeTime(join(directory, rootChatId)),
    discard: (rootChatId) => discardWorkspace({ directory, quota }, rootChatId),
    removeDiscarded: (pace) => removeDiscarded({ directory, quota }, pace),
    identify: () => identifyDirectory(directory),
    claim: (databaseId, canMark) => claimDirectory(directory, databaseId, canMark),
  };
};

type RemoveDeps = { directory: string; quota: Pick<WorkspaceQuota, "rename" | "recount"> };

const discardWorkspace = async (
  { directory, quota }: RemoveDeps,
  rootChatId: string,
): Promise<void> => {
  try {
    const away = `${REMOVED_PREFIX}${randomUUID()}`;
    await rename(join(directory, rootChatId), join(directory, away));
    quota.rename(rootChatId, away);
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
  }
};

/** Removes one after the other. @throws the first failure, after all others. */
const removeDiscarded = async ({ directory, quota }: RemoveDeps, pace: Pace): Promise<void> => {
  const failures: unknown[] = [];
  for (const { name } of await readEntries(directory)) {
    if (!name.startsWith(REMOVED_PREFIX)) continue;
    await pace();
    const away = join(directory, name);
    await removeTree(away, pace)
      .finally(() => quota.recount(name))
      .catch((cause: unknown) => {
        failures.push(new Error(`${away} could not be removed`, { cause }));
      });
  }
  if (failures.length > 0) throw failures[0];
};

const readEntries = (directory: string): Promise<Dirent[]> =>
  readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (hasErrorCode(error, "ENOENT")) return [];
    throw error;
  });

const listWorkspaces = async (directory: string): Promise<string[]> => {
  const entries = await readEntries(directory);
  return entries
    .filter((entry) => entry.isDirectory() && isChatId(entry.name))
    .map(({ name }) => name);
};

/** The database writes ids in lower case. */
const isChatId = (name: string): boolean => isUuid(name) && name === name.toLowerCase();

const readChangeTime = async (path: string): Promise<number | undefined> => {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return undefined;
    throw error;
  }
};

const claimDirectory = async (
  directory: string,
  databaseId: string,
  canMark: () => Promise<boolean>,
): Promise<boolean> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await withPlace([DATABASE_FILE], { root: directory }, async (place) => {
    if (place.stats || !(await canMark())) return;
    const file = { name: DATABASE_FILE, mode: 0o600 };
    const bytes = new TextEncoder().encode(databaseId);
    await writeAtomically(place.directory, file, { bytes, overwrite: false });
  }).catch((error: unknown) => {
    // Another process has marked it meanwhile.
    if (!hasErrorCode(error, "EEXIST")) throw error;
  });
  return (await readMark(directory)) === databaseId;
};

const identifyDirectory = async (directory: string): Promise<{ id: string; file: string }> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, DIRECTORY_FILE);
  // Another process on the same directory may write it at the same time, and only one succeeds.
  await writeFile(file, randomUUID(), { flag: "wx", mode: 0o600, flush: true }).catch(
    (error: unknown) => {
      if (!hasErrorCode(error, "EEXIST")) throw error;
    },
  );
  return { id: (await readFile(file, "utf8")).trim(), file };
};

const readMark = async (directory: string): Promise<string | undefined> => {
  try {
    return await readFile(join(directory, DATABASE_FILE), "utf8");
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return undefined;
    throw error;
  }
};
