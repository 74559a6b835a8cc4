import type { AgentLimits } from "@/contract/limits";
import type { Queryable, Statement } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { ChatRow, HistoryMessage } from "@/server/db/chats/rows";
import { ACCESS_COLUMN } from "@/server/db/chats/viewer";
import { type ChatRecord, toChatRow } from "@/server/db/sql/rows/chat-columns";
import { FIRST_STATE } from "./chat-lifecycle";
import { CHAT_AS_JSON, type ChatAnswer, insertingTransition } from "@/server/db/sql/rows/chat-row";
import {
  claimedIf,
  type ClaimedChat,
  type ClaimRoom,
  selectGroups,
  readSettings,
  SETTING_COLUMNS,
  type SettingsAnswer,
  type SlotGroups,
} from "./claim";
import { runNamed } from "@/server/db/sql/rows/named-statement";

// Raw, as all agents that a message starts are one round trip: the chats, their tasks and the root chat's transition.

const READ: Statement = {
  name: "read-root-chat",
  text: `SELECT ${CHAT_AS_JSON} FROM chat c WHERE id = $1::uuid`,
};

/** Reads a chat without a lock. */
export const readRootChat = async (db: Queryable, chatId: string): Promise<ChatRow | undefined> => {
  const [record] = await db.query<ChatAnswer>(READ, [chatId]);
  return record && toChatRow(record.chat);
};

/** An agent that a call of the root chat's turn starts. */
export type NewAgentChat = {
  id: string;
  messageId: string;
  turnId: string;
  createdBy: string;
  title: string;
  prompt: string;
  systemPrompt: string;
  /** The first that can be used becomes its model. Null is the default model, also while there is none. */
  modelIds: readonly (string | null)[];
  inheritsDynamicTools: boolean;
  /** Null takes all tools. */
  toolNames: readonly string[] | null;
  maxSteps: number;
  agentType: string;
  toolCallId: string;
};

type StartValues = ClaimRoom & {
  rootChatId: string;
  rootVersion: number;
  agents: string;
  maxAgents: number;
  maxOfTurn: number;
  maxRunning: number;
  maxCostMicros: number | null;
};

const COLUMNS = `"position" int, "id" uuid, "messageId" uuid, "turnId" uuid, "createdBy" text, "title" text,
  "prompt" text, "systemPrompt" text, "modelIds" jsonb, "inheritsDynamicTools" boolean, "toolNames" jsonb,
  "maxSteps" int, "agentType" text, "toolCallId" text`;

const MODEL = `SELECT model.id
  FROM jsonb_array_elements_text("modelIds") WITH ORDINALITY AS choice(id, n)
  JOIN model ON enabled AND CASE WHEN choice.id IS NULL THEN is_default ELSE model.id = choice.id::uuid END
  ORDER BY n LIMIT 1`;

const countTasks = (condition: string): string =>
  `(SELECT count(*) FROM task WHERE chat_id = $rootChatId::uuid AND kind = 'agent' AND ${condition})`;

const TASKS_OF_TURN = countTasks(
  "turn_id = (SELECT turn_id FROM chat WHERE id = $rootChatId::uuid)",
);

const COST = `(SELECT coalesce(sum((kind.value ->> 'cost_micros')::bigint), 0)
  FROM chat, jsonb_each(usage) AS kind WHERE parent_chat_id = $rootChatId::uuid)`;

