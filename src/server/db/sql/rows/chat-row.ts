import type { EventType } from "@/contract/event-type";
import { CHAT_STATES } from "@/server/machine/table/chat-state";
import { type ChatEvent, nextOutcome } from "@/server/machine/table/transition-table";
import type { Queryable } from "@/server/db/connection/database";
import { type ChatRecord, insertChatSql, toChatRow } from "./chat-columns";
import type { ChatRow } from "@/server/db/chats/rows";
import { ACCESS_COLUMN, allReadableSql, audienceSql, readableSql } from "@/server/db/chats/viewer";
import { type NamedStatement, nameValues, runNamed } from "./named-statement";
import { assignments, listCells, type RowChange, stateCondition } from "./transition-sql";

// This is the only module that writes the table `chat` and that notifies. Every statement that does is
// built here: what follows a change of a chat is added in one place, and no transition can leave it out.

/** SQL that sends a payload when the transaction commits. */
export const notifySql = (channel: string, payload: string): string =>
  `pg_notify('${channel}', ${payload})`;

/**
 * SQL of the column with the notice of the row of the table expression `c`: "<chat id> <version> <status> <audience>", of a
 * child "<chat id>/<parent id> …".
 *
 * @param word SQL of what the chat is now.
 */
const noticeSql = (word: string, condition?: string): string => {
  const notice = `c.id || coalesce('/' || c.parent_chat_id, '') || ' ' || c.version || ' ' || ${word} || ' ' || ${audienceSql("c")}`;
  return `${condition ? `CASE WHEN ${condition} THEN ${notice} END` : notice} AS notice`;
};

export const CHAT_NOTICE = noticeSql("c.status");

/** The row of a table or table expression as one column: cheaper to read than thirty. */
export const CHAT_AS_JSON = `row_to_json(c) AS chat`;

/** A record of `SELECT ${CHAT_AS_JSON}`. */
export type ChatAnswer = { chat: ChatRecord };

/** What a statement does in addition to changing the row `c`. */
type StatementParts = {
  /** Table expressions that precede `c`, by name. */
  before?: Record<string, string>;
  /** Table expressions that follow `c`, by name. */
  with?: Record<string, string>;
  /** Columns of the answer besides the chat. */
  select?: string;
  /** What the answer is read from besides `c`. */
  from?: string;
  /** SQL of whether it announces the row; by default it does. Others are for `ANNOUNCE_CHATS`, in the same transaction. */
  isAnnounced?: string;
};

const withNotice = (
  change: string,
  { before = {}, with: after = {}, select, from, isAnnounced }: StatementParts,
): string => {
  const expressions = { ...before, c: `${change} RETURNING *`, ...after };
  return `WITH ${Object.entries(expressions)
    .map(([name, text]) => `${name} AS (${text})`)
    .join(", ")}
  SELECT ${CHAT_AS_JSON}, ${select ? `${select}, ` : ""}${noticeSql("c.status", isAnnounced)} FROM c${from ? `, ${from}` : ""}`;
};

/** How long events are kept, and for how long they are written after somebody has read some. */
export const EVENT_AGE = "interval '7 days'";

/** SQL of whether somebody reads the events of the row `c`: nothing is written for others. */
const HAS_READER = `EXISTS (SELECT FROM event_reader AS r
  WHERE r.${ACCESS_COLUMN} = c.${ACCESS_COLUMN} AND r.read_at > now() - ${EVENT_AGE})`;

const EVENT_COLUMNS = `${ACCESS_COLUMN}, chat_id, root_chat_id, version, type`;

/** SQL that writes an event of the row `c`. @param where which rows have one. */
const recordEventSql = (type: EventType, where = "true"): string =>
  `INSERT INTO event (${EVENT_COLUMNS})
    SELECT c.${ACCESS_COLUMN}, c.id, c.root_chat_id, c.version, '${type}' FROM c WHERE ${where} AND ${HAS_READER}`;

/**
 * Builds the SQL that writes an event of each call of a source that waits, or has waited, for a client.
 *
 * @param options.from the source `s`, with the columns of `part`, and the chat `c`.
 * @param options.version SQL of the version that the chat gets.
 */
export const recordCallsSql = (
  type: EventType & `call.${string}`,
  {
    from,
    where = "true",
    version = "c.version",
  }: { from: string; where?: string; version?: string },
): string =>
  `INSERT INTO event (${EVENT_COLUMNS}, message_id, tool_call_id, tool_name)
    SELECT c.${ACCESS_COLUMN}, c.id, c.root_chat_id, ${version}, '${type}', s.message_id, s.tool_call_id, s.tool_name
    FROM ${from} WHERE s.deadline_at IS NOT NULL AND ${where} AND ${HAS_READER}`;

