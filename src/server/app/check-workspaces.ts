import type { Database } from "@/server/db/connection/database";
import { ensureWorkspacesId } from "@/server/db/settings/setting-writes";
import type { ToolLog } from "@/server/tools/tool-context";
import type { Workspaces } from "@/server/tools/workspace/workspaces";

type CheckDeps = { db: Database; workspaces: Workspaces; log: Pick<ToolLog, "error"> };

/**
 * Checks at the start that all processes of a database have the same directory for the files of chats: a turn may
 * begin in one and continue in another. The first process decides which it is. Rejects when the database is away.
 *
 * @returns why this process must not use the files of chats, as a sentence; undefined if it may.
 */
export const checkWorkspaces = async ({
  db,
  workspaces,
  log,
}: CheckDeps): Promise<string | undefined> => {
  try {
    const { id, file } = await workspaces.identify();
    const sharedId = await ensureWorkspacesId(db, id);
    if (sharedId === id) return undefined;
    log.error({ file, id, sharedId }, `${NOT_SHARED} ${REMEDY}`);
    return NOT_SHARED;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    log.error({ err: error }, UNUSABLE);
    return UNUSABLE;
  }
};

const NOT_SHARED =
  "The files of chats are in the directory of another server process: set PARLEY_DATA_DIR to one directory that all processes share.";
const UNUSABLE =
  "The directory for the files of chats cannot be used: check PARLEY_DATA_DIR and its permissions.";
const REMEDY =
  "If that directory is lost for good, write the sharedId to the file, and start this process again.";
