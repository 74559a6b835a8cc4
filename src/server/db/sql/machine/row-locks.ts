import { isUuid } from "@/lib/is-uuid";
import type { Queryable, Statement } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { toViewerValue, type Viewer, writableSql } from "@/server/db/chats/viewer";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import { CHAT_AS_JSON, type ChatAnswer } from "@/server/db/sql/rows/chat-row";

// Raw, as Prisma has no row locks.

const LOCK: Statement = {
  name: "lock-chat",
  text: `SELECT ${CHAT_AS_JSON} FROM chat c WHERE id = $1::uuid FOR UPDATE`,
};

/** Locks one chat until the transaction ends; the first statement of a worker's transition. */
export const lockChat = async (tx: Queryable, chatId: string): Promise<ChatRow | undefined> => {
  const [record] = await tx.query<ChatAnswer>(LOCK, [chatId]);
  return record && toChatRow(record.chat);
};

const LOCK_WRITABLE: Statement = {
  name: "lock-writable-chat",
  text: `SELECT ${CHAT_AS_JSON} FROM chat c WHERE id = $1::uuid AND ${writableSql("$2", "c")} FOR UPDATE`,
};

/**
 * Locks one chat until the transaction ends; the first statement of a viewer's transition.
 *
 * @returns undefined for a chat that is unknown or that the viewer may not change.
 */
export const lockWritableChat = async (
  tx: Queryable,
  { chatId, viewer }: { chatId: string; viewer: Viewer },
): Promise<ChatRow | undefined> => {
  if (!isUuid(chatId)) return undefined;
  const [record] = await tx.query<ChatAnswer>(LOCK_WRITABLE, [chatId, toViewerValue(viewer)]);
  return record && toChatRow(record.chat);
};

/** SQL of the ids of a root chat, which `root` names, and its children. */
export const inFamily = (root: string): string => `id IN (SELECT ${root}::uuid
  UNION ALL SELECT id FROM chat WHERE parent_chat_id = ${root}::uuid)`;

const LOCK_CHATS: Statement = {
  name: "lock-chats",
  text: `SELECT ${CHAT_AS_JSON} FROM chat c WHERE id = ANY($1::uuid[]) ORDER BY parent_chat_id IS NOT NULL, id FOR UPDATE`,
};

/** Locks chats of one family in the order of `lockFamily`; omits deleted ones. */
export const lockChats = async (tx: Queryable, ids: readonly string[]): Promise<ChatRow[]> =>
  (await tx.query<ChatAnswer>(LOCK_CHATS, [[...ids]])).map(({ chat }) => toChatRow(chat));

const LOCK_FAMILY: Statement = {
  name: "lock-family",
  text: `SELECT ${CHAT_AS_JSON} FROM chat c WHERE ${inFamily("$1")} ORDER BY parent_chat_id IS NOT NULL, id FOR UPDATE`,
};

/** Locks a root chat and then its children, always in the same order. */
export const lockFamily = async (tx: Queryable, rootChatId: string): Promise<ChatRow[]> =>
  (await tx.query<ChatAnswer>(LOCK_FAMILY, [rootChatId])).map(({ chat }) => toChatRow(chat));
