import { DomainError } from "@/contract/domain-error";
import { isUuid } from "@/lib/is-uuid";
import { actorId, type ServerContext } from "@/server/context";
import type { Transaction } from "@/server/db/connection/database";
import { findBranch, type ReplacedBranch } from "@/server/db/sql/machine/branch-writes";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { requireOutcome } from "@/server/machine/table/require-outcome";
import { applyTransition } from "@/server/machine/transition";
import { meterCancelled, stopCancelledAgents } from "./end-cancelled-tasks";

/**
 * Brings back what an edit or a regenerated answer has replaced; what is there instead becomes the alternative. Does nothing
 * for a message that is not replaced.
 *
 * @param input.messageId any message of the branch.
 * @throws {DomainError} `not_found` for an unknown chat, or a message that is no alternative; `conflict` while the chat is
 *   busy, when it is archived, or for a message whose branch is within another one that is not chosen.
 */
export const chooseBranch = async (
  ctx: ServerContext,
  { chatId, messageId }: { chatId: string; messageId: string },
): Promise<void> => {
  const applied = await ctx.db.transaction(async (tx) => {
    const chat = await lockActorsChat(tx, ctx, chatId);
    requireOutcome(chat, "choose_branch");
    const chosen = await requireBranch(tx, { chatId: chat.id, messageId });
    if (!chosen) return undefined;
    const by = actorId(ctx.actor);
    const { newId } = ctx;
    const event = "choose_branch";
    const change = await applyTransition(tx, chat, {
      event,
      newId,
      by,
      closeReason: "superseded",
      chosen,
    });
    await stopCancelledAgents(tx, change, { newId, by });
    return change;
  });
  if (applied) meterCancelled(applied);
};

/** @returns undefined for a message that is not replaced. */
const requireBranch = async (
  tx: Transaction,
  { chatId, messageId }: { chatId: string; messageId: string },
): Promise<ReplacedBranch | undefined> => {
  const found = isUuid(messageId) ? await findBranch(tx, { chatId, messageId }) : undefined;
  if (found === "current") return undefined;
  if (!found) {
    throw new DomainError("not_found", `There is no alternative "${messageId}" in this chat.`);
  }
  if (found !== "nested") return found;
  throw new DomainError("conflict", "The alternative follows a message that is replaced, too.", {
    shouldRetry: false,
  });
};
