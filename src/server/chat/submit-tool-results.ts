import type { Actor, ServerContext } from "@/server/context";
import { requireOutcome } from "@/server/machine/table/require-outcome";
import { requireAnswerRight } from "./answer-right";
import { type Answer, findAnsweredChats } from "./answered-chats";
import {
  checkClaims,
  checkIds,
  checkQuestions,
  maskResults,
  type SubmittedResult,
} from "./check-results";
import { checkFiles } from "./result-files";
import type { Parked } from "./parked-results";
import { submit } from "./store-results";

type ChatResult = SubmittedResult & Answer;

/**
 * Answers all open dynamic tool calls of a parked chat at once: the first caller wins, every later
 * one gets a conflict. Results for several chats of a family are taken together, or none of them
 * (docs/adr/0092-answer-several-agents-in-one-transaction.md).
 *
 * @throws {DomainError} in this order: `not_found`; `forbidden` for a call that the key may not answer; `conflict` for an archived chat, another status,
 *   an invalid state, a question that is not open any more, a call that another program holds; `invalid` for duplicate ids, missing ids, ids that are not open, outputs that do
 *   not match the schema. An `invalid` error names all affected ids.
 */
export const submitToolResults = async (
  ctx: ServerContext,
  { chatId, results }: { chatId: string; results: ChatResult[] },
): Promise<void> => {
  const placed = results.map((result, index) => ({ ...result, place: `/results/${index}` }));
  const entries = await maskResults(placed);
  const chats = await findAnsweredChats(ctx, { chatId, list: "results", entries });
  await submit(ctx, { chats, check: (chat) => checkStep(ctx.actor, chat) });
};

/** All calls of the step must have a result, and only these. */
const checkStep = (actor: Actor, { chat, openCalls, entries, hadCalls }: Parked): void => {
  for (const { toolCallId } of entries) {
    const call = openCalls.find((each) => each.toolCallId === toolCallId);
    if (call) requireAnswerRight(actor, call);
  }
  requireOutcome({ ...chat, hadCalls }, "complete_action");
  checkQuestions(entries, openCalls);
  checkClaims(actor, entries, openCalls);
  checkIds(entries, openCalls);
  checkFiles(entries, openCalls);
};
