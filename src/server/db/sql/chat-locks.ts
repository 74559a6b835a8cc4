import { isUuid } from "@/lib/is-uuid";
import type { Queryable, Statement } from "@/server/db/database";
import type { ChatRow } from "@/server/db/rows";
import { toChatRow } from "./chat-columns";
import { CHAT_AS_JSON, type ChatAnswer } from "./chat-row";

/**
 * The chat that $1 names, if it belongs to whom $2 names. The comparison cannot use the index of owners,
 * through which a planner without statistics would look at all chats of the owner.
 */
export const OWNED_CHAT = "id = $1::uuid AND owner_id IS NOT DISTINCT FROM $2";

/** Prisma has no row locks. */
const LOCK: Statement = {
  name: "lock-chat",
  text: `SELECT ${CHAT_AS_JSON} FROM chat c WHERE id = $1::uuid AND ($2::text IS NULL OR owner_id = $2) FOR UPDATE`,
};

/**
 * Locks one chat until the transaction ends; the first statement of every transition.
 *
 * @param ownerId whose chat it must be; null for the worker.
 */
export const lockChat = async (
  tx: Queryable,
  { chatId, ownerId }: { chatId: string; ownerId: string | null },
): Promise<ChatRow | undefined> => {
  if (!isUuid(chatId)) return undefined;
  const [record] = await tx.query<ChatAnswer>(LOCK, [chatId, ownerId]);
  return record && toChatRow(record.chat);
};

/** SQL of the ids of a root chat, which `root` names, and its children. */
export const familyOf = (root: string): string => `id IN (SELECT ${root}::uuid
  UNION ALL SELECT id FROM chat WHERE parent_chat_id IS NOT NULL AND root_chat_id = ${root}::uuid)`;

const LOCK_FAMILY: Statement = {
  name: "lock-family",
  text: `SELECT ${CHAT_AS_JSON} FROM chat c WHERE ${familyOf("$1")} ORDER BY id FOR UPDATE`,
};

/** Locks a root chat and its children, always in the same order. */
export const lockFamily = async (tx: Queryable, rootChatId: string): Promise<ChatRow[]> =>
  (await tx.query<ChatAnswer>(LOCK_FAMILY, [rootChatId])).map(({ chat }) => toChatRow(chat));
