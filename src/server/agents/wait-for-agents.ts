import type { AgentWait } from "@/contract/agent";
import { isUuid } from "@/lib/is-uuid";
import { listAgents } from "@/server/db/tasks/agent-reads";
import { listOpenCalls } from "@/server/db/chats/call-reads";
import type { Database } from "@/server/db/connection/database";
import type { ChatRow, HistoryMessage } from "@/server/db/chats/rows";
import { ToolFailure } from "@/server/tools/tool-result";
import { lockLeasedChat } from "@/server/machine/lock-chat";
import { meterWaits } from "@/server/machine/meter-tasks";
import { applyTransition } from "@/server/machine/transition";
import { type AgentDeps, isResting } from "./agent-outcome";
import {
  calculateDeadline,
  listAgentIds,
  type EndedWait,
  endWaits,
  findWaits,
  hasEnded,
  listOpenWaits,
} from "@/server/machine/end-waits";
import { endAgents } from "./end-agents";
import { unknownAgents } from "./direct-agents";

/**
 * Checks what a call wants to wait for.
 *
 * @throws {ToolFailure} for agents that the chat does not have, and more than it names.
 */
export const planWait = async (
  db: Database,
  {
    chatId,
    agentIds,
    minCompleted,
    seconds,
  }: {
    chatId: string;
    agentIds: readonly string[];
    minCompleted: number | undefined;
    seconds: number;
  },
): Promise<AgentWait> => {
  const ids = [...new Set(agentIds)];
  const found = await listAgents(db, chatId, { ids: ids.filter(isUuid) });
  const unknown = ids.filter((id) => !found.some((agent) => agent.id === id));
  if (unknown.length > 0) throw unknownAgents(unknown);
  const { length } = ids;
  if (minCompleted !== undefined && minCompleted > length) {
    throw new ToolFailure(
      `min_completed is ${minCompleted}, but the call names only ${length}. Leave it out to wait for all.`,
    );
  }
  const deadline = await calculateDeadline(db, seconds);
  return {
    chat_ids: ids,
    min_completed: minCompleted ?? length,
    deadline_at: deadline.toISOString(),
  };
};

/** What became of a turn whose open calls all wait for agents. */
export type WaitProgress =
  /** The chat is parked until agents end. */
  | { type: "parked"; chat: ChatRow }
  /** The calls have their outcomes. */
  | { type: "ended"; chat: ChatRow; ended: EndedWait[] };

/**
 * Parks a chat that waits for agents, or ends the wait when enough have ended, its time is over, or a message waits.
 *
 * @returns undefined when the lease is lost or the history has changed: nothing is written then.
 */
export const waitForAgents = async (
  deps: AgentDeps,
  held: ChatRow,
  message: HistoryMessage,
): Promise<WaitProgress | undefined> => {
  const waits = findWaits(message.parts.filter((part) => part.type === "tool_call"));
  for (;;) {
    // An agent that has ended counts, even before its end is recorded.
    await endAgents(deps, listAgentIds(waits));
    const progress = await tryToWait(deps, held);
    if (progress === "again") continue;
    if (progress?.type === "ended") meterWaits(progress.ended);
    return progress;
  }
};

const tryToWait = (
  { db, newId }: AgentDeps,
  held: ChatRow,
): Promise<WaitProgress | undefined | "again"> =>
  db.transaction(async (tx) => {
    const chat = await lockLeasedChat(tx, held);
    if (chat?.status !== "running") return undefined;
    const waits = findWaits(await listOpenCalls(tx, chat.id));
    const agents = await listAgents(tx, chat.id, { ids: listAgentIds(waits) });
    if (agents.some((agent) => !hasEnded(agent.task) && isResting(agent))) return "again";
    const open = await listOpenWaits(tx, waits, agents);
    const by = { newId, by: "worker", closeReason: "superseded" } as const;
    if (open.length > 0 && chat.queuedCount === 0) {
      const deadlines = open.map(({ wait }) => new Date(wait.deadline_at).getTime());
      const deadlineAt = new Date(Math.max(...deadlines));
      const parked = await applyTransition(tx, chat, {
        event: "enter_wait",
        ...by,
        written: { deadlineAt },
      });
      return { type: "parked", chat: parked.chat };
    }
    const endedBy = open.length > 0 ? "message" : "agents";
    const { ended, delivered } = await endWaits(tx, chat, { waits, endedBy });
    const settled = await applyTransition(tx, chat, {
      event: "settle_wait",
      ...by,
      written: { historyChanged: true, reportGrowth: -delivered },
    });
    return { type: "ended", chat: settled.chat, ended };
  });
