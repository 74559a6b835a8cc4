import { countRunningAgents, listQueuedAgents } from "@/server/db/agent-reads";
import type { Transaction } from "@/server/db/database";
import type { ChatRow } from "@/server/db/rows";
import { endAgentTask, type QueuedAgent } from "@/server/db/sql/agent-ends";
import { lockChat, lockChats } from "@/server/db/sql/chat-locks";
import { startTask } from "@/server/db/task-writes";
import { meterDelivery, meterEnd } from "@/server/chat/meter-tasks";
import { isWoken } from "@/server/chat/task-reports";
import { applyTransition } from "@/server/chat/transition";
import { type AgentDeps, isResting, readAgentEnd } from "./agent-end";
import { isWaitOver } from "./agent-waits";

const BY = { by: "worker", closeReason: "superseded" } as const;

/**
 * Ends the task of an agent that rests, and lets those begin that were queued. The root chat gets the report as that of
 * any task, or with the call that waits for it. Does nothing while the agent works.
 */
export const endAgent = async (
  deps: AgentDeps,
  { rootChatId, agentId }: { rootChatId: string; agentId: string },
): Promise<void> => {
  for (;;) {
    const read = await readAgentEnd(deps, agentId);
    if (!read) return;
    const ended = await deps.db.transaction(async (tx) => {
      const chats = await lockChats(tx, [rootChatId, agentId]);
      const [root, agent] = [rootChatId, agentId].map((id) => chats.find((chat) => chat.id === id));
      if (!root || !agent || !isResting(agent)) return "done";
      if (agent.historyVersion !== read.historyVersion) return "again";
      const revision = root.version + 1;
      const task = await endAgentTask(tx, {
        ...{ taskId: read.task.id, chatId: root.id, revision, ...read.end },
        maxRunning: deps.agentLimits.running,
      });
      if (!task) return "done";
      await startQueued(tx, deps, { queued: task.next, revision });
      return applyTransition(tx, root, {
        event: await eventAfterEnd(tx, root),
        newId: deps.newId,
        ...BY,
        written: { reportGrowth: 1, childUsage: task.usage },
      });
    });
    // It has got another message meanwhile, and answered that.
    if (ended === "again") continue;
    if (ended === "done") return;
    meterEnd({ kind: "agent", state: read.end.state });
    await meterDelivery(deps.db, ended.reports);
    return;
  }
};

const eventAfterEnd = async (tx: Transaction, root: ChatRow) => {
  if (await isWaitOver(tx, root)) return "end_wait" as const;
  return isWoken({ ...root, reportCount: root.reportCount + 1 }) ? "wake" : "note_task";
};

/** Lets queued agents of a locked root chat begin. */
const startQueued = async (
  tx: Transaction,
  { newId }: Pick<AgentDeps, "newId">,
  { queued, revision }: { queued: readonly QueuedAgent[]; revision: number },
): Promise<void> => {
  for (const { taskId, agentId } of queued) {
    const agent = await lockChat(tx, agentId);
    await startTask(tx, { taskId, revision });
    // One that was stopped has nothing to do, and its task is ended next.
    if (agent?.agentQueued)
      await applyTransition(tx, agent, { event: "start_agent", newId, ...BY });
  }
};

/** Lets queued agents begin after the process has died that should have let them. */
export const beginQueued = (deps: AgentDeps, rootChatId: string): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const root = await lockChat(tx, rootChatId);
    if (!root) return;
    const room = deps.agentLimits.running - (await countRunningAgents(tx, root.id));
    const queued = room > 0 ? await listQueuedAgents(tx, root.id, room) : [];
    if (queued.length === 0) return;
    await startQueued(tx, deps, { queued, revision: root.version + 1 });
    await applyTransition(tx, root, { event: "note_task", newId: deps.newId, ...BY });
  });
