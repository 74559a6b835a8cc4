import type { Queryable, Statement } from "@/server/db/connection/database";
import { OPEN_TASK } from "@/server/db/sql/rows/task-columns";

// Raw, as values that Prisma binds are not known to be those of the index of open tasks of agents, so that these would
// read all tasks.

/** Of all tasks, those that have not ended and their chats: agents that wait for people are among them. */
const RESTING: Statement = {
  name: "resting-agents",
  text: `SELECT agent.id FROM task JOIN chat AS agent ON agent.id = task.agent_chat_id
    WHERE task.kind = 'agent' AND ${OPEN_TASK} AND agent.status IN ('waiting', 'error') LIMIT $1`,
};

/** Lists agents that have ended their work although their task has not been ended. */
export const listRestingAgents = async (db: Queryable, limit: number): Promise<string[]> =>
  (await db.query<{ id: string }>(RESTING, [limit])).map(({ id }) => id);

const STALLED: Statement = {
  name: "stalled-queues",
  text: `SELECT DISTINCT queued.chat_id AS id FROM task AS queued
    WHERE queued.kind = 'agent' AND queued.state = 'queued' AND $1::int > (
      SELECT count(*) FROM task WHERE task.chat_id = queued.chat_id AND task.kind = 'agent' AND task.state = 'running')
    LIMIT $2`,
};

/** Lists root chats in which fewer agents run than may, although some are queued. */
export const listStalledQueues = async (
  db: Queryable,
  { limit, maxRunning }: { limit: number; maxRunning: number },
): Promise<string[]> =>
  (await db.query<{ id: string }>(STALLED, [maxRunning, limit])).map(({ id }) => id);
