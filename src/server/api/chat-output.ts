import type { Chat } from "@/contract/chat";
import { unknownChat } from "@/server/machine/lock-chat";
import type { ServerContext } from "@/server/context";
import { readChatWithAnswer } from "@/server/db/sql/reads/answer-reads";
import { findDefaultModel } from "@/server/db/settings/model-reads";
import type { ChatRow } from "@/server/db/chats/rows";
import { toWireChat } from "./wire-format";

/**
 * Finds one of the actor's chats.
 *
 * @throws {DomainError} `not_found`.
 */
export const findChat = async (ctx: ServerContext, chatId: string): Promise<Chat> => {
  const found = await readChatWithAnswer(ctx.db, { chatId, viewer: ctx.actor });
  if (!found) throw unknownChat(chatId);
  const { chat, ...extras } = found;
  return toWireChat(chat, { ...extras, limitTokens: await findContextLimit(ctx, chat) });
};

/** Converts a changed chat. One whose first turn has done something needs another read, as it may have an answer, open calls or agents. */
export const loadChatOutput = async (ctx: ServerContext, chat: ChatRow): Promise<Chat> => {
  const isUntouched = chat.status === "pending" || chat.version === 1;
  if (!isUntouched || chat.lastSeq !== 1) return findChat(ctx, chat.id);
  const limitTokens = await findContextLimit(ctx, chat);
  return toWireChat(chat, { openCalls: [], childActions: [], limitTokens, lastAnswer: null });
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
