import { DomainError } from "@/contract/domain-error";
import { actorId, type ServerContext } from "@/server/context";
import { readLastFinishReason } from "@/server/db/message-ends-reads";
import { lockActorsChat } from "./lock-chat";
import { applyTransition } from "./transition";

/**
 * Continues a turn that rests after the results of its tools: the model gets them. The turn may take as many steps
 * again.
 *
 * @throws {DomainError} `not_found`, `conflict` unless the turn rests so.
 */
export const continueChat = (ctx: ServerContext, { chatId }: { chatId: string }): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const chat = await lockActorsChat(tx, ctx, chatId);
    if (chat.status === "waiting" && (await readLastFinishReason(tx, chatId)) !== RESTS) {
      throw new DomainError("conflict", "The chat has no turn that rests after its tools.", {
        shouldRetry: false,
      });
    }
    await applyTransition(tx, chat, {
      event: "continue",
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "superseded",
    });
  });

const RESTS = "auto-submit-off";
