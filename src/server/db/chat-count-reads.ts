import type { ChatStatus } from "@/contract/chat";
import type { Queryable, Statement } from "./database";

const COUNT: Statement = {
  name: "count-chats-by-status",
  text: `SELECT status, count(*)::int AS chats FROM chat WHERE archived_at IS NULL GROUP BY status`,
};

/** How many chats that are not archived stand where; a status that none has is missing. */
export const countChats = async (db: Queryable): Promise<Partial<Record<ChatStatus, number>>> => {
  const rows = await db.query<{ status: ChatStatus; chats: number }>(COUNT, []);
  return Object.fromEntries(rows.map(({ status, chats }) => [status, chats]));
};
