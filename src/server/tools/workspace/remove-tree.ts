import { constants } from "node:fs";
import { open, rmdir, unlink } from "node:fs/promises";
import { hasErrorCode } from "@/lib/has-error-code";
import { joinBytes, readBatches } from "./directory-batches";
import { joinPath } from "./rooted-directory";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** How often a directory is emptied again because a file was written to it meanwhile. */
const MAX_ATTEMPTS = 20;

/**
 * Removes a file, a link or a directory with everything in it; does nothing if it does not exist.
 * Directories are opened without following links and emptied by their handles, so that nothing
 * outside is removed, even if an entry is replaced by a link meanwhile.
 */
export const removeTree = async (path: string | Buffer): Promise<void> => {
  try {
    await unlink(path);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return;
    // Linux has EISDIR for a directory, POSIX has EPERM.
    if (!hasErrorCode(error, "EISDIR", "EPERM")) throw error;
    await removeDirectory(path);
  }
};

const removeDirectory = async (path: string | Buffer): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await emptyDirectory(path);
      return await rmdir(path);
    } catch (error) {
      // Another process removes the same directory.
      if (hasErrorCode(error, "ENOENT")) return;
      if (!hasErrorCode(error, "ENOTEMPTY") || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

const emptyDirectory = async (path: string | Buffer): Promise<void> => {
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    // Nothing can be removed from a read-only directory. One of another user cannot be changed, but
    // may be writable.
    await handle.chmod(0o700).catch(() => undefined);
    const directory = joinPath({ handle, path: path.toString() });
    for await (const batch of readBatches(directory)) {
      for (const { name } of batch) await removeTree(joinBytes(directory, name));
    }
  } finally {
    await handle.close();
  }
};
