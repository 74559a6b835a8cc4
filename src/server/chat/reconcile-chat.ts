import { DomainError } from "@/contract/domain-error";
import { actorId, type ServerContext } from "@/server/context";
import type { ChatRow } from "@/server/db/chats/rows";
import { classify } from "@/server/machine/table/chat-state";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { applyTransition } from "@/server/machine/transition";

/**
 * Brings a chat out of an invalid state into `error`; the queue stays, open calls are closed.
 *
 * @throws {DomainError} `not_found`, or `conflict` when the state is valid.
 */
export const reconcileChat = (ctx: ServerContext, input: { chatId: string }): Promise<ChatRow> =>
  ctx.db.transaction(async (tx) => {
    const chat = await lockActorsChat(tx, ctx, input.chatId);
    if (classify(chat) !== "invalid") {
      throw new DomainError(
        "conflict",
        "The chat is in a valid state; there is nothing to repair.",
        {
          shouldRetry: false,
        },
      );
    }
    const applied = await applyTransition(tx, chat, {
      event: "reconcile",
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "reconciled",
      lastError: {
        kind: "generic",
        message: "The chat was found in a state that no action makes, and was repaired.",
        detail: `status "${chat.status}", ${chat.queuedCount} queued${chat.archivedAt ? ", archived" : ""}`,
        retryable: true,
      },
    });
    return applied.chat;
  });
