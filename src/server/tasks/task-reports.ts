import type { Database, Transaction } from "@/server/db/connection/database";
import type { ChatRow, MessageRow } from "@/server/db/chats/rows";
import { MAX_RUNNING_TASKS } from "@/contract/limits";
import type { EndedTaskState, TaskKind } from "@/contract/task-state";
import { countOpenTasks } from "@/server/db/tasks/task-reads";
import { lockChat } from "@/server/db/sql/machine/row-locks";
import {
  endTask,
  insertTask,
  type NewTask,
  type TaskEnd,
} from "@/server/db/sql/machine/task-writes";
import { ToolFailure } from "@/server/tools/tool-result";
import { lockLeasedChat } from "@/server/machine/lock-chat";
import { meterDelivery, meterEnd } from "@/server/machine/meter-tasks";
import { applyTransition } from "@/server/machine/transition";

type Deps = { db: Database; newId: () => string };

const BY = { by: "worker", closeReason: "superseded" } as const;

/**
 * Records that a task has begun.
 *
 * @throws {ToolFailure} when the chat has as many as it may have, or is gone.
 */
export const beginTask = ({ db, newId }: Deps, task: Omit<NewTask, "revision">): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockChat(tx, task.chatId);
    if (!chat) throw new ToolFailure("The chat is gone, so that the task did not begin.");
    if ((await countOpenTasks(tx, chat.id)) >= MAX_RUNNING_TASKS) {
      throw new ToolFailure(
        `The task did not begin: this chat has ${MAX_RUNNING_TASKS} that run. Wait for a report, or cancel one.`,
      );
    }
    await insertTask(tx, { ...task, revision: chat.version + 1 });
    await applyTransition(tx, chat, { event: "note_task", newId, ...BY });
  });

/** A task that has ended, and the message in which reports have entered the history. */
type EndedTask = { kind: TaskKind; state: EndedTaskState; reports: MessageRow | undefined };

/**
 * Records how a task has ended, the first time. A chat that rests goes on with the report; otherwise the report waits for
 * the next step of its turn, or for its next turn.
 *
 * @returns false when it has ended before, or is gone.
 */
export const completeTask = async (
  { db, newId }: Deps,
  { taskId, chatId, ...end }: TaskEnd & { taskId: string; chatId: string },
): Promise<boolean> => {
  const ended = await db.transaction(async (tx) => {
    const chat = await lockChat(tx, chatId);
    return chat && endLockedTask(tx, newId, { chat, taskId, ...end });
  });
  if (!ended) return false;
  meterEnd(ended);
  await meterDelivery(db, ended.reports);
  return true;
};

/** Does the same for a locked chat. @returns undefined when it has ended before, or is gone. */
export const endLockedTask = async (
  tx: Transaction,
  newId: () => string,
  { chat, taskId, ...end }: TaskEnd & { chat: ChatRow; taskId: string },
): Promise<EndedTask | undefined> => {
  const revision = chat.version + 1;
  const ended = await endTask(tx, { taskId, chatId: chat.id, revision, ...end });
  if (!ended) return undefined;
  const { kind, shouldReport } = ended;
  const reportGrowth = shouldReport ? 1 : 0;
  const { reports } = await applyTransition(tx, chat, {
    event: eventAfterEnds(chat, reportGrowth),
    newId,
    ...BY,
    written: { reportGrowth },
  });
  return { kind, state: end.state, reports };
};

/**
 * Lets a chat go on that rests with reports, such as one whose turn has ended while they came.
 *
 * @returns undefined when it does not rest with any.
 */
export const wakeChat = async (
  { db, newId }: Deps,
  chatId: string,
): Promise<ChatRow | undefined> => {
  const woken = await db.transaction(async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (!chat || !isWoken(chat)) return undefined;
    return applyTransition(tx, chat, { event: "wake", newId, ...BY });
  });
  await meterDelivery(db, woken?.reports);
  return woken?.chat;
};

type Wakeable = Pick<
  ChatRow,
  "status" | "archivedAt" | "queuePaused" | "wakeOnReports" | "reportCount" | "wakesLeft"
>;

/** A queue that a person has paused keeps reports back, too: they have stopped the chat. */
export const isWoken = (chat: Wakeable): boolean =>
  chat.status === "waiting" &&
  chat.archivedAt === null &&
  !chat.queuePaused &&
  chat.wakeOnReports &&
  chat.reportCount > 0 &&
  chat.wakesLeft > 0;

/** The fields of a chat that decide how a report is delivered. */
type ReportedChat = Wakeable & Pick<ChatRow, "turnSteps" | "attempt" | "notBefore">;

/** @param reports how many have come. @returns by which event a chat that does not wait for agents takes them. */
export const eventAfterEnds = (
  chat: ReportedChat,
  reports: number,
): "wake" | "take_reports" | "note_task" => {
  const reportCount = chat.reportCount + reports;
  if (isWoken({ ...chat, reportCount })) return "wake";
  return reportCount > 0 && isAtStart(chat) ? "take_reports" : "note_task";
};

/**
 * Whether a turn has not begun. One that was given back goes on with its tries and its delay, which a change of its
 * history would end.
 */
const isAtStart = ({ status, turnSteps, attempt, notBefore }: ReportedChat): boolean =>
  status === "pending" && turnSteps === 0 && attempt === 0 && notBefore === null;

/**
 * Lets the reports that wait enter the history of a turn that runs.
 *
 * @returns undefined when the lease is lost or the history has changed: nothing is written then.
 */
export const takeTurnReports = async (
  { db, newId }: Deps,
  held: ChatRow,
): Promise<{ chat: ChatRow; message: MessageRow | undefined } | undefined> => {
  const taken = await db.transaction(async (tx: Transaction) => {
    const chat = await lockLeasedChat(tx, held);
    if (chat?.status !== "running") return undefined;
    const { chat: after, reports } = await applyTransition(tx, chat, {
      event: "take_reports",
      newId,
      ...BY,
    });
    return { chat: after, message: reports };
  });
  await meterDelivery(db, taken?.message);
  return taken;
};
