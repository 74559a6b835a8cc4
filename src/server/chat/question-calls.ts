import { isUnavailable } from "@/contract/domain-error";
import type { Database, Transaction } from "@/server/db/connection/database";
import { listOpenCalls } from "@/server/db/chats/call-reads";
import { resumeCall, saveOutcomes } from "@/server/db/sql/machine/call-writes";
import { type ChatRow, waitsForClient } from "@/server/db/chats/rows";
import { listAbandonedQuestions } from "@/server/db/sql/machine/abandoned-questions";
import { lockChat } from "@/server/db/sql/machine/row-locks";
import { closedOutcome } from "@/server/tools/settle";
import { applyTransition } from "@/server/machine/transition";

type Deps = { db: Database; newId: () => string };

/** A question of a call: how many the call has asked says which one. */
export type QuestionCall = { chatId: string; toolCallId: string; questionCount: number };

/**
 * Resumes a call whose question has no answer but is closed: its server has withdrawn it, or the call has ended. Does
 * nothing if the question is not open.
 */
export const resumeQuestionCall = ({ db, newId }: Deps, call: QuestionCall): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockChat(tx, call.chatId);
    if (chat?.status !== "requires_action") return;
    const open = await listOpenCalls(tx, chat.id);
    const asking = open.find(
      ({ toolCallId, state, elicitations }) =>
        toolCallId === call.toolCallId &&
        state === "awaiting_result" &&
        elicitations?.length === call.questionCount,
    );
    if (!asking) return;
    const revision = chat.version + 1;
    await resumeCall(tx, { chatId: chat.id, revision, toolCallId: asking.toolCallId });
    await leave(tx, chat, {
      newId,
      isWaiting: open.some((each) => each !== asking && waitsForClient(each)),
    });
  });

/** Chats that are read at once. */
const BATCH = 100;

/**
 * Ends calls of parked chats whose question is open although the process with their connection is gone. Whether they
 * took effect is unknown. Rejects at once when the database is away; when a chat fails, after the others are done.
 */
export const endAbandonedCalls = async ({
  batch = BATCH,
  ...deps
}: Deps & { owner: string; batch?: number }): Promise<void> => {
  const { db, owner } = deps;
  const failures = new Map<string, unknown>();
  for (;;) {
    const limit = batch + failures.size;
    const chatIds = await listAbandonedQuestions(db, { owner, limit });
    for (const chatId of chatIds.filter((id) => !failures.has(id))) {
      const ended = db.transaction((tx) => endChatCalls(tx, { ...deps, chatId }));
      await ended.catch((error: unknown) => {
        if (isUnavailable(error)) throw error;
        failures.set(chatId, error);
      });
    }
    if (chatIds.length < limit) break;
  }
  for (const error of failures.values()) throw error;
};

const endChatCalls = async (
  tx: Transaction,
  { chatId, owner, newId }: Omit<Deps, "db"> & { chatId: string; owner: string },
): Promise<void> => {
  const chat = await lockChat(tx, chatId);
  // Its holder may be back, or may have stopped asking.
  const abandoned = await listAbandonedQuestions(tx, { owner, chatId, limit: 1 });
  if (!chat || abandoned.length === 0) return;
  const open = await listOpenCalls(tx, chatId);
  const asking = open.filter(({ kind, state }) => kind === "mcp" && state === "awaiting_result");
  await saveOutcomes(tx, {
    chatId,
    revision: chat.version + 1,
    outcomes: asking.map(({ toolCallId }) => ({ toolCallId, ...closedOutcome("server_stopped") })),
  });
  await leave(tx, chat, {
    newId,
    isWaiting: open.some((each) => !asking.includes(each) && waitsForClient(each)),
  });
};

/** The chat stays parked while it waits for other calls. */
const leave = async (
  tx: Transaction,
  chat: ChatRow,
  { newId, isWaiting }: { newId: () => string; isWaiting: boolean },
): Promise<void> => {
  await applyTransition(tx, chat, {
    event: isWaiting ? "decide_some" : "decide_last",
    newId,
    by: "worker",
    closeReason: "superseded",
    written: { historyChanged: true },
  });
};
