import type { Artifact } from "@/contract/part";
import type { UsageTotals } from "@/contract/usage";
import type { Queryable, Statement, Transaction } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type {
  ChatRow,
  MessageRow,
  PartRow,
  TaskRow,
  ToolCallPartRow,
} from "@/server/db/chats/rows";
import type { TaskEnd } from "./task-writes";
import { type ChatRecord, toChatRow } from "@/server/db/sql/rows/chat-columns";
import { type ChatAnswer, transitionStatement } from "@/server/db/sql/rows/chat-row";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import { columnNames, createRowReader, toColumns } from "@/server/db/sql/rows/table-columns";
import { OPEN_TASK, type TaskRecord, toTaskRow } from "@/server/db/sql/rows/task-columns";

// Raw, as each is one round trip where Prisma Client needs six: chats with many agents end them one after the other.

/** The fields of a message that say how its turn ended. */
export type TurnMessage = Pick<MessageRow, "role" | "interrupted" | "finishReason"> & {
  parts: { type: PartRow["type"]; text: string | null; state: ToolCallPartRow["state"] | null }[];
};

const ROOT_COLUMNS = toColumns({
  id: "uuid",
  version: "int",
  status: "chat_status",
  archivedAt: "timestamptz",
  queuePaused: "boolean",
  wakeOnReports: "boolean",
  reportCount: "int",
  wakesLeft: "int",
  turnSteps: "int",
  attempt: "int",
  notBefore: "timestamptz",
});

/** The fields of a root chat that decide what the end of an agent does to it. */
export type AgentRoot = Pick<ChatRow, (typeof ROOT_COLUMNS)[number]["key"]>;

const toAgentRoot = createRowReader<AgentRoot>(ROOT_COLUMNS);

/** An agent of one moment: its chat, and what its task and its turn have come to. */
export type AgentSnapshot = {
  chat: ChatRow;
  root: AgentRoot;
  /** The task that it works on. */
  task: TaskRow | undefined;
  /** The messages of its last turn. */
  turn: TurnMessage[];
  /** What its calls have made or loaded since the task began, in order, each once. */
  files: Artifact[];
  isOverdue: boolean;
};

const TURN = `(SELECT json_agg(json_build_object('role', role, 'interrupted', interrupted, 'finishReason', finish_reason, 'parts', (
    SELECT coalesce(json_agg(json_build_object('type', type, 'text', text, 'state', state) ORDER BY index), '[]')
    FROM part WHERE part.message_id = message.id)) ORDER BY seq)
  FROM message WHERE chat_id = c.id AND turn_id = c.turn_id AND NOT deleted)`;

const FILES = `(SELECT json_agg(artifacts ORDER BY seq, index)
  FROM message JOIN part ON part.message_id = message.id
  WHERE chat_id = c.id AND NOT deleted AND message.created_at >= task.created_at
    AND jsonb_typeof(artifacts) = 'array')`;

const ROOT = `(SELECT row_to_json(root) FROM (
  SELECT ${columnNames(ROOT_COLUMNS)} FROM chat WHERE id = c.parent_chat_id) AS root)`;

/**
 * SQL of whether the agent of a row of `task` has worked for as many minutes as it may, since it began or since somebody
 * has answered it.
 */
const isOverdue = (minutes: string): string => {
  const since = `now() - ${minutes}::float8 * interval '1 minute'`;
  return `task.started_at <= ${since} AND NOT EXISTS (
    SELECT FROM message JOIN part ON part.message_id = message.id
    WHERE message.chat_id = task.agent_chat_id AND NOT message.deleted
      AND part.resolved_by <> 'worker' AND part.completed_at > ${since})`;
};

const READ: Statement = {
  name: "read-agent-ends",
  text: `SELECT row_to_json(c) AS chat, ${ROOT} AS root, row_to_json(task) AS task, ${TURN} AS turn, ${FILES} AS files,
      coalesce(${isOverdue("$2")}, false) AS overdue
    FROM chat c LEFT JOIN LATERAL (
      SELECT * FROM task WHERE agent_chat_id = c.id AND ${OPEN_TASK} ORDER BY created_at LIMIT 1) AS task ON true
    WHERE c.id = ANY($1::uuid[]) AND c.parent_chat_id IS NOT NULL ORDER BY c.updated_at, c.id`,
};

