import type { UsageTotals } from "@/contract/usage";
import type { Queryable } from "@/server/db/connection/database";
import type { ChatRow, TaskRow } from "@/server/db/chats/rows";
import type { Viewer } from "@/server/db/chats/viewer";
import type { QueuedAgent } from "@/server/db/sql/machine/agent-task-writes";
import { type ChatWithCalls, readChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import { OpenTaskState } from "@/contract/task-state";

const isOpen = { in: [...OpenTaskState.options] };

/** An agent of a root chat: its chat, and the task that it works on or worked on last. */
export type AgentRow = Pick<
  ChatRow,
  | "id"
  | "title"
  | "status"
  | "agentType"
  | "agentQueued"
  | "turnSteps"
  | "usage"
  | "lastError"
  | "createdAt"
  | "updatedAt"
> & { task: TaskRow };

const AGENT_FIELDS = {
  id: true,
  title: true,
  status: true,
  agentType: true,
  agentQueued: true,
  turnSteps: true,
  usage: true,
  lastError: true,
  createdAt: true,
  updatedAt: true,
  agentTasks: { orderBy: { createdAt: "desc" }, take: 1 },
} as const;

/**
 * Lists the agents of a root chat, the oldest first.
 *
 * @param only.ids leaves out others; an id of another chat is like an unknown one.
 */
export const listAgents = async (
  { prisma }: Queryable,
  rootChatId: string,
  only: { ids?: readonly string[]; limit?: number; offset?: number } = {},
): Promise<AgentRow[]> => {
  const { ids, limit, offset = 0 } = only;
  const chats = await prisma.chat.findMany({
    where: { parentChatId: rootChatId, ...(ids && { id: { in: [...ids] } }) },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    skip: offset,
    ...(limit !== undefined && { take: limit }),
    select: AGENT_FIELDS,
  });
  return chats.flatMap(({ agentTasks: [task], ...chat }) =>
    task ? [{ ...chat, task } as unknown as AgentRow] : [],
  );
};

export const countAgents = ({ prisma }: Queryable, rootChatId: string): Promise<number> =>
  prisma.chat.count({ where: { parentChatId: rootChatId } });

/** Counts the agents of a root chat that have been started, and have not ended. */
export const countRunningAgents = ({ prisma }: Queryable, rootChatId: string): Promise<number> =>
  prisma.task.count({ where: { chatId: rootChatId, kind: "agent", state: "running" } });

/** Whether agents of a root chat work, or wait to begin. */
export const hasOpenAgents = async ({ prisma }: Queryable, rootChatId: string): Promise<boolean> =>
  (await prisma.task.findFirst({
    where: { chatId: rootChatId, kind: "agent", state: isOpen },
    select: { id: true },
  })) !== null;

/** Lists the tasks of agents that wait to be started, the oldest first. */
export const listQueuedAgents = async (
  { prisma }: Queryable,
  rootChatId: string,
  limit: number,
): Promise<QueuedAgent[]> => {
  const tasks = await prisma.task.findMany({
    where: { chatId: rootChatId, kind: "agent", state: "queued" },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: limit,
    select: { id: true, agentChatId: true },
  });
  return tasks.map(({ id, agentChatId }) => ({ taskId: id, agentId: agentChatId ?? "" }));
};

/** The task that an agent works on. */
export const findOpenAgentTask = async (
  { prisma }: Queryable,
  agentId: string,
): Promise<TaskRow | undefined> =>
  ((await prisma.task.findFirst({
    where: { agentChatId: agentId, state: isOpen },
    orderBy: { createdAt: "asc" },
  })) as TaskRow | null) ?? undefined;

/** Adds up what the agents of a root chat have used. */
export const sumAgentUsage = async (
  { prisma }: Queryable,
  rootChatId: string,
): Promise<UsageTotals> => {
  const chats = await prisma.chat.findMany({
    where: { parentChatId: rootChatId },
    select: { usage: true },
  });
  const totals = chats.flatMap(({ usage }) => Object.values(usage as ChatRow["usage"]));
  const sum = (key: keyof UsageTotals): number =>
    totals.reduce((total, each) => total + each[key], 0);
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cost_micros: sum("cost_micros"),
  };
};

/** An agent with what people see of its work. */
export type LiveAgent = AgentRow & {
  lastLine: string | null;
  /** Its chat, if it waits for a client. */
  parked: ChatWithCalls | undefined;
};

/** Lists the agents of a root chat with their states, the oldest first. */
export const listLiveAgents = async (
  db: Queryable,
  { rootChatId, viewer }: { rootChatId: string; viewer: Viewer },
): Promise<LiveAgent[]> => {
  const agents = await listAgents(db, rootChatId);
  if (agents.length === 0) return [];
  const lastLines = await readLastLines(db, rootChatId);
  return Promise.all(
    agents.map(async (agent) => ({
      ...agent,
      lastLine: lastLines.get(agent.id) ?? null,
      parked:
        agent.status === "requires_action"
          ? await readChatWithCalls(db, { chatId: agent.id, viewer })
          : undefined,
    })),
  );
};

/** Code points; a longer line does not fit a card. */
const MAX_LINE_LENGTH = 160;

const readLastLines = async (
  { prisma }: Queryable,
  rootChatId: string,
): Promise<Map<string, string>> => {
  const chats = await prisma.chat.findMany({
    where: { parentChatId: rootChatId },
    select: {
      id: true,
      messages: {
        where: { role: "assistant", deleted: false },
        orderBy: { seq: "desc" },
        take: 1,
        select: { parts: { orderBy: { index: "asc" }, select: { text: true, toolName: true } } },
      },
    },
  });
  return new Map(
    chats.flatMap(({ id, messages: [message] }) => {
      const part = message?.parts.findLast(({ text, toolName }) => text?.trim() ?? toolName);
      const text = part?.toolName ?? part?.text?.trim().split("\n").at(-1);
      return text ? [[id, [...text].slice(0, MAX_LINE_LENGTH).join("")]] : [];
    }),
  );
};
