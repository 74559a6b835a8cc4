import { DomainError } from "@/contract/domain-error";
import { actorId, type ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import type { TaskReport, TaskRow } from "@/server/db/chats/rows";
import { listTasks, readTask } from "@/server/db/tasks/task-reads";
import { isUuid } from "@/lib/is-uuid";
import { lockWritableChat } from "@/server/db/sql/machine/row-locks";
import type { TaskDeps, TaskSummary } from "@/server/tasks/tools/task-deps";
import { meterEnd } from "@/server/machine/meter-tasks";
import { interruptAgent, stopChatAgent } from "@/server/agents/direct-agents";
import { completeTask, endLockedTask } from "@/server/tasks/task-reports";

const CANCELLED: TaskReport = {
  output: "Cancelled: this was stopped before it had an outcome.",
  for_user: null,
  artifacts: [],
};

/** What the tools for tasks use. */
export const createTaskDeps = (deps: { db: Database; newId: () => string }): TaskDeps => ({
  listTasks: async (chatId, taskId) => {
    if (taskId !== undefined && !isUuid(taskId)) return [];
    return (await listTasks(deps.db, chatId, taskId)).map(toSummary);
  },
  cancelTask: async (chatId, taskId) => {
    const task = await readTask(deps.db, taskId);
    if (task?.chatId !== chatId) return undefined;
    // An agent ends by itself, with what it has made so far.
    const { agentChatId: agentId } = task;
    if (agentId !== null) return interruptAgent(deps, { chatId, agentId, by: "worker" });
    return completeTask(deps, { taskId, chatId, state: "cancelled", report: CANCELLED });
  },
});

const toSummary = ({ id, label, state, report }: TaskRow): TaskSummary => ({
  id,
  label,
  state,
  report:
    report && (typeof report.output === "string" ? report.output : JSON.stringify(report.output)),
});

/**
 * Cancels a task; the process that runs it stops it. An ended task does not change. An agent reports what it has made
 * so far.
 *
 * @throws {DomainError} `not_found`.
 */
export const cancelTask = async (ctx: ServerContext, taskId: string): Promise<TaskRow> => {
  const { chatId = "", agentChatId = null } = (await readTask(ctx.db, taskId)) ?? {};
  const { task, ended } = await ctx.db.transaction(async (tx) => {
    // A task of another person is reported as unknown.
    const chat = await lockWritableChat(tx, { chatId, viewer: ctx.actor });
    if (!chat) throw unknownTask(taskId);
    const { newId } = ctx;
    const stop = { agentId: agentChatId ?? "", newId, by: actorId(ctx.actor) };
    if (agentChatId !== null) await stopChatAgent(tx, chat, stop);
    const end = { chat, taskId, state: "cancelled" as const, report: CANCELLED };
    const ended = agentChatId === null ? await endLockedTask(tx, newId, end) : undefined;
    const task = await readTask(tx, taskId);
    if (!task) throw unknownTask(taskId);
    return { task, ended };
  });
  if (ended) meterEnd(ended);
  return task;
};

const unknownTask = (taskId: string): DomainError =>
  new DomainError("not_found", `There is no task "${taskId}".`);
