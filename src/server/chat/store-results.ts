import { isDeepStrictEqual } from "node:util";
import { DomainError } from "@/contract/domain-error";
import { createKeyedLock } from "@/lib/keyed-lock";
import { actorId, type ServerContext } from "@/server/context";
import type { OpenCallRow } from "@/server/db/chats/rows";
import { canWrite, toViewerKey } from "@/server/db/chats/viewer";
import { completeAction, type CompletedAction } from "@/server/db/sql/machine/complete-action";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";
import {
  type ChatWithCalls,
  readChatWithCalls,
  readChatWithSomeCalls,
} from "@/server/db/sql/reads/chat-reads";
import { appMetrics } from "@/server/metrics/app-metrics";
import {
  type Answer,
  type AnsweredChat,
  checkEach,
  findHadCalls,
  lockAnsweredChats,
  unknownAnswered,
} from "./answered-chats";
import type { ExpectedValue } from "./check-answer";
import {
  answersAll,
  type MaskedResult,
  type OutputError,
  type PlacedResult,
  refuseOutputs,
  toCallOutcome,
  toExpected,
  validateOutputs,
} from "./check-results";
import { hasFiles, takeResultFiles } from "./result-files";

export type Entry = Answer & PlacedResult & MaskedResult;
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
  /** The only call that it is about: the others of its chat need not be read. */
  toolCallId?: string;
  /** @throws {DomainError} for a chat that does not take its results. */
  check: (chat: Parked) => void;
  /** Undefined until validated. Once is enough, unless a call asks something else meanwhile. */
  validated?: { expected: ExpectedValue[]; errors: OutputError[] };
};

const withChatLock = createKeyedLock();

/** The result of one call that waits while others of its chat are stored. */
type Waiting = {
  ctx: ServerContext;
  submission: Submission;
  chat: Submitted;
  toolCallId: string;
  isTaken: boolean;
  outcome: PromiseWithResolvers<BatchOutcome>;
};

/**
 * What has become of a result: it is stored; it is to be validated first; or it is to be looked at alone, as it may be refused, or
 * the chat has changed.
 */
type BatchOutcome = { type: "stored" } | { type: "unchecked"; parked: Parked } | { type: "alone" };

/** By chat. */
const waiting = new Map<string, Set<Waiting>>();

/**
 * Stores results. Chats and calls are read together, and written only if no transition has come between, which is what a
 * row lock would give (docs/adr/0008-use-compare-and-set-for-tool-results.md).
 */
export const submit = async (ctx: ServerContext, submission: Submission): Promise<void> => {
  if ((await submitRemembered(ctx, submission)) || (await storeTogether(ctx, submission))) return;
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

/**
 * Stores the result of one call with those that came for its chat while others were stored. Programs that answer a step call by
 * call would pay for a read and a write of the chat each.
 *
 * @returns false for one that is to be looked at alone.
 */
const storeTogether = async (ctx: ServerContext, submission: Submission): Promise<boolean> => {
  const [chat] = submission.chats;
  const { toolCallId } = submission;
  if (!chat || toolCallId === undefined || hasFiles(chat.entries)) return false;
  if (ctx.db.commitsLater) return false;
  for (;;) {
    const outcome = await joinBatch({ ctx, submission, chat, toolCallId });
    if (outcome.type !== "unchecked") return outcome.type === "stored";
    // Schemas take their time, in which other results are stored.
    if (!(await validate(ctx, [outcome.parked], submission))) return false;
  }
};

const joinBatch = async (result: Omit<Waiting, "isTaken" | "outcome">): Promise<BatchOutcome> => {
  const { chatId } = result.chat;
  const outcome = Promise.withResolvers<BatchOutcome>();
  // It is read when the lock is left.
  outcome.promise.catch(() => undefined);
  const own: Waiting = { ...result, isTaken: false, outcome };
  waiting.set(chatId, (waiting.get(chatId) ?? new Set()).add(own));
  await withChatLock(chatId, async () => {
    if (own.isTaken) return;
    const batch = takeBatch(own);
    try {
      await storeBatch(batch);
    } catch (error) {
      for (const each of batch) each.outcome.reject(error);
    }
  });
  return outcome.promise;
};

/** Takes a result that waits, and all that can be stored with it. */
const takeBatch = (own: Waiting): Waiting[] => {
  const all = waiting.get(own.chat.chatId) ?? new Set();
  const batch = [...all].filter((other) => belongTogether(own, other));
  for (const each of batch) {
    each.isTaken = true;
    all.delete(each);
  }
  if (all.size === 0) waiting.delete(own.chat.chatId);
  return batch;
};

/** Whether two see the chat alike, and their answers count alike. */
const belongTogether = ({ ctx: one }: Waiting, { ctx: other }: Waiting): boolean =>
  one.db === other.db &&
  toViewerKey(one.actor) === toViewerKey(other.actor) &&
  answersAll(one.actor) === answersAll(other.actor);

const storeBatch = async (batch: readonly Waiting[]): Promise<void> => {
  const [first] = batch;
  if (!first) return;
  const { ctx, chat } = first;
  const read = await readChatWithSomeCalls(ctx.db, {
    chatId: chat.chatId,
    viewer: ctx.actor,
    toolCallIds: batch.map(({ toolCallId }) => toolCallId),
  });
  const fitting = read && canWrite(ctx.actor, read.chat) ? findFitting(batch, read) : [];
  for (const each of batch) if (!fitting.includes(each)) each.outcome.resolve({ type: "alone" });
  if (!read || fitting.length === 0) return;
  const entries = fitting.flatMap((each) => each.chat.entries);
  const parked = { ...chat, ...read, entries, hadCalls: true };
  const outcomes = fitting.flatMap(
    (each) => toAction(each.ctx, { ...parked, entries: each.chat.entries }).outcomes,
  );
  const completed = await completeAction(ctx.db, { ...toAction(ctx, parked), outcomes });
  if (completed) announce(ctx, [completed], [parked]);
  for (const each of fitting) each.outcome.resolve({ type: completed ? "stored" : "alone" });
};

/** Finds those that can be stored as they are, one of each call. Those that are to be validated learn it. */
const findFitting = (batch: readonly Waiting[], read: ReadChat): Waiting[] => {
  const found = new Map<string, Waiting>();
  for (const each of batch) {
    if (found.has(each.toolCallId)) continue;
    const parked = { ...each.chat, ...read, hadCalls: true };
    try {
      if (isChecked([parked], each.submission)) found.set(each.toolCallId, each);
      else each.outcome.resolve({ type: "unchecked", parked });
    } catch (error) {
      // It is refused when it is looked at alone.
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return [...found.values()];
};

/** @throws {DomainError} `not_found`. */
const readParked = async (
  { db, actor: viewer }: ServerContext,
  { chats, toolCallId }: Submission,
): Promise<Parked[]> => {
  const parked: Parked[] = [];
  for (const chat of chats) {
    const search = { chatId: chat.chatId, viewer };
    const read: ReadChat | undefined = await (toolCallId === undefined
      ? readChatWithCalls(db, search)
      : readChatWithSomeCalls(db, { ...search, toolCallIds: [toolCallId] }));
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
  if (completed) announce(ctx, completed, parked);
  return completed !== undefined;
};

const announce = (
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
