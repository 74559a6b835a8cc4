import { DomainError } from "@/contract/domain-error";
import { MAX_QUEUED_MESSAGES } from "@/contract/limits";
import type { Queryable } from "@/server/db/connection/database";
import { listOpenCalls, type OpenCall } from "@/server/db/chats/call-reads";
import { deleteMessage, deleteMessagesFrom } from "@/server/db/sql/machine/message-writes";
import {
  clearQueue,
  enqueueMessage,
  moveToQueueHead,
  steerQueued,
  takeQueueHead,
  takeQueuedMessage,
} from "@/server/db/sql/machine/queue-writes";
import type { ChatRow, QueuedMessageRow } from "@/server/db/chats/rows";
import { endTransition, type LockedEvent } from "@/server/db/sql/machine/locked-transition";
import { requireOutcome } from "@/server/machine/table/require-outcome";
import type { Effect } from "@/server/machine/table/transition-table";
import { tooManyGroupTools } from "@/server/tools/group-tools";
import type { Applied, Change, TransitionPayload } from "./change";
import { beginTurn, closeCalls, enterEvent, enterHistory, enterReports } from "./enter-history";
import { chooseReplaced, replaceFromTarget, replaceLastAnswer } from "./replace-messages";

/**
 * Applies one event to a locked chat: checks it against the state table, writes its effects and raises
 * the version by one. Call it once in a transaction, after `lockChat`.
 *
 * @throws {DomainError} `conflict` when the table rejects the event, `limit_exceeded` when the queue is
 *   full, `invalid` for groups with more tools than there is room for, `not_found` when the chosen queued message is gone. The transaction must then roll back.
 */
export const applyTransition = async (
  tx: Queryable,
  chat: ChatRow,
  { event, ...payload }: TransitionPayload & { event: LockedEvent },
): Promise<Applied> => {
  const { effects } = requireOutcome(chat, event);
  const change: Change = {
    tx,
    chat,
    payload,
    version: chat.version + 1,
    closed: [],
    waits: [],
    cancelled: { kinds: [], agentIds: [] },
    historyChanged: false,
    queueChanged: false,
    queueGrowth: 0,
    newMessages: 0,
    reportGrowth: 0,
    newTurnId: null,
    modelId: null,
    choice: undefined,
    lastError: payload.lastError ?? null,
    ...payload.written,
  };
  for (const effect of effects) await EFFECTS[effect](change);
  const saved = await endTransition(tx, { chatId: chat.id, event }, change);
  const { entered, joined, reports, waits, cancelled } = change;
  tx.reportEnded({ chatId: chat.id, calls: findEnded(change, saved.updatedAt) });
  return { chat: saved, entered, joined, reports, waits, cancelled };
};

/** Whether a worker that holds the chat has started a call. */
const isStarted = ({ state, approved }: OpenCall): boolean => state === "running" && !approved;

/**
 * A worker that holds a chat learns that its calls were closed, ends them, and is the one that knows when.
 *
 * @param now the update time of the chat, which all events set that close calls.
 */
const findEnded = ({ chat, payload, closed }: Change, now: Date): readonly OpenCall[] => {
  const end = chat.leaseExpiresAt;
  if (payload.by === "worker" || end === null || !closed.some(isStarted)) return closed;
  return end > now ? closed.filter((call) => !isStarted(call)) : closed;
};

