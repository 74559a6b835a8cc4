import type { ChatError } from "@/contract/chat-error";
import type { Database, Transaction } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { settleEndedCalls } from "@/server/db/sql/machine/call-writes";
import { releaseChat } from "@/server/db/sql/machine/claim";
import { toFence } from "@/server/db/sql/machine/fence";
import { insertPartialMessage } from "@/server/db/sql/machine/message-writes";
import { markReported } from "@/server/db/sql/machine/task-writes";
import { deferChat } from "@/server/db/sql/machine/turn-retries";
import { type LostUses, recordLostUses } from "@/server/db/sql/writes/usage";
import { lockLeasedChat } from "@/server/machine/lock-chat";
import type { TransitionPayload } from "@/server/machine/change";
import { applyTransition } from "@/server/machine/transition";
import { wakeChat } from "@/server/tasks/task-reports";
import type { NextStep } from "./decide-next";
import type { GeneratedStep } from "./generate-step";
import type { PartialTurn, StopReason, TurnDeps, TurnEnd } from "./turn-deps";

/** Ends the turn after its last commit. The head of a queue that is not empty starts the next turn. */
export const endTurn = async (deps: TurnDeps, chat: ChatRow, next: NextStep): Promise<TurnEnd> => {
  if (chat.status === "running" && next.type === "finish") await finishTurn(deps, chat);
  else if (chat.status === "waiting" && chat.reportCount > 0) await wakeChat(deps, chat.id);
  deps.meter.record("turns", {
    ending: next.type === "park" || next.type === "wait" ? "parked" : "finished",
  });
  return "done";
};

/**
 * Ends the turn after a refused write. Either another worker holds the chat, and nothing happens, or a
 * person has interrupted it, and this worker has to commit the interruption.
 */
export const abandonTurn = async (
  deps: TurnDeps,
  chat: ChatRow,
  partial: PartialTurn,
): Promise<TurnEnd> => {
  await endInterrupted(deps, chat, partial);
  deps.meter.record("turns", { ending: "lost" });
  return "done";
};

/** Releases the chat to other workers, or commits an interruption that came meanwhile. */
export const releaseTurn = async (
  deps: TurnDeps,
  chat: ChatRow,
  partial: PartialTurn,
): Promise<TurnEnd> => {
  await endInterrupted(deps, chat, partial);
  const { chatId, leaseToken } = toFence(chat);
  await releaseChat(deps.db, { chatId, leaseToken });
  deps.meter.record("turns", { ending: "shutdown" });
  return "done";
};

/** Ends the turn of an aborted signal by its reason; a turn that is `lost` belongs to another worker already. */
export const stopTurn = async (
  deps: TurnDeps,
  chat: ChatRow,
  partial: PartialTurn,
): Promise<TurnEnd> => {
  const reason = deps.signal.reason as StopReason;
  if (reason === "shutdown") return releaseTurn(deps, chat, partial);
  await endInterrupted(deps, chat, partial);
  deps.meter.record("turns", { ending: reason });
  return "done";
};

/** Releases the chat until its next try, unless an interruption came meanwhile. */
export const deferTurn = async (
  deps: TurnDeps,
  { chat, retry }: Extract<GeneratedStep, { type: "deferred" }>,
): Promise<TurnEnd> => {
  const deferred = await deferChat(deps.db, toFence(chat), retry);
  if (!deferred) return abandonTurn(deps, chat, {});
  deps.recent.add({ chat: deferred, messages: [] });
  deps.onDeferred(retry.delay_ms);
  deps.meter.record("turns", { ending: "deferred" });
  return "done";
};

/** Commits an interruption, if there is one; otherwise the partial answer is lost, but what it has cost counts. */
const endInterrupted = async (
  deps: TurnDeps,
  chat: ChatRow,
  partial: PartialTurn,
): Promise<void> => {
  const { db, recent, isLeaseFresh } = deps;
  if (await finishInterruption(deps, chat, partial)) return;
  // They were closed while they ran; without a lease, by another worker, which has reported them.
  if (isLeaseFresh()) db.reportEnded({ chatId: chat.id, calls: partial.ran ?? [] });
  const lost = toLostUses(partial);
  if (lost.uses.length === 0) return;
  const charged = await recordLostUses(db, chat, lost);
  if (charged) recent.add({ chat: charged, messages: [] });
};

