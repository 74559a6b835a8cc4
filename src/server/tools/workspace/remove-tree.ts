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

/**
 * Removes a file, a link or a directory with everything in it; does nothing if it does not exist.
 * Directories are opened without following links and emptied by their handles, so that nothing
 * outside is removed, even if an entry is replaced by a link meanwhile.
 */
export const removeTree = (path: string | Buffer): Promise<void> => removeEntry(path, undefined);

/** The directories above an entry that are being removed. */
type Above = {
  depth: number;
  /** Moves a directory to the first of them. A command can make a depth for which no memory suffices. */
  moveUp: (path: string | Buffer) => Promise<void>;
};

const removeEntry = async (path: string | Buffer, above: Above | undefined): Promise<void> => {
  try {
    await unlink(path);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return;
    // Linux has EISDIR for a directory, POSIX has EPERM.
    if (!hasErrorCode(error, "EISDIR", "EPERM")) throw error;
    await (above?.depth === MAX_DEPTH ? above.moveUp(path) : removeDirectory(path, above));
  }
};

const removeDirectory = async (path: string | Buffer, above: Above | undefined): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      while (await emptyDirectory(path, above)) attempt = 1;
      return await rmdir(path);
    } catch (error) {
      // Another process removes the same directory.
      if (hasErrorCode(error, "ENOENT")) return;
      if (!hasErrorCode(error, "ENOTEMPTY") || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

/** @returns whether deeper directories were moved to it. */
const emptyDirectory = async (
  path: string | Buffer,
  above: Above | undefined,
): Promise<boolean> => {
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
    const entered = above ? { ...above, depth: above.depth + 1 } : { depth: 1, moveUp };
    for await (const batch of readBatches(directory)) {
      for (const { name } of batch) await removeEntry(joinBytes(directory, name), entered);
    }
    return hasMoved;
  } finally {
    await handle.close();
  }
};