const RESTS = "c.status = 'waiting'";

/** The events that are kept of transitions, by the last event of the table, and which rows have one. */
const TURN_ENDS: Partial<Record<ChatEvent, readonly [type: EventType, where?: string]>> = {
  finish_turn: ["turn.ended"],
  finish_interruption: ["turn.ended"],
  // A chat that is not parked is stopped by its worker.
  interrupt: ["turn.ended", RESTS],
  fail_turn: ["turn.failed"],
  reconcile: ["turn.failed"],
};

const recordTurnEnd = (event: ChatEvent, then: ChatEvent | undefined): Record<string, string> => {
  const [type, where] = TURN_ENDS[then ?? event] ?? [];
  if (type === undefined) return {};
  // With messages in the queue, the second event follows as a transition of its own.
  return { e: recordEventSql(type, then ? RESTS : where) };
};

type Transition = StatementParts & {
  /** Unique in the program. */
  name: string;
  event: ChatEvent;
  /** A second event right behind the first; see `listCells`. */
  then?: ChatEvent | undefined;
  /** Which rows, given the condition that the table sets. */
  where: (guard: string) => string;
  change?: RowChange;
};

/** Builds the UPDATE of one event: guard and assignments come from the state table. */
export const transitionStatement = <Values extends object>(
  transition: Transition,
): NamedStatement<Values> => {
  const { name, event, then, where, change = {} } = transition;
  const cells = listCells(event, then);
  const guard = stateCondition(cells.map(({ state }) => state));
  return nameValues({
    name,
    changesChat: true,
    announces: true,
    text: withNotice(`UPDATE chat SET ${assignments(event, cells, change)} WHERE ${where(guard)}`, {
      ...transition,
      with: { ...transition.with, ...recordTurnEnd(event, then) },
    }),
  });
};

/** Builds an UPDATE outside of the state machine: the version rises, so that watchers read the change. */
export const metadataStatement = <Values extends object>(
  metadata: StatementParts & { name: string; assign: Record<string, string>; where: string },
): NamedStatement<Values> => {
  const { name, assign, where } = metadata;
  const set = Object.entries({ version: "version + 1", ...assign });
  return nameValues({
    name,
    changesChat: true,
    announces: true,
    text: withNotice(
      `UPDATE chat SET ${set.map(([column, value]) => `${column} = ${value}`).join(", ")} WHERE ${where}`,
      metadata,
    ),
  });
};

/** Builds the INSERT of chats. @param insert.source what their values are selected from. */
export const insertStatement = <Values extends object>(
  insert: StatementParts & {
    name: string;
    values: Parameters<typeof insertChatSql>[0];
    source: string;
  },
): NamedStatement<Values> => {
  const { name, values, source } = insert;
  return nameValues({
    name,
    changesChat: true,
    announces: true,
    text: withNotice(insertChatSql(values, source), {
      ...insert,
      with: { ...insert.with, e: recordEventSql("chat.created", "c.import_id IS NULL") },
    }),
  });
};

/** Builds the announcement of chats as they are. */
export const ANNOUNCE_CHATS = nameValues<{ chatIds: readonly string[] }>({
  name: "announce-chats",
  announces: true,
  text: `SELECT ${CHAT_NOTICE} FROM chat c WHERE id = ANY($chatIds::uuid[])`,
});

/** Runs a statement that changes one chat. @returns undefined when it found no row to change. */
export const changeChat = async <Values extends object>(
  db: Queryable,
  statement: NamedStatement<Values>,
  values: Values,
): Promise<ChatRow | undefined> => {
  const [record] = await runNamed<ChatAnswer, Values>(db, statement, values);
  return record && toChatRow(record.chat);
};

const DELETABLE = CHAT_STATES.filter((state) => nextOutcome(state, "delete") !== undefined);

/** Builds the DELETE of chats; all that hangs on them goes with them, but for the event of the deletion. */
export const deleteStatement = <Values extends object>(
  name: string,
  where: string,
): NamedStatement<Values> =>
  nameValues({
    name,
    changesChat: true,
    announces: true,
    text: `WITH c AS (DELETE FROM chat WHERE ${where} AND ${stateCondition(DELETABLE)}
      RETURNING id, parent_chat_id, root_chat_id, import_id, ${ACCESS_COLUMN}, version, 'deleted' AS status),
      forgotten AS (DELETE FROM event USING c WHERE event.chat_id = c.id),
      e AS (${recordEventSql("chat.deleted", "c.import_id IS NULL")})
    SELECT c.id, ${CHAT_NOTICE} FROM c`,
  });

