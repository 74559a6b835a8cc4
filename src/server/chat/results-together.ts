import { setTimeout as sleep } from "node:timers/promises";
import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { canRead, canWrite, toViewerKey } from "@/server/db/chats/viewer";
import { readChatWithCalls, readChatWithSomeCalls } from "@/server/db/sql/reads/chat-reads";
import { answersAll } from "./check-results";
import {
  complete,
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

/** The results of a chat that waits for several. */
type Queue = {
  waiting: Set<Waiting>;
  batches: number;
  /** Whether results came while others were stored. */
  isBusy: boolean;
  /** The chat as the results before have left it, with all of its open calls. It counts only if the write proves the version. */
  known: ReadChat | undefined;
};

/**
 * How long results are waited for when they follow each other: programs that work at the same time send the next ones within it,
 * so that these cost one write.
 */
const GATHER_MS = 2;

/** Most chats of which is known what they wait for: enough for those that programs answer at the moment. */
const MAX_CHATS = 16;

/** By chat; those that were answered last come last. */
const queues = new Map<string, Queue>();

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
  const queue = queues.get(chatId) ?? {
    waiting: new Set(),
    batches: 0,
    isBusy: false,
    known: undefined,
  };
  queues.delete(chatId);
  queues.set(chatId, queue);
  queue.waiting.add(own);
  await withChatLock(chatId, async () => {
    if (own.isTaken) return;
    if (queue.isBusy) await sleep(GATHER_MS);
    const batch = takeBatch(queue, own);
    try {
      await storeBatch(queue, batch);
    } catch (error) {
      for (const each of batch) each.outcome.reject(error);
    }
    queue.batches += 1;
    queue.isBusy = batch.length > 1 || queue.waiting.size > 0;
    if (queue.known?.openCalls.length === 0) queues.delete(chatId);
    const oldest = queues.keys().next();
    if (queues.size > MAX_CHATS && !oldest.done) queues.delete(oldest.value);
  });
  return outcome.promise;
};

/** Takes a result that waits, and all that can be stored with it. */
const takeBatch = ({ waiting }: Queue, own: Waiting): Waiting[] => {
  const batch = [...waiting].filter((other) => belongTogether(own, other));
  for (const each of batch) {
    each.isTaken = true;
    waiting.delete(each);
  }
  return batch;
};

/** Whether two see the chat alike, and their answers count alike. */
const belongTogether = ({ ctx: one }: Waiting, { ctx: other }: Waiting): boolean =>
  one.db === other.db &&
  toViewerKey(one.actor) === toViewerKey(other.actor) &&
  answersAll(one.actor) === answersAll(other.actor);

const storeBatch = async (queue: Queue, batch: readonly Waiting[]): Promise<void> => {
  const others = queue.known ? await storeIn(queue, queue.known, batch) : batch;
  const read = await readFor(queue, others);
  const unstored = read ? await storeIn(queue, read, others) : others;
  for (const each of unstored) each.outcome.resolve({ type: "alone" });
};

/** Reads the calls that are answered. All are read once: of a chat that changes between, they would not be known for long. */
const readFor = async (
  { batches }: Queue,
  batch: readonly Waiting[],
): Promise<ReadChat | undefined> => {
  const [first] = batch;
  if (!first) return undefined;
  const search = { chatId: first.chat.chatId, viewer: first.ctx.actor };
  if (batches === 1) return readChatWithCalls(first.ctx.db, search);
  const toolCallIds = batch.map(({ toolCallId }) => toolCallId);
  return readChatWithSomeCalls(first.ctx.db, { ...search, toolCallIds });
};

/** @returns those that fit, but are not stored, as the chat has changed. */
const storeIn = async (
  queue: Queue,
  read: ReadChat,
  batch: readonly Waiting[],
): Promise<readonly Waiting[]> => {
  const [first] = batch;
  if (!first) return [];
  const { ctx, chat } = first;
  const mayWrite = canRead(ctx.actor, read.chat) && canWrite(ctx.actor, read.chat);
  const fitting = mayWrite ? findFitting(batch, read) : [];
  for (const each of batch) if (!fitting.includes(each)) each.outcome.resolve({ type: "alone" });
  if (fitting.length === 0) return [];
  const entries = fitting.flatMap((each) => each.chat.entries);
  const parked = { ...chat, ...read, entries, hadCalls: true };
  const outcomes = fitting.flatMap(
    (each) => toAction(each.ctx, { ...parked, entries: each.chat.entries }).outcomes,
  );
  queue.known = undefined;
  const completed = await complete(ctx, parked, { ...toAction(ctx, parked), outcomes });
  if (!completed) return fitting;
  if (!read.hasOtherCalls) {
    const answered = new Set(fitting.map(({ toolCallId }) => toolCallId));
    const openCalls = read.openCalls.filter(({ toolCallId }) => !answered.has(toolCallId));
    queue.known = { chat: completed.chat, openCalls };
  }
  for (const each of fitting) each.outcome.resolve({ type: "stored" });
  return [];
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
