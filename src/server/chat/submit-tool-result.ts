import { isDeepStrictEqual } from "node:util";
import { DomainError } from "@/contract/domain-error";
import { type Actor, actorId, type ServerContext } from "@/server/context";
import { OPEN_CALL_STATES, type OpenCallRow } from "@/server/db/chats/rows";
import { type FoundCall, findCall } from "@/server/db/sql/reads/call-reads";
import { requireOutcome } from "@/server/machine/table/require-outcome";
import { requireAnswerRight } from "./answer-right";
import { isAwaited, refuseBusy, refuseCall, requireRestored, unknownCall } from "./call-refusals";
import {
  checkClaims,
  checkQuestions,
  type MaskedResult,
  maskResults,
  type SubmittedResult,
} from "./check-results";
import { checkFiles } from "./result-files";
import type { Parked, Submission } from "./parked-results";
import { submit } from "./store-results";

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
 * @throws {DomainError} in this order: `not_found`; `forbidden` for a call that the key may not answer; `conflict` for an archived chat, a call that is not open, a question that
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
    toolCallId: entry.toolCallId,
    check: (chat) => checkCall(ctx.actor, chat, { ...entry, messageId }),
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
    requireAnswerRight(ctx.actor, found.call);
    if (isRepetition(found.call, entry, actorId(ctx.actor))) return;
    throw isAwaited(found, messageId) ? error : refuseCall(found, messageId);
  }
};

type Answering = SubmittedResult & { messageId: string | undefined };

const checkCall = (
  actor: Actor,
  { chat, openCalls, entries }: Parked,
  answering: Answering,
): void => {
  const call = openCalls.find(({ toolCallId }) => toolCallId === answering.toolCallId);
  if (call) requireAnswerRight(actor, call);
  requireRestored(chat);
  if (!openCalls.some((call) => isAnswerable(call, answering))) {
    throw refuseBusy();
  }
  requireOutcome(chat, "complete_action");
  checkQuestions(entries, openCalls);
  checkClaims(actor, entries, openCalls);
  checkFiles(entries, openCalls);
};

const isAnswerable = (call: OpenCallRow, { toolCallId, messageId }: Answering): boolean =>
  call.toolCallId === toolCallId && isAwaited({ call, isReplaced: false }, messageId);

/** Whether the holder of the same claim, or the same person or key without one, has said the same before. */
const isRepetition = (call: FoundCall["call"], result: MaskedResult, by: string): boolean => {
  const { output, isError, elicitations, resolvedBy, resolvedClaim, state } = call;
  const isSame = result.claimToken ? resolvedClaim === result.claimToken : resolvedBy === by;
  if (!isSame) return false;
  if (!OPEN_CALL_STATES.has(state)) {
    const files = (call.artifacts ?? []).map(({ id }) => id);
    return (
      isError === result.isError &&
      isDeepStrictEqual(output, result.masked) &&
      isDeepStrictEqual(files, [...new Set(result.fileIds)])
    );
  }
  const answer = elicitations?.at(-1)?.answer;
  return answer !== undefined && isDeepStrictEqual(answer, result.output);
};
