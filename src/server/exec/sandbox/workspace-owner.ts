import { constants } from "node:fs";
import { open } from "node:fs/promises";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** The account of commands when the server's is root: none that owns anything but workspaces. */
export const UNPRIVILEGED_ID = 65534;
const ROOT_ID = 0;
/** The rights of a directory that other accounts than its owner's have. */
const SHARED_RIGHTS = 0o077;

/**
 * Gives a directory to the account that root's commands run as. That is the sign of a workspace: a command takes over
 * the files of no other directory.
 *
 * @throws {Error} when other accounts may use the directory, or it belongs to one of them.
 */
export const giveToCommands = async (directory: string): Promise<void> => {
  const handle = await open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const { uid, mode } = await handle.stat();
    if (uid === UNPRIVILEGED_ID) return;
    if (uid !== ROOT_ID || (mode & SHARED_RIGHTS) !== 0) {
      // A model may read this: it names no path of the host.
      throw new Error("A directory that is not private cannot be a workspace.");
    }
    await handle.chown(UNPRIVILEGED_ID, UNPRIVILEGED_ID).catch((cause: unknown) => {
      throw new Error(`The account ${UNPRIVILEGED_ID} cannot get a workspace here.`, { cause });
    });
  } finally {
    await handle.close();
  }
};
