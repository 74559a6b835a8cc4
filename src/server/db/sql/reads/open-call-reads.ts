import type { Queryable, Statement } from "@/server/db/connection/database";

/** Calls of a tool that wait for a client. */
export type OpenCallCount = {
  toolName: string;
  count: number;
  /** Since when the oldest one has waited, in seconds. */
  oldestSeconds: number;
};

/** Raw, for the indexes of parked chats and of open calls, which are few among very many. */
const COUNT: Statement = {
  name: "count-open-calls",
  text: `SELECT part.tool_name AS "toolName", count(*)::int AS count,
      greatest(0, extract(epoch FROM now() - min(part.started_at)))::float8 AS "oldestSeconds"
    FROM chat JOIN message ON message.chat_id = chat.id JOIN part ON part.message_id = message.id
    WHERE chat.action_deadline_at > '-infinity' AND chat.status = 'requires_action' AND chat.archived_at IS NULL
      AND NOT message.deleted AND part.state IN ('running', 'awaiting_result', 'awaiting_approval')
      AND part.state = 'awaiting_result'
    GROUP BY part.tool_name ORDER BY count DESC, part.tool_name`,
};

/** Counts the calls that wait for a client by tool, the most first. */
export const countOpenCalls = (db: Queryable): Promise<OpenCallCount[]> =>
  db.query<OpenCallCount>(COUNT, []);
