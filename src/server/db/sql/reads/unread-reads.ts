import type { Queryable, Statement } from "@/server/db/connection/database";
import type { Viewer } from "@/server/db/chats/viewer";

/**
 * Raw, as the condition compares columns of two tables. By the index of revisions, so that a chat costs the same
 * whatever its length: the first message that a mark does not cover is mostly an answer.
 */
const UNREAD: Statement = {
  name: "find-unread-chats",
  usePool: true,
  text: `SELECT chat.id FROM unnest($1::uuid[]) AS chat (id)
    LEFT JOIN read_mark ON read_mark.chat_id = chat.id AND read_mark.user_id = $2
    WHERE EXISTS (
      SELECT 1 FROM message
      WHERE message.chat_id = chat.id AND message.revision > coalesce(read_mark.version, 0)
        AND message.role = 'assistant' AND message.visibility <> 'model' AND NOT message.deleted)`,
};

/** Finds the chats with a new or changed answer that the viewer has not marked as read. */
export const findUnreadChats = async (
  db: Queryable,
  viewer: Viewer,
  chatIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (chatIds.length === 0) return new Set();
  const rows = await db.query<{ id: string }>(UNREAD, [chatIds, viewer.userId]);
  return new Set(rows.map(({ id }) => id));
};
