import type { Queryable, Statement } from "@/server/db/connection/database";
import { TOOLSET_OF_PART } from "@/server/db/sql/rows/tool-definition";

// Raw, as programs count as connected by the clock of the database.

/** Programs ask again after at most 30 seconds, and those that wait are recorded every 10. */
const IS_PRESENT = "seen_at > now() - interval '45 seconds'";

const PRESENT: Statement = {
  name: "present-toolsets",
  text: `SELECT DISTINCT toolset FROM toolset_runner WHERE ${IS_PRESENT} ORDER BY toolset`,
};

/** Lists the names of the toolsets that a connected program runs. */
export const listPresentToolsets = async (db: Queryable): Promise<string[]> =>
  (await db.query<{ toolset: string }>(PRESENT, [])).map(({ toolset }) => toolset);

/** A program that is connected. */
export type RunnerRow = {
  toolset: string;
  holder: string;
  version: string;
  seenAt: Date;
  /** How many calls of the toolset it works on. */
  claimed: number;
};

const RUNNERS: Statement = {
  name: "list-toolset-runners",
  text: `SELECT toolset, holder, version, seen_at AS "seenAt", (
      SELECT count(*)::int FROM call_claim JOIN part USING (message_id, tool_call_id)
      WHERE call_claim.token IS NOT NULL AND call_claim.holder = toolset_runner.holder
        AND ${TOOLSET_OF_PART} = toolset_runner.toolset) AS claimed
    FROM toolset_runner WHERE ${IS_PRESENT} ORDER BY toolset, holder`,
};

/** Lists the programs that are connected, by toolset and name. */
export const listRunners = (db: Queryable): Promise<RunnerRow[]> =>
  db.query<RunnerRow>(RUNNERS, []);

const COUNT: Statement = {
  name: "count-toolset-runners",
  text: `SELECT name AS toolset, (SELECT count(*)::int FROM toolset_runner
      WHERE toolset_runner.toolset = toolset.name AND ${IS_PRESENT}) AS count
    FROM toolset ORDER BY count DESC, name`,
};

/** Counts the programs that are connected by toolset, the most first; also of those without one. */
export const countRunners = (db: Queryable): Promise<{ toolset: string; count: number }[]> =>
  db.query(COUNT, []);

/** What is known of a toolset besides its declaration. */
export type ToolsetUse = {
  toolset: string;
  /** When a program was connected last; null if none was within a day. */
  lastSeenAt: Date | null;
  openCalls: number;
  oldestOpenAt: Date | null;
};

/** Calls that are open, by their own index: chats that wait for other calls are not read. Of `$1`, the names of toolsets. */
const USES: Statement = {
  name: "list-toolset-uses",
  text: `WITH called AS MATERIALIZED (
      SELECT ${TOOLSET_OF_PART} AS toolset, part.started_at, part.message_id
      FROM part
      WHERE part.state IN ('awaiting_result', 'awaiting_approval') AND part.kind = 'toolset'
        AND ${TOOLSET_OF_PART} = ANY($1::text[])),
    open AS (
      SELECT called.* FROM called
      JOIN message ON message.id = called.message_id JOIN chat ON chat.id = message.chat_id
      WHERE chat.status = 'requires_action' AND chat.archived_at IS NULL AND NOT message.deleted)
    SELECT name AS toolset,
      (SELECT max(seen_at) FROM toolset_runner WHERE toolset_runner.toolset = name) AS "lastSeenAt",
      (SELECT count(*)::int FROM open WHERE open.toolset = name) AS "openCalls",
      (SELECT min(started_at) FROM open WHERE open.toolset = name) AS "oldestOpenAt"
    FROM unnest($1::text[]) AS name`,
};

/** Describes the use of the toolsets of these names. */
export const listToolsetUses = (db: Queryable, names: readonly string[]): Promise<ToolsetUse[]> =>
  db.query<ToolsetUse>(USES, [names]);

const OPEN_CHATS: Statement = {
  name: "list-chats-of-toolset",
  text: `SELECT DISTINCT chat.id FROM chat JOIN message ON message.chat_id = chat.id JOIN part ON part.message_id = message.id
    WHERE chat.status = 'requires_action' AND chat.archived_at IS NULL AND NOT message.deleted
      AND part.state IN ('awaiting_result', 'awaiting_approval') AND ${TOOLSET_OF_PART} = $1
      AND ($2::uuid IS NULL OR chat.id > $2::uuid)
    ORDER BY chat.id LIMIT $3`,
};

/** Lists chats that wait for calls of a toolset, by their ids, after one of them. */
export const listChatsOfToolset = async (
  db: Queryable,
  { toolset, after, limit }: { toolset: string; after: string | undefined; limit: number },
): Promise<string[]> =>
  (await db.query<{ id: string }>(OPEN_CHATS, [toolset, after ?? null, limit])).map(({ id }) => id);
