import type { Chat } from "@/contract/chat";
import { unknownChat } from "@/server/chat/lock-owned-chat";
import type { ServerContext } from "@/server/context";
import { readChatWithCalls } from "@/server/db/chat-reads";
import type { ChatRow } from "@/server/db/rows";
import { findContextLimit } from "./context-limits";
import { toWireChat } from "./wire-format";

/**
 * Finds one of the actor's chats.
 *
 * @throws {DomainError} `not_found`.
 */
export const findChat = async ({ db, actor }: ServerContext, chatId: string): Promise<Chat> => {
  const found = await readChatWithCalls(db, { chatId, viewer: actor });
  if (!found) throw unknownChat(chatId);
  const { chat, openCalls } = found;
  return toWireChat(chat, { openCalls, limitTokens: await findContextLimit(db, chat) });
};

/** Converts a changed chat; only a parked one needs another read, for its open calls. */
export const loadChatOutput = async (ctx: ServerContext, chat: ChatRow): Promise<Chat> =>
  chat.status === "requires_action"
    ? findChat(ctx, chat.id)
    : toWireChat(chat, { openCalls: [], limitTokens: await findContextLimit(ctx.db, chat) });
