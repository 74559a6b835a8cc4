import type { Chat } from "@/contract/chat";
import { unknownChat } from "@/server/chat/lock-owned-chat";
import type { ServerContext } from "@/server/context";
import { readChatChanges } from "@/server/db/chat-reads";
import type { ChatRow } from "@/server/db/rows";
import { isUuid } from "@/lib/is-uuid";
import { limitTokensOf } from "./context-limits";
import { toWireChat } from "./wire";

/** Above every version, so that a read brings the chat without its messages. */
const NO_MESSAGES = 2 ** 31 - 1;

/**
 * What is to be told of one of the actor's chats beside its messages.
 *
 * @throws {DomainError} `not_found`.
 */
const readOwnedChat = async ({ db, actor }: ServerContext, chatId: string) => {
  const input = { chatId, ownerId: actor.userId, after: NO_MESSAGES };
  const found = isUuid(chatId) ? await readChatChanges(db, input) : undefined;
  if (!found) throw unknownChat(chatId);
  return found;
};

/** @throws {DomainError} `not_found`. */
export const findChat = async (ctx: ServerContext, chatId: string): Promise<Chat> => {
  const { chat, openCalls } = await readOwnedChat(ctx, chatId);
  return toWireChat(chat, { openCalls, limitTokens: await limitTokensOf(ctx.db, chat) });
};

/** A chat as a verb left it; only a parked one needs another read, for its open calls. */
export const chatOutput = async (ctx: ServerContext, chat: ChatRow): Promise<Chat> =>
  chat.status === "requires_action"
    ? findChat(ctx, chat.id)
    : toWireChat(chat, { openCalls: [], limitTokens: await limitTokensOf(ctx.db, chat) });
