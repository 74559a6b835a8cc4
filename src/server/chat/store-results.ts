import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { canWrite } from "@/server/db/chats/viewer";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";
import {
  completeAction,
  type CompletedAction,
  type Completion,
} from "@/server/db/sql/machine/complete-action";
import { readChatWithCalls, readChatWithSomeCalls } from "@/server/db/sql/reads/chat-reads";
import { findHadCalls, lockAnsweredChats, unknownAnswered } from "./answered-chats";
import { refuseOutputs } from "./check-results";
import {
  announce,
  complete,
  isChecked,
  type Parked,
  type ReadChat,
  type Submission,
  toAction,
  validate,
  withChatLock,
} from "./parked-results";
import { hasFiles, takeResultFiles } from "./result-files";
import { storeTogether } from "./results-together";

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
  while (!(await withChatLock(first?.chatId ?? "", tryToStore))) {
    // Schemas take their time, in which other results are stored.
    if (parked && !(await validate(ctx, parked, submission))) parked = undefined;
  }
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

/** @returns false when the chats must be read again, as one has changed. */
const store = async (
  ctx: ServerContext,
  parked: readonly Parked[],
  submission: Submission,
): Promise<boolean> => {
  refuseOutputs(submission.validated?.errors ?? []);
  const chats = parked.map((chat) => ({ ...chat, action: toAction(ctx, chat) }));
  const [first, ...others] = chats;
  if (first && others.length === 0 && !hasFiles(first.entries)) {
    return (await complete(ctx, first, first.action)) !== undefined;
  }
  const completed = await completeActions(ctx, chats);
  if (completed) announce(ctx, completed, parked);
  return completed !== undefined;
};

/** @returns undefined when a chat has changed since it was read, and nothing was written. */
const completeActions = (
  ctx: ServerContext,
  parked: readonly (Parked & { action: Completion })[],
): Promise<CompletedAction[] | undefined> =>
  ctx.db.transaction(async (tx) => {
    if (parked.some(({ entries }) => hasFiles(entries))) await lockArtifacts(tx, ctx.actor);
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
