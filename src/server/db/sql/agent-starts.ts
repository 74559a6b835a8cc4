import type { AgentLimits } from "@/contract/limits";
import type { ChatRow } from "@/server/db/rows";
import type { Transaction } from "@/server/db/database";
import { type NewChat, newChatStatement, toInsertValues } from "./chat-lifecycle";
import { changeChat } from "./chat-row";

// Raw, as the checks, the chat and its task are one round trip: a turn may start 20 agents, one after the other.

/** An agent that a call starts, and the task of its locked root chat. */
export type NewAgentChat = NewChat & {
  rootChatId: string;
  agentType: string;
  toolCallId: string;
  /** The turn of the root chat whose call starts it. */
  callTurnId: string;
  /** The version that the root chat will have. */
  taskRevision: number;
  /** How much older than the transaction it counts, in milliseconds. */
  ageMs: number;
};

type AgentValues = Omit<NewAgentChat, keyof NewChat> & {
  maxAgents: number;
  maxOfTurn: number;
  maxRunning: number;
  maxCostMicros: number | null;
};

const countTasks = (condition: string): string =>
  `(SELECT count(*) FROM task WHERE chat_id = $rootChatId::uuid AND kind = 'agent' AND ${condition})`;

const CREATED_AT = "now() - $ageMs::int * interval '1 ms'";

const COST = `(SELECT coalesce(sum((kind.value ->> 'cost_micros')::bigint), 0)
  FROM chat, jsonb_each(usage) AS kind WHERE parent_chat_id = $rootChatId::uuid)`;

const INSERT = newChatStatement<AgentValues>({
  name: "insert-agent",
  values: {
    parent_chat_id: "$rootChatId::uuid",
    root_chat_id: "$rootChatId::uuid",
    agent_type: "$agentType",
    created_at: CREATED_AT,
    agent_queued: `${countTasks("state = 'running'")} >= $maxRunning::int`,
  },
  where: `NOT EXISTS (SELECT FROM chat WHERE id = $id::uuid)
    AND (SELECT count(*) FROM chat WHERE parent_chat_id = $rootChatId::uuid) < $maxAgents::int
    AND ${countTasks("turn_id = $callTurnId::uuid")} < $maxOfTurn::int
    AND ($maxCostMicros::bigint IS NULL OR ${COST} < $maxCostMicros::bigint)`,
  with: {
    task: `INSERT INTO task
        (id, root_chat_id, chat_id, tool_call_id, kind, label, state, revision, turn_id, agent_chat_id, created_at,
          started_at)
      SELECT c.id, c.root_chat_id, c.root_chat_id, $toolCallId, 'agent', c.title,
        CASE WHEN c.agent_queued THEN 'queued' ELSE 'running' END::task_state, $taskRevision::int, $callTurnId::uuid,
        c.id, c.created_at, CASE WHEN NOT c.agent_queued THEN now() END FROM c`,
  },
});

/**
 * Inserts an agent of a locked root chat, and its task: queued, if as many run as may.
 *
 * @returns undefined when it is there, a limit is reached, or the model is unknown or disabled.
 */
export const insertAgentChat = (
  tx: Transaction,
  { agent, limits }: { agent: NewAgentChat; limits: AgentLimits },
): Promise<ChatRow | undefined> => {
  const { rootChatId, agentType, toolCallId, callTurnId, taskRevision, ageMs, ...chat } = agent;
  return changeChat(tx, INSERT, {
    ...toInsertValues(chat),
    ...{ rootChatId, agentType, toolCallId, callTurnId, taskRevision, ageMs },
    ...{ maxAgents: limits.perChat, maxOfTurn: limits.perTurn, maxRunning: limits.running },
    maxCostMicros: limits.costMicros,
  });
};
