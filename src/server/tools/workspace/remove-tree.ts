import { randomUUID } from "node:crypto";
import { rename, rmdir, unlink } from "node:fs/promises";
import { hasErrorCode } from "@/lib/has-error-code";
import { joinBytes, readBatches } from "./directory-batches";
import { openDirectory, restoreRights } from "./open-directory";
import { joinPath } from "./rooted-directory";

/** How often a directory is emptied again because a file was written to it meanwhile. */
const MAX_ATTEMPTS = 20;
/** Directories inside each other that are open at the same time. */
const MAX_DEPTH = 64;

/** Called before each entry is removed, for as long as the removal shall wait. A rejection ends the removal. */
export type Pace = () => Promise<void>;

/** The directories above an entry that are being removed, and how fast. */
type Removal = {
  depth: number;
  pace: Pace | undefined;
  /** Moves a directory to the first of them. A command can make a depth for which no memory suffices. */
  moveUp?: (path: string | Buffer) => Promise<void>;
};

/**
 * Removes a file, a link or a directory with everything in it; does nothing if it does not exist.
 * Directories are opened without following links and emptied by their handles, so that nothing
 * outside is removed, even if an entry is replaced by a link meanwhile. Rejects when something cannot be removed; all else is
 * removed then.
 */
export const removeTree = (path: string | Buffer, pace?: Pace): Promise<void> =>
  removeEntry(path, { depth: 0, pace });

const removeEntry = async (path: string | Buffer, removal: Removal): Promise<void> => {
  try {
    await unlink(path);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return;
    // Linux has EISDIR for a directory, POSIX has EPERM.
    if (!hasErrorCode(error, "EISDIR", "EPERM")) throw error;
    const { depth, moveUp } = removal;
    await (depth === MAX_DEPTH && moveUp ? moveUp(path) : removeDirectory(path, removal));
  }
};

const removeDirectory = async (path: string | Buffer, removal: Removal): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      while (await emptyDirectory(path, removal)) attempt = 1;
      return await rmdir(path);
    } catch (error) {
      // Another process removes the same directory.
      if (hasErrorCode(error, "ENOENT")) return;
      if (!hasErrorCode(error, "ENOTEMPTY") || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

/** @returns whether deeper directories were moved to it. */
const emptyDirectory = async (path: string | Buffer, removal: Removal): Promise<boolean> => {
  const handle = await openDirectory(path);
  try {
    const directory = joinPath({ handle, path: path.toString() });
    let hasMoved = false;
    const moveUp = async (deep: string | Buffer): Promise<void> => {
      // Without the right to write it, its owner cannot move it.
      await restoreRights(deep);
      await rename(deep, `${directory}/${randomUUID()}`);
      hasMoved = true;
    };
    await removeEntries(directory, { moveUp, ...removal, depth: removal.depth + 1 });
    return hasMoved;
  } finally {
    await handle.close();
  }
};

/** Removes what can be removed. @throws the first failure. */
const removeEntries = async (directory: string, removal: Removal): Promise<void> => {
  const failures: unknown[] = [];
  for await (const batch of readBatches(directory)) {
    for (const { name } of batch) {
      await removal.pace?.();
      await removeEntry(joinBytes(directory, name), removal).catch((error: unknown) => {
        failures.push(error);
      });
    }
  }
  if (failures.length > 0) throw failures[0];
};
