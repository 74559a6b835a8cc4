import { isDeepStrictEqual } from "node:util";
import { DomainError } from "@/contract/domain-error";
import { actorId, type ServerContext } from "@/server/context";
import { type ChatWithCalls, readChatWithCalls } from "@/server/db/sql/chat-reads";
import { completeAction } from "@/server/db/sql/complete-action";
import { recentChanges } from "@/server/db/recent-changes";
import type { ExpectedValue } from "./check-answer";
import { canWrite } from "@/server/db/viewer";
import { requireOutcome } from "@/server/state-machine/require-outcome";
import {
  checkIds,
  checkQuestions,
  type OutputError,
  type PlacedResult,
  refuseOutputs,
  type SubmittedResult,
  toCallAnswer,
  toExpected,
  validateOutputs,
} from "./check-results";
import { unknownChat } from "./lock-chat";

type Submission = {
  results: PlacedResult[];
  /** Undefined until validated. Once is enough, unless a call asks something else meanwhile. */
  validated: { expected: ExpectedValue[]; errors: OutputError[] } | undefined;
};

/**
 * Answers all open dynamic tool calls of a parked chat at once: the first caller wins, every later
 * one gets a conflict. Chat and calls are read together, and written only if no transition has
 * come between, which is what a row lock would give (docs/adr/0008-use-compare-and-set-for-tool-results.md).
 *
 * @throws {DomainError} in this order: `not_found`; `conflict` for an archived chat, another status,
 *   an invalid state, a question that is not open any more; `invalid` for duplicate ids, missing ids, ids that are not open, outputs that do
 *   not match the schema. An `invalid` error names all affected ids.
 */
export const submitToolResults = async (
  ctx: ServerContext,
  input: { chatId: string; results: SubmittedResult[] },
): Promise<void> => {
  const { chatId } = input;
  const viewer = ctx.actor;
  const results = input.results.map((result, index) => ({ ...result, index }));
  const submission: Submission = { results, validated: undefined };
  const remembered = recentChanges(ctx.db).parked(chatId, viewer);
  if (remembered && (await submitRemembered(ctx, remembered, submission))) return;
  for (;;) {
    const parked = await readChatWithCalls(ctx.db, { chatId, viewer });
    if (!parked || !canWrite(viewer, parked.chat)) throw unknownChat(chatId);
    // Another transition may have changed the chat, so it is read and checked again.
    if (await tryToSubmit(ctx, parked, submission)) return;
  }
};

/**
 * Submits on the basis of the cached chat, whose version the write verifies. A refusal verifies nothing,
 * so it is decided from a read.
 */
const submitRemembered = async (
  ctx: ServerContext,
  parked: ChatWithCalls,
  submission: Submission,
): Promise<boolean> => {
  try {
    return await tryToSubmit(ctx, parked, submission);
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
};

/** @returns false when the chat must be read again, as it has changed or may have. */
const tryToSubmit = async (
  ctx: ServerContext,
  { chat, openCalls }: ChatWithCalls,
  submission: Submission,
): Promise<boolean> => {
  const { results } = submission;
  requireOutcome(chat, "complete_action");
  checkQuestions(results, openCalls);
  checkIds(results, openCalls);
  const expected = toExpected(results, { chat, openCalls });
  if (!isDeepStrictEqual(submission.validated?.expected, expected)) {
    const errors = await validateOutputs(ctx, results, expected);
    submission.validated = { expected, errors };
    // The chat may have changed meanwhile, which would be another refusal.
    if (errors.length > 0) return false;
  }
  refuseOutputs(submission.validated?.errors ?? []);
  const undecided = openCalls.some(({ state }) => state === "awaiting_approval");
  const by = actorId(ctx.actor);
  const completed = await completeAction(ctx.db, {
    chat,
    event: undecided ? "decide_some" : "complete_action",
    resolvedBy: by,
    answers: results.map((result) => toCallAnswer(result, { openCalls, by })),
  });
  if (completed) recentChanges(ctx.db).add(completed);
  return completed !== undefined;
};
