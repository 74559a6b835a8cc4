import pLimit from "p-limit";
import { isUnavailable } from "@/contract/domain-error";
import { countRunningAgents, listQueuedAgents } from "@/server/db/tasks/agent-reads";
import type { Transaction } from "@/server/db/connection/database";
import type { MessageRow } from "@/server/db/chats/rows";
import {
  type AgentRoot,
  type AgentTaskEnd,
  endAgentTasks,
  noteAgentEnds,
  type QueuedAgent,
} from "@/server/db/sql/machine/agent-task-writes";
import { lockChat, lockChats } from "@/server/db/sql/machine/row-locks";
import { startTask } from "@/server/db/sql/machine/task-writes";
import { meterDelivery, meterEnd } from "@/server/machine/meter-tasks";
import { eventAfterEnds } from "@/server/tasks/task-reports";
import { applyTransition } from "@/server/machine/transition";
import { type AgentDeps, type AgentEnd, isResting, readAgentEnds } from "./agent-outcome";
import { isWaitOver } from "@/server/machine/end-waits";

const BY = { by: "worker", closeReason: "superseded" } as const;

/** Root chats that are locked at the same time to end their agents; each takes a connection. */
const ROOTS_AT_ONCE = 8;

/**
 * Ends the tasks of agents that rest, and lets those begin that were queued. A root chat gets the reports as those of any
 * task, or with the call that waits for them. Does nothing for agents that work.
 *
 * Rejects when the agents of a root chat could not be ended; those of the others have been then.
 */
export const endAgents = async (deps: AgentDeps, agentIds: readonly string[]): Promise<void> => {
  const ends = await readAgentEnds(deps, agentIds);
  const noted = await noteEnds(deps, ends);
  meterEnds(noted);
  const others = Map.groupBy(
    ends.filter((end) => !noted.includes(end)),
    ({ root }) => root.id,
  );
  const lockLimit = pLimit(ROOTS_AT_ONCE);
  const ended = await Promise.allSettled(
    Array.from(others, async ([rootChatId, all]) => {
      const again = await lockLimit(() => endUnderLock(deps, { rootChatId, ends: all }));
      if (again.length > 0) await endAgents(deps, again);
    }),
  );
  const failed = ended.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
};

type Ends = { rootChatId: string; ends: readonly AgentEnd[] };

const meterEnds = (ends: readonly AgentEnd[]): void => {
  for (const { end } of ends) meterEnd({ kind: "agent", state: end.state });
};

/** Ends tasks without a lock whose root chats only take note of it. @returns those that this has ended. */
const noteEnds = async ({ db, log }: AgentDeps, all: readonly AgentEnd[]): Promise<AgentEnd[]> => {
  const byRoot = Map.groupBy(all, ({ root }) => root.id);
  const ends = all.filter(({ root }) => takesNote(root, byRoot.get(root.id)?.length ?? 0));
  if (ends.length === 0) return [];
  const roots = [...new Map(ends.map(({ root }) => [root.id, root])).values()];
  try {
    const ended = await noteAgentEnds(db, { roots, ends: ends.map(toTaskEnd) });
    return ends.filter(({ task }) => ended.has(task.id));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    // What fails for one root chat keeps no other back, as each is locked by itself then.
    log.warn({ err: error }, "ends of agents could not be noted together");
    return [];
  }
};

const takesNote = (root: AgentRoot, ends: number): boolean =>
  root.status !== "awaiting_agents" && eventAfterEnds(root, ends) === "note_task";

const toTaskEnd = ({ agentId, root, task, historyVersion, end }: AgentEnd): AgentTaskEnd => ({
  rootId: root.id,
  taskId: task.id,
  agentId,
  historyVersion,
  ...end,
});

/** @returns the agents whose ends have to be read again. */
const endUnderLock = async (deps: AgentDeps, ends: Ends): Promise<string[]> => {
  const { ended, reports, again } = await deps.db.transaction((tx) => endLocked(tx, deps, ends));
  meterEnds(ended);
  await meterDelivery(deps.db, reports);
  return again;
};

type Ended = {
  ended: AgentEnd[];
  /** The message in which reports have entered the history. */
  reports?: MessageRow | undefined;
  /** Agents that have got another message since they were read, and answered that. */
  again: string[];
};

const endLocked = async (
  tx: Transaction,
  deps: AgentDeps,
  { rootChatId, ends }: Ends,
): Promise<Ended> => {
  const chats = await lockChats(tx, [rootChatId, ...ends.map(({ agentId }) => agentId)]);
  const byId = new Map(chats.map((chat) => [chat.id, chat]));
  const root = byId.get(rootChatId);
  const nothing: Ended = { ended: [], again: [] };
  if (!root) return nothing;
  const resting = ends.filter(({ agentId }) => {
    const agent = byId.get(agentId);
    return agent && isResting(agent);
  });
  const isCurrent = ({ agentId, historyVersion }: AgentEnd): boolean =>
    byId.get(agentId)?.historyVersion === historyVersion;
  const current = resting.filter(isCurrent);
  const again = resting.filter((end) => !isCurrent(end)).map(({ agentId }) => agentId);
  if (current.length === 0) return { ...nothing, again };
  const revision = root.version + 1;
  const after = await endAgentTasks(tx, {
    chatId: root.id,
    revision,
    maxRunning: deps.agentLimits.running,
    ends: current.map(toTaskEnd),
  });
  const count = after.ended.length;
  if (count === 0) return { ...nothing, again };
  await startQueued(tx, deps, { queued: after.next, revision });
  const { reports } = await applyTransition(tx, root, {
    event: (await isWaitOver(tx, root)) ? "end_wait" : eventAfterEnds(root, count),
    newId: deps.newId,
    ...BY,
    written: { reportGrowth: count, childUsage: after.usage },
  });
  return { ended: current.filter(({ task }) => after.ended.includes(task.id)), reports, again };
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
