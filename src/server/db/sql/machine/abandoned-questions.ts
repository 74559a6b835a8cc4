import type { Queryable } from "@/server/db/connection/database";
import { WITHOUT_HOLDER } from "./claim";
import { lastAssistant } from "@/server/db/sql/rows/message-columns";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";

type Values = {
  /** The worker that asks, whose own chats are left out. */
  owner: string;
  /** Null for all. */
  chatId: string | null;
  limit: number;
};

const IS_ASKED = "part.kind = 'mcp' AND part.state = 'awaiting_result'";

/**
 * Raw, because a worker counts as gone by the clock of the database. It begins with the open questions, which have an index:
 * of all parked chats, few wait for an answer to a server.
 */
const ABANDONED = nameValues<Values>({
  name: "abandoned-questions",
  text: `SELECT id FROM chat
    WHERE id = ANY(ARRAY(SELECT message.chat_id FROM part JOIN message ON message.id = part.message_id WHERE ${IS_ASKED}))
      AND status = 'requires_action' AND archived_at IS NULL
      AND ($chatId::uuid IS NULL OR id = $chatId::uuid)
      AND (session_owner IS NULL OR (session_owner <> $owner AND ${WITHOUT_HOLDER}))
      AND EXISTS (SELECT FROM part WHERE part.message_id = ${lastAssistant("chat.id")} AND ${IS_ASKED})
    ORDER BY action_deadline_at LIMIT $limit`,
});

/** Lists parked chats with a question whose call no running worker has any more. */
export const listAbandonedQuestions = async (
  db: Queryable,
  { chatId, ...search }: Omit<Values, "chatId"> & { chatId?: string },
): Promise<string[]> => {
  const values = { ...search, chatId: chatId ?? null };
  const rows = await runNamed<{ id: string }, Values>(db, ABANDONED, values);
  return rows.map(({ id }) => id);
};