/**
 * Builds the mark of what a user has read. It changes no row of `chat`; the other devices of the user are notified.
 * A version that the chat does not have is not stored.
 */
export const SAVE_READ_MARK = nameValues<{
  chatId: string;
  viewerValue: (string | null)[];
  userId: string;
  version: number;
}>({
  name: "save-read-mark",
  announces: true,
  text: `WITH c AS (
      SELECT id, parent_chat_id, version, ${ACCESS_COLUMN} FROM chat WHERE id = $chatId::uuid AND ${readableSql("$viewerValue", "chat")}),
    marked AS (
      INSERT INTO read_mark (chat_id, user_id, version)
      SELECT id, $userId, $version::int FROM c WHERE version >= $version::int
      ON CONFLICT (chat_id, user_id) DO UPDATE SET version = excluded.version
        WHERE read_mark.version < excluded.version
      RETURNING chat_id)
    SELECT c.version, ${noticeSql("'read'", "marked.chat_id IS NOT NULL")}
    FROM c LEFT JOIN marked ON true`,
});

/**
 * SQL of whether a row of `chat`, with the user's row of `read_mark`, has an answer that this user has not read. A chat
 * that the user has never opened, such as one that a program works with, is none to read; the answers of agents are
 * for the chat that has started them. By the index of revisions, so that a chat costs the same whatever its length.
 */
export const UNREAD_SQL = `(read_mark.version IS NOT NULL AND chat.parent_chat_id IS NULL AND EXISTS (
  SELECT 1 FROM message
  WHERE message.chat_id = chat.id AND message.revision > read_mark.version
    AND message.role = 'assistant' AND message.visibility <> 'model' AND NOT message.deleted))`;

/** Builds the marks of all chats that a user has not read; other devices are notified of each. */
export const MARK_ALL_READ = nameValues<{ viewerValue: (string | null)[]; userId: string }>({
  name: "mark-all-read",
  announces: true,
  text: `WITH c AS (
      UPDATE read_mark SET version = chat.version FROM chat
      WHERE read_mark.chat_id = chat.id AND read_mark.user_id = $userId
        AND ${allReadableSql("$viewerValue", "chat")} AND ${UNREAD_SQL}
      RETURNING chat.id, chat.parent_chat_id, chat.version, chat.${ACCESS_COLUMN})
    SELECT ${noticeSql("'read'")} FROM c`,
});

/** How long a worker that does not renew keeps its chats: a crash delays them by this much at most. */
export const LEASE_SECONDS = 30;

/** SQL of the end of a lease that is taken or renewed now. */
export const LEASE_END = `now() + make_interval(secs => ${LEASE_SECONDS})`;

/** SQL of the condition of the index of chats that workers claim or hold, which are few among all. */
export const IS_AT_WORK = "status IN ('pending', 'running', 'interrupting')";

/**
 * Builds the renewal of leases. It is no transition, so it neither raises the version nor notifies. Raw, as
 * leases end by the clock of the database.
 */
export const RENEW_LEASES = nameValues<{ owner: string; leaseTokens: string[] }>({
  name: "renew-leases",
  text: `UPDATE chat SET lease_expires_at = ${LEASE_END}
    WHERE ${IS_AT_WORK} AND lease_owner = $owner AND lease_token = ANY($leaseTokens::uuid[])
    RETURNING lease_token`,
});

/** Ends all leases, of imports too, exec sessions and heartbeats. Only for a database that no other process has open. */
export const END_ALL_LEASES = `WITH ended AS (DELETE FROM worker),
    imports AS (UPDATE import SET lease_token = NULL, lease_expires_at = NULL WHERE lease_token IS NOT NULL)
  UPDATE chat SET lease_owner = NULL, lease_token = NULL, lease_expires_at = NULL,
    session_owner = NULL
  WHERE lease_token IS NOT NULL OR session_owner IS NOT NULL`;

/**
 * Builds the hold of a worker on a chat that it works on. Like leases, holds are no transition and of no interest
 * to watchers.
 */
export const HOLD_SESSIONS = nameValues<{ owner: string; chatId: string }>({
  name: "hold-sessions",
  text: `UPDATE chat SET session_owner = $owner
    FROM (SELECT id, session_owner FROM chat WHERE id = $chatId::uuid FOR UPDATE) before
    WHERE chat.id = before.id AND chat.lease_owner = $owner
    RETURNING before.session_owner IS NOT DISTINCT FROM $owner AS renewed`,
});

export const RELEASE_SESSIONS = nameValues<{ owner: string; chatIds: readonly string[] }>({
  name: "release-sessions",
  text: `UPDATE chat SET session_owner = NULL WHERE id = ANY($chatIds::uuid[]) AND session_owner = $owner`,
});
