import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { lockWritableChat } from "@/server/db/sql/chat-locks";
import type { Queryable } from "@/server/db/database";
import type { ChatRow } from "@/server/db/rows";

/** The same words for an unknown chat and for somebody else's. */
export const unknownChat = (chatId: string): DomainError =>
  new DomainError("not_found", `There is no chat "${chatId}".`);

/**
 * The first step of every verb: the actor's chat, locked until the transaction ends.
 *
 * @throws {DomainError} `not_found`.
 */
export const lockOwnedChat = async (
  tx: Queryable,
  ctx: ServerContext,
  chatId: string,
): Promise<ChatRow> => {
  const chat = await lockWritableChat(tx, { chatId, viewer: ctx.actor });
  if (!chat) throw unknownChat(chatId);
  return chat;
};