type SnapshotRecord = ChatAnswer & {
  root: ChatRecord;
  task: TaskRecord | null;
  turn: TurnMessage[] | null;
  files: Artifact[][] | null;
  overdue: boolean;
};

/** Reads the states of agents in the order in which their turns ended; omits deleted ones. */
export const readAgentSnapshots = async (
  db: Queryable,
  agentIds: readonly string[],
  turnMinutes: number,
): Promise<AgentSnapshot[]> =>
  (await db.query<SnapshotRecord>(READ, [[...agentIds], turnMinutes])).map(
    ({ files, ...record }) => ({
      chat: toChatRow(record.chat),
      root: toAgentRoot(record.root),
      task: record.task ? toTaskRow(record.task) : undefined,
      turn: record.turn ?? [],
      files: [...new Map((files ?? []).flat().map((file) => [file.id, file])).values()],
      isOverdue: record.overdue,
    }),
  );

type BusyAgent = { id: string; rootChatId: string };

const LIST_OVERDUE: Statement = {
  name: "list-overdue-agents",
  text: `SELECT task.agent_chat_id AS id, task.chat_id AS "rootChatId"
    FROM task JOIN chat AS agent ON agent.id = task.agent_chat_id
    WHERE task.state = 'running' AND agent.status IN ('pending', 'running')
      AND ${isOverdue("$1")} LIMIT $2`,
};

/** Lists agents that work for longer than they may. */
export const listOverdueAgents = (
  db: Queryable,
  { turnMinutes, limit }: { turnMinutes: number; limit: number },
): Promise<BusyAgent[]> => db.query<BusyAgent>(LIST_OVERDUE, [turnMinutes, limit]);

/** The end of an agent's task, as of one version of its history. */
export type AgentTaskEnd = TaskEnd & {
  rootId: string;
  taskId: string;
  agentId: string;
  historyVersion: number;
};

const GIVEN = `SELECT *, (count(*) OVER () - 1 - "position") * interval '1 ms' AS age
  FROM json_to_recordset($ends::json) AS given("position" int, "rootId" uuid, "taskId" uuid, "agentId" uuid,
    "historyVersion" int, "state" task_state, "report" json)`;

const endsAsJson = (ends: readonly AgentTaskEnd[]): string =>
  toJsonText(ends.map((end, position) => ({ position, ...end })));

/** SQL that ends the tasks of a table expression. With a different condition, a plan may read all running tasks. */
const endSql = (expression: string, revision: string): string => `UPDATE task
  SET state = ${expression}.state, revision = ${revision}, end_position = ${revision}, ended_at = now() - age,
    report = ${expression}.report
  FROM ${expression}
  WHERE id = ANY(ARRAY(SELECT "taskId" FROM ${expression})) AND id = "taskId" AND chat_id = "rootId"
    AND task.ended_at IS NULL RETURNING id, chat_id`;

const sumOfUses = (key: keyof UsageTotals): string =>
  `coalesce(sum((kind.value ->> '${key}')::bigint), 0) AS ${key}`;

/** SQL of what all agents of a chat have used. */
const selectUsage = (chatId: string): string => `(SELECT row_to_json(totals) FROM (
  SELECT ${(["input_tokens", "output_tokens", "cost_micros"] as const).map(sumOfUses).join(", ")}
  FROM chat AS agent, jsonb_each(agent.usage) AS kind WHERE agent.parent_chat_id = ${chatId}) AS totals)`;

type EndValues = { chatId: string; revision: number; maxRunning: number; ends: string };

