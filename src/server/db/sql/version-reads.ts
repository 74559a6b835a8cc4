import type { ChatStatus } from "@/contract/chat";
import type { Queryable, Statement } from "@/server/db/database";
import { allReadableSql, audienceSql, toViewerValue, type Viewer } from "@/server/db/viewer";

/** Enough of a chat to know whether it has changed. */
export type ChatVersion = {
  chatId: string;
  version: number;
  status: ChatStatus;
  /** Who is notified of its changes: see `isInAudience`. */
  audience: string;
};

// Raw, as the audience of a notification is an expression of SQL, and every open stream polls by these; through
// Prisma they take four times as long.

const COLUMNS = `id AS "chatId", version, status, ${audienceSql("chat")} AS audience`;

const BY_ID: Statement = {
  name: "chat-versions",
  text: `SELECT ${COLUMNS} FROM chat WHERE id = ANY($1::uuid[])`,
};

/** The versions of chats that this process watches for its viewers; those that are gone are missing. */
export const readChatVersions = async (
  db: Queryable,
  chatIds: string[],
): Promise<Map<string, ChatVersion>> => {
  if (chatIds.length === 0) return new Map();
  const rows = await db.query<ChatVersion>(BY_ID, [chatIds]);
  return new Map(rows.map((row) => [row.chatId, row]));
};

const READABLE: Statement = {
  name: "readable-chat-versions",
  usePool: true,
  text: `SELECT ${COLUMNS} FROM chat WHERE ${allReadableSql("$1")}`,
};

/** The versions of all chats that the viewer may read. */
export const listChatVersions = (db: Queryable, viewer: Viewer): Promise<ChatVersion[]> =>
  db.query<ChatVersion>(READABLE, [toViewerValue(viewer)]);
