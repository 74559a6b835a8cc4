import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import type { Queryable } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { lockChat, lockWritableChat } from "@/server/db/sql/machine/row-locks";

/** Unknown chats and chats of others give the same error, so that ids cannot be probed. */
export const unknownChat = (chatId: string): DomainError =>
  new DomainError("not_found", `There is no chat "${chatId}".`);

/**
 * Locks a chat that the actor may change until the transaction ends; the first step of every verb.
 *
 * @throws {DomainError} `not_found`.
 */
export const lockActorsChat = async (
  tx: Queryable,
  { actor }: ServerContext,
  chatId: string,
): Promise<ChatRow> => {
  const chat = await lockWritableChat(tx, { chatId, viewer: actor });
  if (!chat) throw unknownChat(chatId);
  return chat;
};

/**
 * Locks a chat that a worker holds; the first step of a worker's transition.
 *
 * @param held without a history version, any is accepted.
 * @returns undefined when the lease is lost or the history has changed.
 */
export const lockLeasedChat = async (
  tx: Queryable,
  held: Pick<ChatRow, "id" | "leaseToken"> & Partial<Pick<ChatRow, "historyVersion">>,
): Promise<ChatRow | undefined> => {
  const chat = await lockChat(tx, held.id);
  if (chat?.leaseToken !== held.leaseToken) return undefined;
  const { historyVersion = chat?.historyVersion } = held;
  return chat?.historyVersion === historyVersion ? chat : undefined;
};
