import type { ChatParameters } from "@/contract/parameters";
import { actorId, type ServerContext } from "@/server/context";
import { saveMetadata } from "@/server/db/sql/machine/chat-lifecycle";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { meterCancelled, stopCancelledAgents } from "./end-cancelled-tasks";
import { requireModel } from "./require-model";
import { applyTransition } from "@/server/machine/transition";

/**
 * Answers the last user message again; the answer so far becomes an alternative.
 *
 * @returns the version of the chat in which the turn begins.
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
): Promise<number> => {
  const modelId = await requireModel(ctx.db, input.modelId);
  const applied = await ctx.db.transaction(async (tx) => {
    const chat = await lockActorsChat(tx, ctx, input.chatId);
    const { newId } = ctx;
    const by = actorId(ctx.actor);
    const change = await applyTransition(tx, chat, {
      event: "regenerate",
      newId,
      by,
      closeReason: "superseded",
      parameters: input.parameters,
    });
    await stopCancelledAgents(tx, change, { newId, by });
    if (modelId !== undefined) {
      await saveMetadata(tx, change.chat.id, { modelId });
    }
    return change;
  });
  meterCancelled(applied);
  return applied.chat.version;
};
