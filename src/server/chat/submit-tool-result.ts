import { isDeepStrictEqual } from "node:util";
import { DomainError } from "@/contract/domain-error";
import type { ProblemCall } from "@/contract/problem";
import { actorId, type ServerContext } from "@/server/context";
import { OPEN_CALL_STATES, type OpenCallRow } from "@/server/db/chats/rows";
import { type FoundCall, findCall } from "@/server/db/sql/reads/call-reads";
import { requireOutcome } from "@/server/machine/table/require-outcome";
import {
  checkQuestions,
  type MaskedResult,
  maskResults,
  type SubmittedResult,
} from "./check-results";
import { type Parked, type Submission, submit } from "./submit-tool-results";

type OneResult = {
  chatId: string;
  /** The message of the call, for clients that know it. */
  messageId: string | undefined;
  result: SubmittedResult;
};

/**
 * Answers one open call of a parked chat; the turn goes on with the last one of its step. The same result again, from the
 * same person or key, changes nothing and is no conflict.
 *
 * @throws {DomainError} in this order: `not_found`; `conflict` for an archived chat, a call that is not open, a question that
 *   is not open any more; `invalid` for an output that does not match the schema.
 */
export const submitToolResult = async (
  ctx: ServerContext,
  { chatId, messageId, result }: OneResult,
): Promise<void> => {
  const [entry] = await maskResults([{ ...result, index: 0, place: "" }]);
  if (!entry) return;
  const submission: Submission = {
    chats: [{ chatId: chatId.toLowerCase(), isAgent: false, list: "results", entries: [entry] }],
    check: (chat) => checkCall(chat, { ...entry, messageId }),
  };
  try {
    await submit(ctx, submission);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "conflict") throw error;
    if (error.reason === "chat_archived") throw error;
    const found = await findCall(ctx.db, {
      chatId,
      toolCallId: entry.toolCallId,
      viewer: ctx.actor,
    });
    if (!found) throw unknownCall(entry.toolCallId);
    if (isRepetition(found.call, entry, actorId(ctx.actor))) return;
    throw isAwaited(found, messageId) ? error : toConflict(found, messageId);
  }
};

type Answering = SubmittedResult & { messageId: string | undefined };

const checkCall = ({ chat, openCalls, entries }: Parked, answering: Answering): void => {
  if (chat.archivedAt !== null) {
    throw new DomainError("conflict", "The chat is archived. Restore it to answer its calls.", {
      reason: "chat_archived",
      shouldRetry: false,
    });
  }
  if (!openCalls.some((call) => isAnswerable(call, answering))) {
    throw new DomainError("conflict", BUSY, { reason: "chat_busy", retryAfterSeconds: 1 });
  }
  requireOutcome(chat, "complete_action");
  checkQuestions(entries, openCalls);
};

/** Of a call that is open: a chat takes results once all that the server runs in its step has ended. */
const BUSY = "The chat still runs other calls of this step. Send the result again in a moment.";

const isAnswerable = (call: OpenCallRow, { toolCallId, messageId }: Answering): boolean =>
  call.toolCallId === toolCallId &&
  call.state === "awaiting_result" &&
  (messageId === undefined || call.messageId === messageId);

const isAwaited = ({ call, isReplaced }: FoundCall, messageId: string | undefined): boolean =>
  !isReplaced &&
  call.state === "awaiting_result" &&
  (messageId === undefined || call.messageId === messageId);

/** Whether the same person or key has said the same before. */
const isRepetition = (
  { output, isError, elicitations, resolvedBy, state }: FoundCall["call"],
  result: MaskedResult,
  by: string,
): boolean => {
  if (resolvedBy !== by) return false;
  if (!OPEN_CALL_STATES.has(state)) {
    return isError === result.isError && isDeepStrictEqual(output, result.masked);
  }
  const answer = elicitations?.at(-1)?.answer;
  return answer !== undefined && isDeepStrictEqual(answer, result.output);
};

const unknownCall = (toolCallId: string): DomainError =>
  new DomainError("not_found", `The chat has no call "${toolCallId}".`, {
    errors: [{ pointer: "/tool_call_id", message: "is no call of the chat" }],
  });

/** @returns why a call that is not awaited takes no result. */
const toConflict = (
  { call, isReplaced }: FoundCall,
  messageId: string | undefined,
): DomainError => {
  const about = { call: toProblemCall(call), shouldRetry: false };
  if (isReplaced || (messageId !== undefined && call.messageId !== messageId)) {
    const detail =
      "The call is not open any more: its message was replaced, or the chat has gone on.";
    return new DomainError("conflict", detail, { ...about, reason: "call_closed" });
  }
  if (OPEN_CALL_STATES.has(call.state)) {
    const waitsFor =
      call.state === "awaiting_approval" ? "waits for an approval" : "is run by the server";
    return new DomainError("conflict", `The call takes no result: it ${waitsFor}.`, {
      ...about,
      reason: "call_not_awaited",
    });
  }
  if (call.resolvedBy === null || call.resolvedBy === "worker" || call.state === "cancelled") {
    const detail = `The call is closed: it was ${CLOSED[call.state] ?? "ended"} before this result came.`;
    return new DomainError("conflict", detail, { ...about, reason: "call_closed" });
  }
  return new DomainError(
    "conflict",
    "The call has been answered already, by somebody else or in another way.",
    {
      ...about,
      reason: "call_answered",
    },
  );
};

const CLOSED: Partial<Record<FoundCall["call"]["state"], string>> = {
  cancelled: "cancelled",
  timed_out: "timed out",
};

const toProblemCall = ({ state, resolvedBy, completedAt }: FoundCall["call"]): ProblemCall => ({
  state,
  resolved_by: resolvedBy,
  resolved_at: completedAt?.toISOString() ?? null,
});