const toLostUses = ({ partial, settled, summaryUses }: PartialTurn): LostUses => {
  if (summaryUses) return { kind: "compaction", uses: summaryUses };
  return settled
    ? { kind: "advisor", uses: settled.uses }
    : { kind: "turn", uses: partial?.use ? [partial.use] : [] };
};

type EndDeps = { db: Database; newId: () => string };

/** Ends the turn of a held chat; the queue's head, if there is one, starts the next turn. */
export const finishTurn = ({ db, newId }: EndDeps, held: ChatRow): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockLeasedChat(tx, held);
    if (!chat) return;
    await applyTransition(tx, chat, {
      event: chat.status === "interrupting" ? "finish_interruption" : "finish_turn",
      newId,
      by: "worker",
      closeReason: "superseded",
    });
  });

/**
 * Commits what an interrupted turn has made and closes its open calls. Then the chat rests, or the
 * queue's head starts the next turn. A turn that has made nothing leaves no message.
 *
 * @returns false, without a change, if the chat is not held or not interrupted.
 */
export const finishInterruption = (
  { db, newId }: EndDeps,
  held: ChatRow,
  partial: PartialTurn,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const chat = await lockLeasedChat(tx, held);
    if (chat?.status !== "interrupting") return false;
    await applyTransition(tx, chat, {
      event: "finish_interruption",
      newId,
      by: "worker",
      closeReason: "interrupted",
      written: await writePartial(tx, chat, { partial, newId }),
    });
    return true;
  });

/**
 * Ends the turn of a held chat with an error that retrying cannot cure, and keeps what the turn has made. The
 * lease alone is the fence, as after a throw the worker may not know whether its last commit succeeded.
 */
export const failTurn = (
  { db, newId }: EndDeps,
  { id, leaseToken }: Pick<ChatRow, "id" | "leaseToken">,
  { error, ...partial }: PartialTurn & { error: ChatError },
): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockLeasedChat(tx, { id, leaseToken });
    if (!chat) return;
    const isInterrupted = chat.status === "interrupting";
    await applyTransition(tx, chat, {
      event: isInterrupted ? "finish_interruption" : "fail_turn",
      newId,
      by: "worker",
      // The calls of an answer that is not complete have not run.
      closeReason: partial.partial ? "answer_failed" : "turn_failed",
      lastError: error,
      written: await writePartial(tx, chat, { partial, newId }),
    });
  });

/** Writes what a turn has made that did not come to its end. */
const writePartial = async (
  tx: Transaction,
  chat: ChatRow,
  {
    partial: { partial, settled, summaryUses },
    newId,
  }: { partial: PartialTurn; newId: () => string },
): Promise<NonNullable<TransitionPayload["written"]>> => {
  const revision = chat.version + 1;
  if (summaryUses) return { uses: { messageId: null, kind: "compaction", uses: summaryUses } };
  if (settled) {
    await settleEndedCalls(tx, { ...settled, revision });
    tx.reportEnded({ chatId: chat.id, calls: settled.calls });
    const reportedTasks = settled.calls.flatMap((call) => call.reportedTasks ?? []);
    const delivered = await markReported(tx, { chatId: chat.id, reportedTasks, revision });
    return {
      historyChanged: true,
      reportGrowth: -delivered,
      uses: { ...settled, kind: "advisor" },
    };
  }
  if (!partial) return {};
  const { use, ...message } = partial;
  const uses = use ? [use] : [];
  if (message.parts.length === 0) return { uses: { messageId: null, kind: "turn", uses } };
  const id = newId();
  await insertPartialMessage(tx, {
    id,
    chatId: chat.id,
    seq: chat.lastSeq + 1,
    turnId: chat.turnId,
    revision,
    ...message,
    usage: use?.usage,
  });
  return {
    historyChanged: true,
    newMessages: 1,
    uses: { messageId: id, kind: "turn", uses },
  };
};
