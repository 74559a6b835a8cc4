import type { Database } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { toViewer } from "@/server/db/chats/viewer";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";
import { deleteFamily } from "@/server/db/sql/machine/chat-lifecycle";
import { lockFamily } from "@/server/db/sql/machine/row-locks";
import { listExpiredChats } from "@/server/db/sql/reads/expired-chats";

/**
 * Deletes the temporary chats whose time has come, with all that belongs to them. Several processes may do it at once.
 *
 * @returns how many there were.
 */
export const deleteExpiredChats = async (db: Database): Promise<number> => {
  let count = 0;
  for (;;) {
    const expired = await listExpiredChats(db);
    const deleted = await deleteAll(db, expired);
    count += deleted;
    // Those that are left have changed meanwhile.
    if (deleted === 0) return count;
  }
};

const deleteAll = async (db: Database, chats: readonly ChatRow[]): Promise<number> => {
  let count = 0;
  for (const chat of chats) if (await deleteIfExpired(db, chat)) count += 1;
  return count;
};

/** Decides under the lock: a person may have gone on, or have kept the chat. */
const deleteIfExpired = (db: Database, chat: ChatRow): Promise<boolean> =>
  db.transaction(async (tx) => {
    await lockArtifacts(tx, toViewer(chat));
    await lockFamily(tx, chat.id);
    const [expired] = await listExpiredChats(tx, chat.id);
    if (!expired) return false;
    await deleteFamily(tx, expired.id);
    return true;
  });
