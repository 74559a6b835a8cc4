import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { createPoller } from "@/lib/poller";
import type { AgentDeps } from "@/server/agents/agent-outcome";
import { interruptAgent } from "@/server/agents/direct-agents";
import { beginQueued, endAgents } from "@/server/agents/end-agents";
import { listRestingAgents, listStalledQueues } from "@/server/db/sql/machine/agent-sweeps";
import { listOverdueAgents } from "@/server/db/sql/machine/agent-task-writes";
import type { ChatNotice, Notifications } from "@/server/stream/notifications";
import type { DuePoller } from "./due-poller";
import { createThrottle } from "@/server/stream/throttle";

/** How late the end of an agent is seen when its notification was lost. */
const CHECK_MS = 10_000;
/** Under load, agents that end within this time are ended together; a report may take 300 ms. */
const MERGE_MS = 10;
/** Agents that are read at a time: an answer may be long, and other statements wait behind the read. */
const READ_AT_ONCE = 20;
/** Most agents that a sweep goes through. */
const BATCH = 100;

type PollerDeps = AgentDeps & {
  notifications: Pick<Notifications, "subscribeAllChildren">;
  due: Pick<DuePoller, "when">;
  log: Logger;
  checkMs?: number;
};

/** Gives the reports of agents to their root chats, starts those that were queued, and stops those that work too long. */
export const createAgentPoller = (deps: PollerDeps) => {
  const { db, agentLimits, log, checkMs = CHECK_MS } = deps;
  /** Agents that seem to rest. */
  const noticed = new Set<string>();
  const attempt = async (run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.warn({ err: error }, "an agent could not be brought forward");
    }
  };
  const endNoticed = async (): Promise<void> => {
    while (noticed.size > 0) {
      const agentIds = [...noticed].slice(0, READ_AT_ONCE);
      for (const id of agentIds) noticed.delete(id);
      // Rejects while the database is away, which is logged there, and then the next sweep finds the agents.
      await attempt(() => endAgents(deps, agentIds));
    }
  };
  const sweep = async (): Promise<void> => {
    // One by one, so that one that fails keeps no other back.
    for (const agentId of await listRestingAgents(db, BATCH)) {
      await attempt(() => endAgents(deps, [agentId]));
    }
    const { turnMinutes, running: maxRunning } = agentLimits;
    for (const { id, rootChatId } of await listOverdueAgents(db, { turnMinutes, limit: BATCH })) {
      await attempt(() => interruptAgent(deps, { chatId: rootChatId, agentId: id, by: "worker" }));
    }
    const stalled = await listStalledQueues(db, { limit: BATCH, maxRunning });
    for (const rootChatId of stalled) await attempt(() => beginQueued(deps, rootChatId));
  };
  const poll = (what: string, run: () => Promise<void>) =>
    createPoller({
      run,
      isBackground: true,
      onError: (error) => {
        if (!isUnavailable(error)) log.warn({ err: error }, `${what} failed`);
      },
    });
  const ends = poll("ending agents", endNoticed);
  const throttle = createThrottle(MERGE_MS, ends.trigger);
  const sweeps = poll("looking for agents", sweep);
  const unsubscribe = deps.notifications.subscribeAllChildren((notice: ChatNotice | undefined) => {
    if (!notice) return sweeps.trigger();
    const { chatId, status } = notice;
    if (status !== "waiting" && status !== "error") return;
    noticed.add(chatId);
    throttle.leading();
  });
  deps.due.when(({ tasks }) => tasks, sweeps.trigger, checkMs);
  return {
    /** Does not reject. */
    stop: async (): Promise<void> => {
      unsubscribe();
      throttle.cancel();
      await Promise.all([ends.stop(), sweeps.stop()]);
    },
  };
};
