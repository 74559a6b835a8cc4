import type { Queryable, Statement } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import { CHAT_AS_JSON, type ChatAnswer } from "@/server/db/sql/rows/chat-row";

/** Chats that one statement lists. */
const MAX_LISTED = 100;

const RESTS = "IN ('waiting', 'error')";
/** The expression of the index of temporary chats: the time since 1970 until which one is kept. */
const KEPT_UNTIL = "(updated_at - timestamptz 'epoch' + kept_hours * interval '1 hour')";
const RUNS = "IN ('queued', 'running')";

/** Raw, as each row has its own time, by the clock of the database. A chat waits for all that works in it. */
const LIST: Statement = {
  name: "list-expired-chats",
  text: `SELECT ${CHAT_AS_JSON} FROM chat c
    WHERE kept_hours IS NOT NULL AND parent_chat_id IS NULL
      AND ${KEPT_UNTIL} < now() - timestamptz 'epoch' AND ($1::uuid IS NULL OR id = $1::uuid)
      AND status ${RESTS}
      AND NOT EXISTS (SELECT FROM chat m WHERE m.parent_chat_id = c.id AND m.status NOT ${RESTS})
      AND NOT EXISTS (SELECT FROM task t WHERE t.chat_id = c.id AND t.state ${RUNS})
      AND NOT EXISTS (SELECT FROM chat m JOIN task t ON t.chat_id = m.id
        WHERE m.parent_chat_id = c.id AND t.state ${RUNS})
    ORDER BY ${KEPT_UNTIL} LIMIT ${MAX_LISTED}`,
};

/**
 * Lists temporary chats that have not changed for as long as they are kept, and in which nothing works or waits.
 *
 * @param chatId for this chat only.
 */
export const listExpiredChats = async (db: Queryable, chatId?: string): Promise<ChatRow[]> =>
  (await db.query<ChatAnswer>(LIST, [chatId ?? null])).map(({ chat }) => toChatRow(chat));