// All that changes the counts raises the version, so with the expected version they are those of the locked chat.
// Waits for no lock, because other statements on the same connection would wait behind it.
const START = insertingTransition<StartValues>({
  name: "start-agents",
  event: "note_task",
  before: {
    root: `SELECT * FROM chat WHERE id = $rootChatId::uuid AND version = $rootVersion::int FOR UPDATE SKIP LOCKED`,
    // Agents are listed, and begin, in the order of their times. The planner would replace NOT EXISTS by a join with all
    // chats while there are few, and keep that plan until the next ANALYZE.
    start: `SELECT *, row_number() OVER (ORDER BY "position") - 1 AS earlier,
        now() - (count(*) OVER () - row_number() OVER (ORDER BY "position")) * interval '1 ms' AS created_at
      FROM (SELECT given.*, (${MODEL}) AS model_id FROM jsonb_to_recordset($agents::jsonb) AS given(${COLUMNS})
        WHERE (SELECT id FROM chat WHERE chat.id = given.id) IS NULL) AS new
      WHERE model_id IS NOT NULL OR "modelIds" @> '[null]'`,
    placed: `SELECT start.*, is_queued, groups,
        NOT is_queued AND earlier < $limit::int AND NOT groups && $full::text[] AS is_claimed
      FROM root, start, LATERAL (SELECT
        ${countTasks("state = 'running'")} + earlier >= $maxRunning::int AS is_queued,
        ${selectGroups("agent")} AS groups FROM (SELECT start.model_id, root.${ACCESS_COLUMN}) AS agent) AS place
      WHERE (SELECT count(*) FROM chat WHERE parent_chat_id = $rootChatId::uuid) + earlier < $maxAgents::int
        AND ${TASKS_OF_TURN} + earlier < $maxOfTurn::int
        AND ($maxCostMicros::bigint IS NULL OR ${COST} < $maxCostMicros::bigint)`,
  },
  inserts: {
    values: {
      ...FIRST_STATE,
      ...claimedIf("is_claimed"),
      id: `placed."id"`,
      parent_chat_id: "root.id",
      root_chat_id: "root.id",
      [ACCESS_COLUMN]: `root.${ACCESS_COLUMN}`,
      created_at: "placed.created_at",
      turn_id: `"turnId"`,
      title: `placed."title"`,
      system_prompt: `"systemPrompt"`,
      model_id: "placed.model_id",
      dynamic_tools: `CASE WHEN "inheritsDynamicTools" THEN root.dynamic_tools ELSE '[]' END`,
      tool_names: `"toolNames"`,
      auto_submit_success: "true",
      auto_submit_error: "true",
      wake_on_reports: "true",
      action_timeout_seconds: "root.action_timeout_seconds",
      max_steps: `"maxSteps"`,
      agent_type: `"agentType"`,
      agent_queued: "is_queued",
    },
    from: "root, placed",
  },
  where: (guard) => `id = $rootChatId::uuid AND ${guard}`,
  // A whole row takes as long as its insertion, and only a claimed agent needs it.
  select: `(SELECT json_agg(json_build_object('id', child.id, 'title', child.title, 'agentType', child.agent_type,
    'agentQueued', child.agent_queued, 'chat', CASE WHEN is_claimed THEN row_to_json(child) END, 'groups', groups))
    FROM child JOIN placed ON placed."id" = child.id) AS started, ${SETTING_COLUMNS}`,
  with: {
    message: `INSERT INTO message (id, chat_id, seq, role, turn_id, revision, created_by)
      SELECT "messageId", child.id, 1, 'user', child.turn_id, 1, "createdBy"
      FROM child JOIN placed ON placed."id" = child.id`,
    part: `INSERT INTO part (message_id, index, type, text)
      SELECT "messageId", 0, 'text', "prompt" FROM child JOIN placed ON placed."id" = child.id`,
    task: `INSERT INTO task
        (id, root_chat_id, chat_id, tool_call_id, kind, label, state, revision, turn_id, agent_chat_id, created_at,
          started_at)
      SELECT child.id, c.id, c.id, "toolCallId", 'agent', child.title,
        CASE WHEN child.agent_queued THEN 'queued' ELSE 'running' END::task_state, c.version, c.turn_id, child.id,
        child.created_at, CASE WHEN NOT child.agent_queued THEN now() END
      FROM c, child JOIN placed ON placed."id" = child.id`,
  },
});

/** An agent that was inserted. */
export type InsertedAgent = Pick<ChatRow, "id" | "title" | "agentType" | "agentQueued"> & {
  /** What its turn begins with, if it was claimed. */
  claimed: ClaimedChat | undefined;
};

type StartAnswer = SettingsAnswer & {
  started: (Omit<InsertedAgent, "claimed"> & { chat: ChatRecord | null; groups: SlotGroups })[];
};

/**
 * Inserts agents of a root chat, with their tasks, in this order: queued, if as many run as may. Leaves out those that
 * are there, for which a limit is reached, or whose models are unknown or disabled.
 *
 * @param root inserts nothing when the chat has another version, or another transaction has locked it.
 * @param room claims those that are not queued at once, for a worker that has room for them.
 */
export const insertAgentChats = async (
  db: Queryable,
  {
    root,
    agents,
    limits,
    room,
  }: {
    root: Pick<ChatRow, "id" | "version">;
    agents: readonly NewAgentChat[];
    limits: AgentLimits;
    room: ClaimRoom;
  },
): Promise<InsertedAgent[]> => {
  if (agents.length === 0) return [];
  const [record] = await runNamed<StartAnswer, StartValues>(db, START, {
    rootChatId: root.id,
    rootVersion: root.version,
    agents: toJsonText(agents.map((agent, position) => ({ position, ...agent }))),
    maxAgents: limits.perChat,
    maxOfTurn: limits.perTurn,
    maxRunning: limits.running,
    maxCostMicros: limits.costMicros,
    ...room,
  });
  if (!record) return [];
  const settings = readSettings(record);
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  return record.started.map(({ chat, groups, ...inserted }) => {
    const agent = byId.get(inserted.id);
    const claimed = chat &&
      agent && {
        ...toChatRow(chat),
        ...settings,
        groups,
        history: [toPrompt(agent)],
        lastRetry: null,
      };
    return { ...inserted, claimed: claimed ?? undefined };
  });
};

/** The first message, as it would be read. */
const toPrompt = ({ messageId, turnId, prompt, createdBy }: NewAgentChat): HistoryMessage => ({
  id: messageId,
  role: "user",
  turnId,
  model: null,
  createdBy,
  parts: [{ type: "text", text: prompt.toWellFormed() }],
});
