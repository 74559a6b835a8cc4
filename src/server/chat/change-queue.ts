import { DomainError } from "@/contract/domain-error";
import { isUuid } from "@/lib/is-uuid";
import { actorId, type ServerContext } from "@/server/context";
import { requireOutcome } from "@/server/state-machine/chat-state";
import { lockOwnedChat } from "./lock-owned-chat";
import { applyTransition } from "./transition";

/** A transition about one queued message: an empty queue is a conflict, an unknown id is not found. */
export const changeQueue = (
  ctx: ServerContext,
  input: { chatId: string; queuedId: string },
  event: "delete_queued" | "promote",
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const chat = await lockOwnedChat(tx, ctx, input.chatId);
    requireOutcome(chat, event);
    if (!isUuid(input.queuedId)) {
      throw new DomainError(
        "not_found",
        `There is no queued message "${input.queuedId}" in this chat.`,
      );
    }
    await applyTransition(tx, chat, {
      event,
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "superseded",
      queuedId: input.queuedId,
    });
  });