const EFFECTS: Record<Effect, (change: Change) => Promise<void>> = {
  // The same turn, so that its calls still answer the same user message, and its uses of the advisor count on.
  resume_turn: (change) => {
    change.newTurnId = change.chat.turnId;
    return Promise.resolve();
  },
  enter: async (change) => {
    const { message } = change.payload;
    if (!message) throw new Error("there is no message to enter the history");
    const { isOver } = await enterHistory(change, { ...message, createdBy: change.payload.by });
    // Of a message that has waited, nobody could be told any more.
    if (isOver) throw tooManyGroupTools("/mentions/groups");
  },
  join: async (change) => {
    const { message, newId, by } = change.payload;
    if (!message) throw new Error("there is no message to join the queue");
    if (change.chat.queuedCount >= MAX_QUEUED_MESSAGES) {
      throw new DomainError(
        "limit_exceeded",
        `The chat's queue is full: it holds at most ${MAX_QUEUED_MESSAGES} messages.`,
        { retryAfterSeconds: QUEUE_RETRY_AFTER_SECONDS },
      );
    }
    const { chat, tx } = change;
    change.joined = await enqueueMessage(tx, {
      id: newId(),
      chatId: chat.id,
      ...message,
      mentions: message.mentions ?? undefined,
      createdBy: by,
      steers: message.steers ?? false,
    });
    change.queueGrowth += 1;
    change.queueChanged = true;
  },
  joined_to_head: async ({ tx, chat, joined }) => {
    if (!joined) throw new Error("there is no message that joined the queue");
    await moveToQueueHead(tx, chat.id, joined.id);
  },
  head_enters: async (change) => {
    await leaveQueue(change, await takeQueueHead(change.tx, change.chat.id));
  },
  head_steers: async (change) => {
    const head = await takeQueueHead(change.tx, change.chat.id);
    await leaveQueue(change, head, change.chat.turnId);
  },
  chosen_enters: async (change) => {
    await leaveQueue(change, await takeChosen(change));
  },
  chosen_to_head: async (change) => {
    const { tx, chat, payload } = change;
    const moved = await moveToQueueHead(tx, chat.id, payload.queuedId ?? "");
    if (!moved) throw unknownQueued(payload.queuedId);
    change.queueChanged = true;
  },
  chosen_steers: async (change) => {
    const { tx, chat, payload } = change;
    const steers = await steerQueued(tx, chat.id, payload.queuedId ?? "");
    if (!steers) throw unknownQueued(payload.queuedId);
    change.queueChanged = true;
  },
  remove_chosen: async (change) => {
    await takeChosen(change);
    change.queueGrowth -= 1;
    change.queueChanged = true;
  },
  clear_queue: async (change) => {
    const { tx, chat } = change;
    if (chat.queuedCount === 0) return;
    await clearQueue(tx, chat.id);
    change.queueGrowth = -chat.queuedCount;
    change.queueChanged = true;
  },
  truncate: replaceFromTarget,
  drop_answer: replaceLastAnswer,
  choose: chooseReplaced,
  drop_partial: async (change) => {
    const { targetSeq } = change.payload;
    if (targetSeq !== undefined) await deleteFrom(change, targetSeq);
  },
  close_calls: (change) => closeCalls(change),
  close_due_calls: (change) => closeCalls(change, change.payload.dueCalls),
  // They begin a turn only in a chat that rests.
  reports_enter: (change) =>
    enterReports(change, change.chat.status === "waiting" ? beginTurn(change) : change.chat.turnId),
  set_boundary: async (change) => {
    const { boundary } = change.payload;
    if (!boundary) throw new Error("there is no boundary to write");
    await enterEvent(change, { turnId: change.chat.turnId, parts: [boundary] });
  },
  drop_boundary: async (change) => {
    const { tx, chat, payload, version } = change;
    await deleteMessage(tx, { chatId: chat.id, seq: payload.targetSeq ?? 0, revision: version });
    change.historyChanged = true;
  },
};

/** About the time of a short turn, after which the queue has a free place. */
const QUEUE_RETRY_AFTER_SECONDS = 5;

const unknownQueued = (queuedId = "") =>
  new DomainError("not_found", `There is no queued message "${queuedId}" in this chat.`);

const takeChosen = async (change: Change): Promise<QueuedMessageRow> => {
  const { tx, chat, payload } = change;
  const queued = await takeQueuedMessage(tx, chat.id, payload.queuedId ?? "");
  if (!queued) throw unknownQueued(payload.queuedId);
  return queued;
};

const leaveQueue = async (
  change: Change,
  queued: QueuedMessageRow | undefined,
  turnId?: string,
): Promise<void> => {
  if (!queued) throw new Error(`the queue of chat ${change.chat.id} is empty but counted`);
  change.queueGrowth -= 1;
  change.queueChanged = true;
  await enterHistory(change, queued, turnId);
};

const deleteFrom = async (change: Change, seq: number): Promise<void> => {
  const { tx, chat, version } = change;
  change.closed.push(...(await listOpenCalls(tx, chat.id)));
  await deleteMessagesFrom(tx, { chatId: chat.id, seq, revision: version });
  change.historyChanged = true;
};
