import type { Queryable } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";

/** What says of an agent how it has started. */
export type AgentChat = Pick<ChatRow, "id" | "title" | "agentType" | "agentQueued">;

/** The agents that a chat has, by which others are limited. */
export type AgentUse = {
  count: number;
  /** Those that the calls of a turn have started or given work to. */
  ofTurn: number;
  running: number;
  costMicros: number;
  /** The models that can be used. */
  models: readonly string[];
  /** Those of the given ids. */
  existing: readonly AgentChat[];
};

type UseValues = { rootChatId: string; turnId: string; ids: readonly string[] };

const countTasks = (condition: string): string =>
  `(SELECT count(*)::int FROM task WHERE chat_id = $rootChatId::uuid AND kind = 'agent' AND ${condition})`;

// Raw, as it stands before each start of agents: Prisma Client needs six queries, which take 4 ms of CPU time.
const READ = nameValues<UseValues>({
  name: "read-agent-use",
  text: `SELECT ${countTasks("turn_id = $turnId::uuid")} AS "ofTurn", ${countTasks("state = 'running'")} AS running,
      (SELECT count(*)::int FROM chat WHERE parent_chat_id = $rootChatId::uuid) AS count,
      (SELECT coalesce(sum((kind.value ->> 'cost_micros')::bigint), 0)::bigint
        FROM chat, jsonb_each(usage) AS kind WHERE parent_chat_id = $rootChatId::uuid) AS "costMicros",
      (SELECT coalesce(json_agg(id), '[]') FROM model WHERE enabled) AS models,
      (SELECT coalesce(json_agg(json_build_object('id', id, 'title', title, 'agentType', agent_type,
          'agentQueued', agent_queued)), '[]')
        FROM chat WHERE id = ANY($ids::uuid[]) AND parent_chat_id = $rootChatId::uuid) AS existing`,
});

/** Reads what limits the starts of agents in a turn of a locked root chat. */
export const readAgentUse = async (tx: Queryable, values: UseValues): Promise<AgentUse> => {
  const [use] = await runNamed<AgentUse, UseValues>(tx, READ, values);
  if (!use) throw new Error("a query without a condition found no row");
  return use;
};
