import { OpenTaskState, type TaskKind } from "@/contract/task-state";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable } from "@/server/db/connection/database";
import type { TaskRow } from "@/server/db/chats/rows";

const isOpen = { in: [...OpenTaskState.options] };

/** Lists those tasks that have not ended. */
export const listOpenTasks = async (
  { prisma }: Queryable,
  taskIds: readonly string[],
): Promise<Set<string>> => {
  const tasks = await prisma.task.findMany({
    where: { id: { in: [...taskIds] }, state: isOpen },
    select: { id: true },
  });
  return new Set(tasks.map(({ id }) => id));
};

export const countOpenTasks = ({ prisma }: Queryable, chatId: string): Promise<number> =>
  prisma.task.count({ where: { chatId, state: isOpen } });

/** Counts the tasks that have not ended, by kind and state; omits empty ones. */
export const countTasks = async ({
  prisma,
}: Queryable): Promise<{ kind: TaskKind; state: OpenTaskState; count: number }[]> => {
  const groups = await prisma.task.groupBy({
    by: ["kind", "state"],
    where: { state: isOpen },
    _count: true,
  });
  return groups.map(({ kind, state, _count: count }) => ({
    kind,
    state: state as OpenTaskState,
    count,
  }));
};

/** Lists how long the reports of tasks have waited, in seconds; omits those that wait. */
export const listDeliveryTimes = async (
  { prisma }: Queryable,
  taskIds: readonly string[],
): Promise<{ kind: TaskKind; seconds: number }[]> => {
  const tasks = await prisma.task.findMany({
    where: { id: { in: [...taskIds] } },
    select: { kind: true, endedAt: true, deliveredAt: true },
  });
  // A time is the beginning of its transaction, and the delivery may have begun before the end did, as it waits for
  // the chat's lock. So a difference can be negative.
  return tasks.flatMap(({ kind, endedAt, deliveredAt }) =>
    endedAt && deliveredAt
      ? [{ kind, seconds: Math.max(0, deliveredAt.getTime() - endedAt.getTime()) / 1_000 }]
      : [],
  );
};

/** Lists the tasks of a chat that have not ended, the oldest first. */
export const listChatTasks = async ({ prisma }: Queryable, chatId: string): Promise<TaskRow[]> => {
  const tasks = await prisma.task.findMany({
    where: { chatId, state: isOpen },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return tasks as TaskRow[];
};

/** Lists the tasks of a chat, the oldest first. */
export const listTasks = async (
  { prisma }: Queryable,
  chatId: string,
  taskId?: string,
): Promise<TaskRow[]> => {
  const tasks = await prisma.task.findMany({
    where: { chatId, ...(taskId !== undefined && { id: taskId }) },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return tasks as TaskRow[];
};

/**
 * Lists the tasks of a chat whose reports had not entered its history, the oldest first.
 *
 * @param moment.at when; null for now.
 */
export const listUndelivered = async (
  { prisma }: Queryable,
  { chatId, at }: { chatId: string; at: Date | null },
): Promise<TaskRow[]> => {
  const later = at === null ? [] : [{ deliveredAt: { gte: at } }];
  const tasks = await prisma.task.findMany({
    where: {
      chatId,
      shouldReport: true,
      OR: [{ deliveredAt: null }, ...later],
      ...(at !== null && { createdAt: { lt: at } }),
    },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return tasks as TaskRow[];
};

export const readTask = async (
  { prisma }: Queryable,
  taskId: string,
): Promise<TaskRow | undefined> => {
  if (!isUuid(taskId)) return undefined;
  return ((await prisma.task.findUnique({ where: { id: taskId } })) as TaskRow | null) ?? undefined;
};
