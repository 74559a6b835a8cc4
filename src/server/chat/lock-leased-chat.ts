import { lockChat } from "@/server/db/sql/chat-locks";
import type { Queryable } from "@/server/db/database";
import type { ChatRow } from "@/server/db/rows";

/**
 * The first step of a worker's transition: the chat, locked, if the lease still holds.
 *
 * @returns undefined when somebody else has the chat or its history has changed.
 */
export const lockLeasedChat = async (
  tx: Queryable,
  held: ChatRow,
): Promise<ChatRow | undefined> => {
  const chat = await lockChat(tx, held.id);
  const holds = chat?.leaseToken === held.leaseToken && chat.historyVersion === held.historyVersion;
  return holds ? chat : undefined;
};
