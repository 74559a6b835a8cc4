import type { ChatError } from "@/contract/chat-error";
import { settleEndedCalls } from "@/server/db/sql/machine/call-writes";
import type { Database, Transaction } from "@/server/db/connection/database";
import { insertPartialMessage } from "@/server/db/sql/machine/message-writes";
import type { ChatRow } from "@/server/db/chats/rows";
import { markReported } from "@/server/db/sql/machine/task-writes";
import { lockLeasedChat } from "@/server/machine/lock-chat";
import { applyTransition, type TransitionPayload } from "@/server/machine/transition";
import type { PartialTurn } from "./turn-deps";

/** Ends the turn of a held chat; the queue's head, if there is one, starts the next turn. */
export const finishTurn = (db: Database, held: ChatRow, newId: () => string): Promise<void> =>
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
  db: Database,
  held: ChatRow,
  { partial, newId }: { partial: PartialTurn; newId: () => string },
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

type FailedTurn = { error: ChatError; partial: PartialTurn; newId: () => string };

/**
 * Ends the turn of a held chat with an error that retrying cannot cure, and keeps what the turn has made. The
 * lease alone is the fence, as after a throw the worker may not know whether its last commit succeeded.
 */
export const failTurn = (
  db: Database,
  { id, leaseToken }: Pick<ChatRow, "id" | "leaseToken">,
  { error, partial, newId }: FailedTurn,
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
  { partial: { partial, settled }, newId }: { partial: PartialTurn; newId: () => string },
): Promise<NonNullable<TransitionPayload["written"]>> => {
  const revision = chat.version + 1;
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
