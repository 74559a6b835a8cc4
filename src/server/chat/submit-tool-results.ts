import { isDeepStrictEqual } from "node:util";
import { DomainError } from "@/contract/domain-error";
import { createKeyedLock } from "@/lib/keyed-lock";
import { type Actor, actorId, type ServerContext } from "@/server/context";
import type { OpenCallRow } from "@/server/db/chats/rows";
import { type ChatWithCalls, readChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import { completeAction, type CompletedAction } from "@/server/db/sql/machine/complete-action";
import { canWrite } from "@/server/db/chats/viewer";
import { appMetrics } from "@/server/metrics/app-metrics";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";
import { requireOutcome } from "@/server/machine/table/require-outcome";
import {
  type Answer,
  type AnsweredChat,
  checkEach,
  findAnsweredChats,
  findHadCalls,
  lockAnsweredChats,
  unknownAnswered,
} from "./answered-chats";
import type { ExpectedValue } from "./check-answer";
import { requireAnswerRight } from "./answer-right";
import {
  answersAll,
  checkClaims,
  checkIds,
  checkQuestions,
  type MaskedResult,
  maskResults,
  type OutputError,
  type PlacedResult,
  refuseOutputs,
  type SubmittedResult,
  toCallOutcome,
  toExpected,
  validateOutputs,
} from "./check-results";
import { checkFiles, hasFiles, takeResultFiles } from "./result-files";

type ChatResult = SubmittedResult & Answer;
type Entry = Answer & PlacedResult & MaskedResult;
export type Submitted = AnsweredChat<Entry>;
/** A chat with the calls that its results are for. */
type ReadChat = ChatWithCalls & {
  /** Whether it waits for calls that were not read. */
  hasOtherCalls?: boolean;
};
/** A chat with its results, as it was read. */
export type Parked = Submitted & ReadChat & { hadCalls: boolean };

export type Submission = {
  chats: readonly Submitted[];
  read: (
    db: ServerContext["db"],
    chat: { chatId: string; viewer: Actor },
  ) => Promise<ReadChat | undefined>;
  /** @throws {DomainError} for a chat that does not take its results. */
  check: (chat: Parked) => void;
  /** Undefined until validated. Once is enough, unless a call asks something else meanwhile. */
  validated?: { expected: ExpectedValue[]; errors: OutputError[] };
};

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
  await submit(ctx, {
    chats,
    read: readChatWithCalls,
    check: (chat) => checkStep(ctx.actor, chat),
  });
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

const withChatLock = createKeyedLock();

/**
 * Stores results. Chats and calls are read together, and written only if no transition has come between, which is what a
 * row lock would give (docs/adr/0008-use-compare-and-set-for-tool-results.md).
 */
export const submit = async (ctx: ServerContext, submission: Submission): Promise<void> => {
  if (await submitRemembered(ctx, submission)) return;
  const [first] = submission.chats;
  let parked: readonly Parked[] | undefined;
  let hasWritten = false;
  const tryToStore = async (): Promise<boolean> => {
    for (;;) {
      parked ??= await readParked(ctx, submission);
      // A request with a key has a transaction since its first write: who leaves the lock then and waits for it again has what
      // the next one waits for.
      if (
        isChecked(parked, submission) ||
        (hasWritten && (await validate(ctx, parked, submission)))
      ) {
        hasWritten = true;
        if (await store(ctx, parked, submission)) return true;
      } else if (!hasWritten) return false;
      // Another transition has changed a chat, so all are read and checked again.
      parked = undefined;
    }
  };
  // Without the lock, results that come at the same time would make each other be read and checked again.
  while (!(await withChatLock(first?.chatId ?? "", tryToStore))) {
    // Schemas take their time, in which other results are stored.
    if (parked && !(await validate(ctx, parked, submission))) parked = undefined;
  }
};

/** @throws {DomainError} `not_found`. */
const readParked = async (
  { db, actor: viewer }: ServerContext,
  { chats, read: readChat }: Submission,
): Promise<Parked[]> => {
  const parked: Parked[] = [];
  for (const chat of chats) {
    const read = await readChat(db, { chatId: chat.chatId, viewer });
    if (!read || !canWrite(viewer, read.chat)) throw unknownAnswered(chat);
    parked.push({ ...chat, ...read, hadCalls: await findHadCalls(db, read.chat) });
  }
  return parked;
};

/**
 * Submits to a single chat as it is in the cache. The write verifies its version. A refusal writes nothing and so
 * would verify nothing: it is decided from a read.
 */
const submitRemembered = async (ctx: ServerContext, submission: Submission): Promise<boolean> => {
  const [chat, ...others] = submission.chats;
  // With files it is several statements, of which the last one must not find another state than the check did.
  if (!chat || others.length > 0 || hasFiles(chat.entries)) return false;
  const remembered = ctx.recent.parked(chat.chatId, ctx.actor);
  if (!remembered) return false;
  try {
    const parked = [{ ...chat, ...remembered, hadCalls: true }];
    if (!isChecked(parked, submission) && !(await validate(ctx, parked, submission))) return false;
    return await store(ctx, parked, submission);
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
};

const findExpected = (parked: readonly Parked[]): ExpectedValue[] =>
  parked.flatMap((chat) => toExpected(chat.entries, chat));

/**
 * Checks what needs no time.
 *
 * @returns false when outputs are to be validated first.
 * @throws {DomainError} for a chat that does not take its results.
 */
const isChecked = (parked: readonly Parked[], submission: Submission): boolean => {
  checkEach(parked, submission.check);
  const expected = findExpected(parked);
  if (isDeepStrictEqual(submission.validated?.expected, expected)) return true;
  if (expected.some(({ schema, errors }) => schema !== undefined || errors.length > 0))
    return false;
  submission.validated = { expected, errors: [] };
  return true;
};

/** @returns false for invalid outputs: a chat may have changed meanwhile, which would be another refusal. */
const validate = async (
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

/** @returns false when the chats must be read again, as one has changed. */
const store = async (
  ctx: ServerContext,
  parked: readonly Parked[],
  submission: Submission,
): Promise<boolean> => {
  refuseOutputs(submission.validated?.errors ?? []);
  const completed = await completeActions(
    ctx,
    parked.map((chat) => ({ ...chat, action: toAction(ctx, chat) })),
  );
  // Of a chat that waits for other calls, the claims of these are not known here.
  for (const change of completed ?? [])
    if (change.chat.status !== "requires_action") ctx.recent.add(change);
  if (completed) recordWaits(completed, parked);
  return completed !== undefined;
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

type Action = Parameters<typeof completeAction>[1];

const toAction = (
  { actor }: ServerContext,
  { chat, openCalls, entries, hasOtherCalls }: Parked,
): Action => ({
  chat,
  event: !hasOtherCalls && isLast(openCalls, entries) ? "complete_action" : "decide_some",
  outcomes: entries.map((result) => toCallOutcome(result, { openCalls, by: actorId(actor) })),
  overridesClaims: answersAll(actor),
});

/** Whether no other call of the step is open: for a result, or for an approval. */
const isLast = (open: readonly OpenCallRow[], entries: readonly Entry[]): boolean =>
  open.every(({ toolCallId }) => entries.some((entry) => entry.toolCallId === toolCallId));

/** @returns undefined when a chat has changed since it was read, and nothing was written. */
const completeActions = async (
  ctx: ServerContext,
  parked: readonly (Parked & { action: Action })[],
): Promise<CompletedAction[] | undefined> => {
  const [first, ...others] = parked;
  const isWithFiles = parked.some(({ entries }) => hasFiles(entries));
  if (first && others.length === 0 && !isWithFiles) {
    const completed = await completeAction(ctx.db, first.action);
    return completed && [completed];
  }
  return ctx.db.transaction(async (tx) => {
    if (isWithFiles) await lockArtifacts(tx, ctx.actor);
    const locked = await lockAnsweredChats(tx, ctx, parked);
    const isAsRead = ({ chatId, chat }: Parked) => locked.get(chatId)?.version === chat.version;
    if (!parked.every(isAsRead)) return undefined;
    const completed: CompletedAction[] = [];
    for (const { chatId, chat, entries, action } of parked) {
      const { outcomes } = action;
      const stored = await takeResultFiles(tx, ctx, { chat, entries, outcomes });
      const change = await completeAction(tx, { ...action, outcomes: stored });
      if (!change) throw new Error(`the locked chat ${chatId} has changed`);
      completed.push(change);
    }
    return completed;
  });
};
