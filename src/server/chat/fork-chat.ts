import type { ChatStatus } from "@/contract/chat";
import { DomainError } from "@/contract/domain-error";
import { MAX_TITLE_LENGTH } from "@/contract/limits";
import type { ServerContext } from "@/server/context";
import type { Transaction } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { listUndelivered } from "@/server/db/tasks/task-reads";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";
import { shareArtifacts } from "@/server/db/sql/machine/artifact-shares";
import {
  copyMessages,
  type ForkableMessage,
  insertFork,
  listForkable,
  restAfterCalls,
} from "@/server/db/sql/machine/fork-writes";
import { insertEventMessage } from "@/server/db/sql/machine/message-writes";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { toLeftReport } from "@/server/machine/report-part";
import { requireNewChats } from "./viewer-labels";

type ForkChat = {
  chatId: string;
  /** The last message that the fork takes over; the last one of the chat by default. */
  afterSeq?: number | undefined;
  title?: string | undefined;
};

/**
 * Makes a chat with the settings of another one, its messages up to one of them, and its files. The fork rests. The chat that
 * it comes from does not change; what its tasks and agents do remains there.
 *
 * @throws {DomainError} `forbidden` for a token of one chat; `not_found`; `conflict` while a turn of the chat is active, or when it is archived; `invalid` for
 *   the chat of an agent, or when the message is unknown.
 */
export const forkChat = (ctx: ServerContext, { chatId, afterSeq, title }: ForkChat) =>
  ctx.db.transaction(async (tx): Promise<ChatRow> => {
    requireNewChats(ctx.actor);
    await lockArtifacts(tx, ctx.actor);
    const origin = await lockActorsChat(tx, ctx, chatId);
    requireForkable(origin);
    const cut = cutHistory(await listForkable(tx, origin.id), afterSeq);
    const left = await listLeftTasks(tx, origin, cut);
    const turnIds = createTurnIds(ctx.newId);
    const fork = await insertFork(tx, {
      viewer: ctx.actor,
      forkId: ctx.newId(),
      originId: origin.id,
      title: title ?? toForkTitle(origin.title),
      seq: cut.last.seq,
      lastSeq: cut.last.seq + (left.length > 0 ? 1 : 0),
      turnId: turnIds(cut.last.turnId),
    });
    const copies = cut.kept.map(({ id, turnId }) => ({
      id,
      newId: ctx.newId(),
      newTurnId: turnIds(turnId),
    }));
    await copyMessages(tx, fork.id, copies);
    const lastCopy = copies.at(-1);
    if (lastCopy && cut.next?.turnId === cut.last.turnId) await restAfterCalls(tx, lastCopy.newId);
    if (left.length > 0) {
      const { id: forkId, lastSeq: seq, turnId } = fork;
      const message = { id: ctx.newId(), chatId: forkId, seq, turnId, revision: fork.version };
      await insertEventMessage(tx, { ...message, parts: left.map(toLeftReport) });
    }
    const before = cut.next?.createdAt ?? null;
    await shareArtifacts(tx, { originId: origin.id, forkId: fork.id, before });
    return fork;
  });

const RESTS: ReadonlySet<ChatStatus> = new Set(["waiting", "error"]);

const requireForkable = ({ parentChatId, archivedAt, status }: ChatRow): void => {
  if (parentChatId !== null) {
    throw new DomainError("invalid", "Only a root chat can be forked.", { shouldRetry: false });
  }
  if (archivedAt !== null) {
    throw new DomainError("conflict", "An archived chat cannot be forked.", { shouldRetry: false });
  }
  if (RESTS.has(status)) return;
  throw new DomainError("conflict", `The chat cannot be forked while its status is "${status}".`);
};

type Cut = {
  /** Up to the last one. */
  kept: readonly ForkableMessage[];
  last: ForkableMessage;
  /** The first one that is left out. */
  next: ForkableMessage | undefined;
};

const cutHistory = (messages: readonly ForkableMessage[], afterSeq: number | undefined): Cut => {
  const index = messages.findLastIndex(({ seq }) => afterSeq === undefined || seq === afterSeq);
  const last = messages[index];
  if (!last) {
    throw new DomainError("invalid", `There is no message ${afterSeq} in this chat.`, {
      errors: [{ pointer: "/after_seq", message: "names no message of the chat" }],
    });
  }
  return { kept: messages.slice(0, index + 1), last, next: messages[index + 1] };
};

/** The tasks that calls of the fork have begun, and whose reports it does not have. Most chats have no tasks. */
const listLeftTasks = async (tx: Transaction, { id, taskVersion }: ChatRow, { next }: Cut) =>
  taskVersion === 0 ? [] : listUndelivered(tx, { chatId: id, at: next?.createdAt ?? null });

/** Gives each turn of the chat another id in the fork. */
const createTurnIds = (newId: () => string) => {
  const ids = new Map<string, string>();
  return (turnId: string): string => {
    const id = ids.get(turnId) ?? newId();
    ids.set(turnId, id);
    return id;
  };
};

const SUFFIX = " (branch)";

const toForkTitle = (title: string): string =>
  title.endsWith(SUFFIX)
    ? title
    : `${title.slice(0, MAX_TITLE_LENGTH - SUFFIX.length).toWellFormed()}${SUFFIX}`;
