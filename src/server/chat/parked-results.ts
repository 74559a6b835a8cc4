import { isDeepStrictEqual } from "node:util";
import { createKeyedLock } from "@/lib/keyed-lock";
import { actorId, type ServerContext } from "@/server/context";
import type { OpenCallRow } from "@/server/db/chats/rows";
import type { ClaimRoom } from "@/server/db/sql/machine/claim";
import {
  completeAction,
  type CompletedAction,
  type Completion,
} from "@/server/db/sql/machine/complete-action";
import type { ChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import { appMetrics } from "@/server/metrics/app-metrics";
import { type Answer, type AnsweredChat, checkEach } from "./answered-chats";
import type { ExpectedValue } from "./check-answer";
import { beginTurn } from "./begin-turn";
import {
  answersAll,
  type MaskedResult,
  type OutputError,
  type PlacedResult,
  toCallOutcome,
  toExpected,
  validateOutputs,
} from "./check-results";

export type Entry = Answer & PlacedResult & MaskedResult;
export type Submitted = AnsweredChat<Entry>;
/** A chat with the calls that its results are for. */
export type ReadChat = ChatWithCalls & {
  /** Whether it waits for calls that were not read. */
  hasOtherCalls?: boolean;
};
/** A chat with its results, as it was read. */
export type Parked = Submitted & ReadChat & { hadCalls: boolean };

export type Submission = {
  chats: readonly Submitted[];
  /** The only call that it is about: the others of its chat need not be read. */
  toolCallId?: string;
  /** @throws {DomainError} for a chat that does not take its results. */
  check: (chat: Parked) => void;
  /** Undefined until validated. Once is enough, unless a call asks something else meanwhile. */
  validated?: { expected: ExpectedValue[]; errors: OutputError[] };
};

/** Without it, results that come at the same time would make each other be read and checked again. */
export const withChatLock = createKeyedLock();

const findExpected = (parked: readonly Parked[]): ExpectedValue[] =>
  parked.flatMap((chat) => toExpected(chat.entries, chat));

/**
 * Checks what needs no time.
 *
 * @returns false when outputs are to be validated first.
 * @throws {DomainError} for a chat that does not take its results.
 */
export const isChecked = (parked: readonly Parked[], submission: Submission): boolean => {
  checkEach(parked, submission.check);
  const expected = findExpected(parked);
  if (isDeepStrictEqual(submission.validated?.expected, expected)) return true;
  if (expected.some(({ schema, errors }) => schema !== undefined || errors.length > 0))
    return false;
  submission.validated = { expected, errors: [] };
  return true;
};

/** @returns false for invalid outputs: a chat may have changed meanwhile, which would be another refusal. */
export const validate = async (
  ctx: ServerContext,
  parked: readonly Parked[],
  submission: Submission,
): Promise<boolean> => {
  const expected = findExpected(parked);
  const results = parked.flatMap(({ entries }) => entries);
  const errors = await validateOutputs(ctx, results, expected);
  submission.validated = { expected, errors };
  return errors.length === 0;
};

export const toAction = (
  { actor }: ServerContext,
  { chat, openCalls, entries, hasOtherCalls }: Parked,
): Completion => ({
  chat,
  event: !hasOtherCalls && isLast(openCalls, entries) ? "complete_action" : "decide_some",
  outcomes: entries.map((result) => toCallOutcome(result, { openCalls, by: actorId(actor) })),
  overridesClaims: answersAll(actor),
});

/** Whether no other call of the step is open: for a result, or for an approval. */
const isLast = (open: readonly OpenCallRow[], entries: readonly Entry[]): boolean =>
  open.every(({ toolCallId }) => entries.some((entry) => entry.toolCallId === toolCallId));

/**
 * Stores the results of one chat.
 *
 * @returns undefined when the chat has changed since it was read, and nothing was written.
 */
export const complete = (
  ctx: ServerContext,
  parked: Submitted,
  action: Completion,
): Promise<CompletedAction | undefined> => {
  const run = async (room?: ClaimRoom) => {
    const result = await completeAction(ctx.db, action, room);
    // Before the turn goes on, whose changes come after this one.
    if (result) announce(ctx, [result], [parked]);
    return { result, claimed: result?.claimed };
  };
  return action.event === "complete_action"
    ? beginTurn(ctx, run)
    : run().then(({ result }) => result);
};

export const announce = (
  ctx: ServerContext,
  completed: readonly CompletedAction[],
  parked: readonly Submitted[],
): void => {
  // Of a chat that waits for other calls, the claims of these are not known here.
  for (const change of completed)
    if (change.chat.status !== "requires_action") ctx.recent.add(change);
  recordWaits(completed, parked);
};

/** Records how long the answered calls have waited. */
const recordWaits = (completed: readonly CompletedAction[], parked: readonly Submitted[]): void => {
  const answered = new Set(
    parked.flatMap(({ entries }) => entries.map(({ toolCallId }) => toolCallId)),
  );
  for (const part of completed.flatMap(({ parts }) => parts)) {
    if (part.type !== "tool_call" || !answered.has(part.toolCallId) || !part.completedAt) continue;
    const waitedMs = Math.max(0, part.completedAt.getTime() - part.startedAt.getTime());
    appMetrics().record("callWaitSeconds", {}, waitedMs / 1_000);
  }
};
