import { constants } from "node:fs";
import { chmod, type FileHandle, open } from "node:fs/promises";
import { hasErrorCode } from "@/lib/has-error-code";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
/** Linux opens with it what an account may not read; Node.js has no constant for it. */
const O_PATH = 0x200000;
/** What the owner of a directory needs to list, enter and change it. */
const OWNER_RIGHTS = 0o700;
const PERMISSIONS = 0o7777;

/** Opens a directory without following a link, and with the rights of its owner. */
export const openDirectory = async (path: string | Buffer): Promise<FileHandle> => {
  const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
  const handle = await open(path, flags).catch(async (error: unknown) => {
    if (hasErrorCode(error, "EACCES") && (await restoreRights(path))) return open(path, flags);
    throw error;
  });
  // A directory of another account cannot be changed, but may have the rights for all.
  await addRights(handle, (mode) => handle.chmod(mode)).catch(() => undefined);
  return handle;
};

/**
 * Gives the owner of a directory the rights that were taken away, as a command can do to hide what it writes. Does
 * not reject.
 *
 * @returns false if the owner had them, or is another account.
 */
export const restoreRights = async (path: string | Buffer): Promise<boolean> => {
  if (process.platform !== "linux") return false;
  try {
    // A change by the path would follow a link that replaces the directory meanwhile.
    const handle = await open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
    try {
      return await addRights(handle, (mode) => chmod(`/proc/self/fd/${handle.fd}`, mode));
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
};

const addRights = async (
  handle: FileHandle,
  setMode: (mode: number) => Promise<void>,
): Promise<boolean> => {
  const { mode } = await handle.stat();
  if ((mode & OWNER_RIGHTS) === OWNER_RIGHTS) return false;
  await setMode((mode & PERMISSIONS) | OWNER_RIGHTS);
  return true;
};
