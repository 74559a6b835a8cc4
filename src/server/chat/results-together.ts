import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { canWrite, toViewerKey } from "@/server/db/chats/viewer";
import { completeAction } from "@/server/db/sql/machine/complete-action";
import { readChatWithSomeCalls } from "@/server/db/sql/reads/chat-reads";
import { answersAll } from "./check-results";
import {
  announce,
  isChecked,
  type Parked,
  type ReadChat,
  type Submission,
  type Submitted,
  toAction,
  validate,
  withChatLock,
} from "./parked-results";
import { hasFiles } from "./result-files";

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
 * Stores the result of one call with those that came for its chat while others were stored. Programs that answer a step call by
 * call would pay for a read and a write of the chat each.
 *
 * @returns false for one that is to be looked at alone.
 */
export const storeTogether = async (
  ctx: ServerContext,
  submission: Submission,
): Promise<boolean> => {
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
