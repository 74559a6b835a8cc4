import type { ChatParameters } from "@/contract/parameters";
import { actorId, type ServerContext } from "@/server/context";
import { saveMetadata } from "@/server/db/sql/machine/chat-lifecycle";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { requireModel } from "./require-model";
import { applyTransition } from "@/server/machine/transition";

/**
 * Answers the last user message again; the answer so far is deleted.
 *
 * @throws {DomainError} `not_found`, `conflict` while the chat is busy, `invalid` when the model
 *   is unknown.
 */
export const regenerate = async (
  ctx: ServerContext,
  input: {
    chatId: string;
    modelId?: string | undefined;
    /** What is left out is as it was in the message that is answered. */
    parameters?: ChatParameters | undefined;
  },
): Promise<void> => {
  await requireModel(ctx.db, input.modelId);
  await ctx.db.transaction(async (tx) => {
    const chat = await lockActorsChat(tx, ctx, input.chatId);
    const { chat: changed } = await applyTransition(tx, chat, {
      event: "regenerate",
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "superseded",
      parameters: input.parameters,
    });
    if (input.modelId !== undefined) {
      await saveMetadata(tx, changed.id, { modelId: input.modelId });
    }
  });
};
