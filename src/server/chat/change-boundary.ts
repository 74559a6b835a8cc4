import { DomainError } from "@/contract/domain-error";
import { toTokens } from "@/lib/tokens";
import { actorId, type ServerContext } from "@/server/context";
import type { Transaction } from "@/server/db/connection/database";
import type { ChatRow, HistoryMessage, SummaryPartRow } from "@/server/db/chats/rows";
import { readHistory } from "@/server/db/sql/reads/message-reads";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { measureMessage } from "@/server/machine/measure-message";
import { findBoundary, findSummary, splitHistory } from "@/server/machine/model-history";
import { requireOutcome } from "@/server/machine/table/require-outcome";
import type { TransitionPayload } from "@/server/machine/change";
import { applyTransition } from "@/server/machine/transition";

/**
 * Lets the model read the history from here on, without a summary of what was before. Messages that nobody has answered stay.
 *
 * @throws {DomainError} `not_found`, `conflict` while the chat is busy or archived, or if the model reads nothing anyway.
 */
export const clearContext = (ctx: ServerContext, input: { chatId: string }): Promise<void> =>
  changeRested(ctx, input, {
    event: "clear_context",
    plan: (chat, history) => {
      const boundary = createClearedBoundary(chat, history);
      return { boundary, written: { contextTokens: boundary.data.tokens_after } };
    },
  });

/**
 * Removes the newest boundary, so that the model reads the history from the one before.
 *
 * @throws {DomainError} `not_found` for an unknown message, `invalid` for one that is no boundary, `conflict` while the chat is
 *   busy or archived, or for a boundary that is not the newest.
 */
export const undoBoundary = (
  ctx: ServerContext,
  input: { chatId: string; messageId: string },
): Promise<void> =>
  changeRested(ctx, input, {
    event: "undo_boundary",
    plan: (_, history) => {
      const message = history.find(({ id }) => id === input.messageId);
      if (!message) {
        throw new DomainError(
          "not_found",
          `There is no message "${input.messageId}" in this chat.`,
        );
      }
      const summary = findSummary(message);
      if (!summary) throw new DomainError("invalid", "The message is no boundary.");
      if (history[findBoundary(history)] !== message) {
        throw refusal("A newer boundary follows: remove that one first.");
      }
      return { targetSeq: message.seq, written: { contextTokens: summary.tokens_before } };
    },
  });

type BoundaryChange = {
  event: "clear_context" | "undo_boundary";
  plan: (
    chat: ChatRow,
    history: readonly HistoryMessage[],
  ) => Pick<TransitionPayload, "boundary" | "targetSeq" | "written">;
};

const changeRested = (
  ctx: ServerContext,
  { chatId }: { chatId: string },
  { event, plan }: BoundaryChange,
): Promise<void> =>
  ctx.db.transaction(async (tx: Transaction) => {
    const chat = await lockActorsChat(tx, ctx, chatId);
    requireOutcome(chat, event);
    await applyTransition(tx, chat, {
      event,
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "superseded",
      ...plan(chat, await readHistory(tx, chat.id)),
    });
  });

const createClearedBoundary = (
  chat: ChatRow,
  history: readonly HistoryMessage[],
): SummaryPartRow => {
  const { carried, tail, summed } = splitHistory(history, {
    turnId: chat.turnId,
    isOver: chat.status === "waiting",
    maxTailBytes: 0,
    measure: (message) => measureMessage(message),
  });
  const boundary = history[findBoundary(history)];
  const isCleared = boundary === undefined || findSummary(boundary)?.reason === "cleared";
  if (summed.length === carried.length && isCleared) {
    throw refusal("The model reads nothing of this chat that could be cleared.");
  }
  const kept = [...carried, ...tail];
  const bytes = kept.reduce((sum, message) => sum + measureMessage(message), 0);
  return {
    type: "summary",
    data: {
      reason: "cleared",
      kept: kept.map(({ seq }) => seq),
      tokens_before: chat.contextTokens,
      tokens_after: toTokens(bytes),
    },
  };
};

const refusal = (message: string) => new DomainError("conflict", message, { shouldRetry: false });