const END = nameValues<EndValues>({
  name: "end-agent-tasks",
  text: `WITH given AS (${GIVEN}), ended AS (${endSql("given", "$revision::int")}),
    next AS (
      SELECT id, agent_chat_id, created_at FROM task
      WHERE chat_id = $chatId::uuid AND state = 'queued' AND id NOT IN (SELECT id FROM ended)
      ORDER BY created_at, id LIMIT greatest($maxRunning::int - (
        SELECT count(*) FROM task WHERE chat_id = $chatId::uuid AND kind = 'agent' AND state = 'running'
          AND id NOT IN (SELECT id FROM ended)), 0))
    SELECT (SELECT json_agg(id) FROM ended) AS ended,
      (SELECT json_agg(json_build_object('taskId', id, 'agentId', agent_chat_id) ORDER BY created_at, id)
        FROM next) AS next, ${selectUsage("$chatId::uuid")} AS usage`,
});

/** An agent that waits to begin, and its task. */
export type QueuedAgent = { taskId: string; agentId: string };

type Ended = {
  /** The ids of the tasks that this statement has ended. The others had ended before, or are deleted. */
  ended: string[];
  /** The queued agents for which there is room then, the oldest first. */
  next: QueuedAgent[];
  /** What all agents have used. */
  usage: UsageTotals;
};

/** Ends tasks of agents of a locked root chat with their reports, in this order. The agents are locked, too. */
export const endAgentTasks = async (
  tx: Transaction,
  { ends, ...values }: Omit<EndValues, "ends"> & { ends: readonly AgentTaskEnd[] },
): Promise<Ended> => {
  const [record] = await runNamed<{ [Key in keyof Ended]: Ended[Key] | null }, EndValues>(tx, END, {
    ...values,
    ends: endsAsJson(ends),
  });
  if (!record?.usage) throw new Error("a query without a condition found no row");
  return { ended: record.ended ?? [], next: record.next ?? [], usage: record.usage };
};

type NoteValues = { roots: string; ends: string };

const NOTE = transitionStatement<NoteValues>({
  name: "note-agent-ends",
  event: "note_task",
  before: {
    // Lateral, because the planner does not know the given values and would otherwise read all chats for a join.
    root: `SELECT known.* FROM json_to_recordset($roots::json) AS known("id" uuid, "version" int), LATERAL (
      SELECT FROM chat WHERE chat.id = known.id AND chat.version = known.version AND NOT EXISTS (
        SELECT FROM task WHERE chat_id = known.id AND state = 'queued')
      FOR UPDATE SKIP LOCKED) AS locked`,
    given: GIVEN,
    resting: `SELECT given.*, root.version + 1 AS revision FROM root JOIN given ON "rootId" = root.id, LATERAL (
      SELECT FROM chat WHERE id = "agentId" AND history_version = "historyVersion" AND status IN ('waiting', 'error')
      FOR UPDATE SKIP LOCKED) AS agent`,
    ended: endSql("resting", "resting.revision"),
  },
  where: (guard) => `id = ANY(ARRAY(SELECT chat_id FROM ended)) AND ${guard}`,
  change: {
    reportGrowth: "(SELECT count(*) FROM ended WHERE chat_id = chat.id)::int",
    assign: { usage: `jsonb_set(usage, '{child}', ${selectUsage("chat.id")}::jsonb)` },
  },
  select: "(SELECT json_agg(id) FROM ended WHERE chat_id = c.id) AS ended",
});

/**
 * Ends tasks of agents whose root chats only record the end (`note_task`). Waits for no lock. Skips a root chat that
 * has queued agents, and one whose version, or whose agent's version, is not the expected one.
 *
 * @returns the ids of the tasks that this has ended.
 */
export const noteAgentEnds = async (
  db: Queryable,
  {
    roots,
    ends,
  }: { roots: readonly Pick<AgentRoot, "id" | "version">[]; ends: readonly AgentTaskEnd[] },
): Promise<Set<string>> => {
  const records = await runNamed<{ ended: string[] }, NoteValues>(db, NOTE, {
    roots: toJsonText(roots.map(({ id, version }) => ({ id, version }))),
    ends: endsAsJson(ends),
  });
  return new Set(records.flatMap(({ ended }) => ended));
};
