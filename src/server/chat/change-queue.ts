import { DomainError } from "@/contract/domain-error";
import { isUuid } from "@/lib/is-uuid";
import { actorId, type ServerContext } from "@/server/context";
import { requireOutcome } from "@/server/state-machine/require-outcome";
import { checkCancelledCalls } from "./check-cancelled-calls";
import { commitAndExit } from "./exit-calls";
import { lockActorsChat } from "./lock-chat";
import { applyTransition } from "./transition";

type QueuedMessageId = { chatId: string; queuedId: string };
type PromoteQueued = QueuedMessageId & { cancelCalls?: readonly string[] | undefined };

/**
 * Takes a message out of the queue.
 *
 * @throws {DomainError} `conflict` when the queue is empty, `not_found` for an unknown id.
 */
export const deleteQueued = (ctx: ServerContext, input: QueuedMessageId): Promise<void> =>
  changeQueue(ctx, input, "delete_queued");

/**
 * Sends a queued message before the others: a busy chat is interrupted for it, a resting one
 * takes it at once.
 *
 * @param input.cancelCalls ids of the open calls that this may cancel; all by default.
 * @throws {DomainError} `conflict` when the queue is empty or other calls are open, `not_found` for an unknown id.
 */
export const promoteQueued = (ctx: ServerContext, input: PromoteQueued): Promise<void> =>
  changeQueue(ctx, input, "promote");

const changeQueue = (
  ctx: ServerContext,
  input: PromoteQueued,
  event: "delete_queued" | "promote",
): Promise<void> =>
  commitAndExit(ctx, async (tx) => {
    const chat = await lockActorsChat(tx, ctx, input.chatId);
    requireOutcome(chat, event);
    if (event === "promote") {
      await checkCancelledCalls(tx, ctx, { chat, cancelCalls: input.cancelCalls });
    }
    if (!isUuid(input.queuedId)) {
      throw new DomainError(
        "not_found",
        `There is no queued message "${input.queuedId}" in this chat.`,
      );
    }
    const { closed } = await applyTransition(tx, chat, {
      event,
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "superseded",
      queuedId: input.queuedId,
    });
    return { closed, result: undefined };
  });
