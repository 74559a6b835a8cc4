import type { ChatStatus } from "@/contract/chat";
import type { Queryable, Statement } from "./database";

/** Enough of a chat to know whether it has changed. */
export type ChatVersion = {
  chatId: string;
  version: number;
  status: ChatStatus;
  ownerId: string;
};

const COLUMNS = `id AS "chatId", version, status, owner_id AS "ownerId"`;

const BY_ID: Statement = {
  name: "chat-versions",
  text: `SELECT ${COLUMNS} FROM chat WHERE id = ANY($1::uuid[])`,
};

/** The versions of chats; those that are gone are missing. */
export const readChatVersions = async (
  db: Queryable,
  chatIds: string[],
): Promise<Map<string, ChatVersion>> => {
  if (chatIds.length === 0) return new Map();
  const rows = await db.query<ChatVersion>(BY_ID, [chatIds]);
  return new Map(rows.map((row) => [row.chatId, row]));
};

const BY_OWNER: Statement = {
  name: "owner-chat-versions",
  isLong: true,
  text: `SELECT ${COLUMNS} FROM chat WHERE owner_id = $1`,
};

/** The versions of all chats of an owner. */
export const readOwnerChatVersions = (db: Queryable, ownerId: string): Promise<ChatVersion[]> =>
  db.query<ChatVersion>(BY_OWNER, [ownerId]);
