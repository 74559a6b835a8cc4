import type { Chat } from "@/contract/chat";
import { unknownChat } from "@/server/machine/lock-chat";
import type { ServerContext } from "@/server/context";
import { readChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import { findDefaultModel } from "@/server/db/settings/model-reads";
import type { ChatRow } from "@/server/db/chats/rows";
import { toWireChat } from "./wire-format";

/**
 * Finds one of the actor's chats.
 *
 * @throws {DomainError} `not_found`.
 */
export const findChat = async (ctx: ServerContext, chatId: string): Promise<Chat> => {
  const found = await readChatWithCalls(ctx.db, { chatId, viewer: ctx.actor });
  if (!found) throw unknownChat(chatId);
  const { chat, ...actions } = found;
  return toWireChat(chat, { ...actions, limitTokens: await findContextLimit(ctx, chat) });
};

/** Converts a changed chat; only one that is parked, or may have agents, needs another read. */
export const loadChatOutput = async (ctx: ServerContext, chat: ChatRow): Promise<Chat> => {
  if (chat.status === "requires_action" || chat.taskVersion > 0) return findChat(ctx, chat.id);
  const limitTokens = await findContextLimit(ctx, chat);
  return toWireChat(chat, { openCalls: [], childActions: [], limitTokens });
};

/** Finds the context limit, in tokens, of the chat's model or of the default model. */
export const findContextLimit = async (
  { cached }: Pick<ServerContext, "cached">,
  { modelId }: { modelId: string | null },
): Promise<number | null> => {
  const models = await cached.models.get();
  const model =
    modelId === null ? findDefaultModel(models) : models.find(({ id }) => id === modelId);
  return model?.contextLimit ?? null;
};
