import type { PromoteInput } from "@/contract/chat-inputs";
import { DomainError } from "@/contract/domain-error";
import { isUuid } from "@/lib/is-uuid";
import { actorId, type ServerContext } from "@/server/context";
import type { ChatRow } from "@/server/db/chats/rows";
import { requireOutcome } from "@/server/machine/table/require-outcome";
import { checkCancelledCalls } from "./check-cancelled-calls";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { meterWaits } from "@/server/machine/meter-tasks";
import { applyTransition } from "@/server/machine/transition";

type QueuedMessageId = { chatId: string; queuedId: string };
type QueueChange = QueuedMessageId & { cancelCalls?: readonly string[] | undefined };
type PromoteQueued = QueueChange & Partial<Pick<PromoteInput, "behavior">>;

/**
 * Takes a message out of the queue.
 *
 * @throws {DomainError} `conflict` when the queue is empty, `not_found` for an unknown id.
 */
export const deleteQueued = (ctx: ServerContext, input: QueuedMessageId): Promise<void> =>
  changeQueue(ctx, input, "delete_queued");

/**
 * Sends a queued message before the others: a busy chat is interrupted for it, or takes it before the next model call of
 * its turn (`steer`), a resting one takes it at once.
 *
 * @param input.cancelCalls ids of the open calls that this may cancel; all by default.
 * @throws {DomainError} `conflict` when the queue is empty, other calls are open, or the chat is an agent that has not
 *   begun; `not_found` for an unknown id.
 */
export const promoteQueued = (
  ctx: ServerContext,
  { behavior, ...input }: PromoteQueued,
): Promise<void> => changeQueue(ctx, input, behavior === "steer" ? "steer_queued" : "promote");

const changeQueue = async (
  ctx: ServerContext,
  input: QueueChange,
  event: "delete_queued" | "promote" | "steer_queued",
): Promise<void> => {
  const waits = await ctx.db.transaction(async (tx) => {
    const chat = await lockActorsChat(tx, ctx, input.chatId);
    requireOutcome(chat, event);
    if (event === "promote") {
      checkStarted(chat);
      await checkCancelledCalls(tx, ctx, { chat, cancelCalls: input.cancelCalls });
    }
    if (!isUuid(input.queuedId)) {
      throw new DomainError(
        "not_found",
        `There is no queued message "${input.queuedId}" in this chat.`,
      );
    }
    const { waits } = await applyTransition(tx, chat, {
      event,
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "superseded",
      queuedId: input.queuedId,
    });
    return waits;
  });
  meterWaits(waits);
};

/** A queued agent would begin above the limit of those that run. */
const checkStarted = ({ agentQueued }: ChatRow): void => {
  if (!agentQueued) return;
  throw new DomainError(
    "conflict",
    "This agent waits for others. It begins when one ends, and then gets your message.",
  );
};
