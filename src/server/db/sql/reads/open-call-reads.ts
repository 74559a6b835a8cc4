import type { Labels } from "@/contract/labels";
import { toLikePattern } from "@/lib/name-pattern";
import { toJsonText } from "@/server/db/connection/nul";
import type { Queryable, Statement } from "@/server/db/connection/database";
import type { CallDefinition, OpenCallRow } from "@/server/db/chats/rows";
import { decodeCallCursor, encodeCallCursor } from "@/server/db/chats/call-cursor";
import { allReadableSql, toViewerValue, type Viewer } from "@/server/db/chats/viewer";
import { CLAIM_OF_PART } from "@/server/db/sql/rows/claim-columns";
import { lastAssistant } from "@/server/db/sql/rows/message-columns";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import { definitionAsJson, TOOLSET_OF_PART } from "@/server/db/sql/rows/tool-definition";
import { type OpenCallRecord, toOpenCallRow } from "./chat-reads";

// Raw, as programs ask for calls across all chats of a viewer: through Prisma each condition would be a query of its own.

/** What a call was declared with. */
type DeclaredCall = Omit<CallDefinition, "timeout_seconds">;

/** An open call with what its chat knows of it. */
export type ListedCallRow = OpenCallRow & {
  chatId: string;
  rootChatId: string;
  tool: DeclaredCall | null;
  /** Its place in its message. */
  index: number;
};

export type ListedCallRecord = OpenCallRecord & {
  chat_id: string;
  root_chat_id: string;
  tool: DeclaredCall | null;
};

/**
 * The calls that programs may run: those of tools that clients have declared and of toolsets, in chats that wait for them. By the owner's parked
 * chats, each with its last answer, so that it costs nothing what others wait for, nor how long a chat is.
 */
export const FROM_OPEN_CALLS = `FROM chat CROSS JOIN LATERAL ${lastAssistant("chat.id")} AS message
  JOIN part ON part.message_id = message.id
  WHERE ${allReadableSql("$viewer", "chat")} AND chat.status = 'requires_action' AND chat.archived_at IS NULL
    AND part.state = 'awaiting_result' AND part.kind IN ('dynamic', 'toolset')`;

const LABELS = "(SELECT root.labels FROM chat AS root WHERE root.id = chat.root_chat_id)";

/** SQL of the columns of a `ListedCallRecord` but its claim, and what a claim is made of. */
export const CALL_COLUMNS = `row_to_json(part) AS part, ${LABELS} AS labels,
  chat.id AS chat_id, chat.root_chat_id, chat.version,
  coalesce(part.definition, ${definitionAsJson("chat.dynamic_tools", "part.tool_name")}) AS tool`;

const OLDEST_FIRST = "part.started_at, part.message_id, part.index";

/**
 * SQL of the first `$limit` of these calls. What is read of a call is read of these alone: it costs more than to find it.
 *
 * @param where the condition of those that are asked for.
 */
export const firstCalls = (where: string): string => `FROM (
    SELECT part.message_id, part.index, chat.id AS chat_id ${FROM_OPEN_CALLS} AND ${where}
    ORDER BY ${OLDEST_FIRST} LIMIT $limit::int) AS first
  JOIN part ON part.message_id = first.message_id AND part.index = first.index JOIN chat ON chat.id = first.chat_id`;

/** Which calls a program wants. */
export type CallFilter = {
  /** Names of tools; undefined for all. */
  tools?: readonly string[] | undefined;
  /** Patterns of the names of the tools that the program may answer; undefined for all. */
  allowed?: readonly string[] | undefined;
  /** Toolsets whose calls it may answer besides those of such tools. */
  allowedToolsets?: readonly string[] | undefined;
  /** The toolset that the calls are of; undefined for calls of any and of none. */
  toolset?: string | undefined;
  /** What the root chat's labels must have. */
  labels?: Labels | undefined;
};

export type FilterValues = {
  viewer: (string | null)[];
  tools: string[] | null;
  allowed: string[] | null;
  allowedToolsets: string[] | null;
  toolset: string | null;
  labels: string | null;
};

/** SQL of the conditions of a `CallFilter`. */
export const IS_WANTED = `($tools::text[] IS NULL OR part.tool_name = ANY($tools::text[]))
  AND ($allowed::text[] IS NULL OR part.tool_name LIKE ANY ($allowed::text[])
    OR ${TOOLSET_OF_PART} = ANY ($allowedToolsets::text[]))
  AND ($toolset::text IS NULL OR ${TOOLSET_OF_PART} = $toolset)
  AND ($labels::jsonb IS NULL OR ${LABELS} @> $labels::jsonb)`;

export const toFilterValues = (
  viewer: Viewer,
  { tools, allowed, allowedToolsets, toolset, labels }: CallFilter,
): FilterValues => ({
  viewer: toViewerValue(viewer),
  tools: tools ? [...tools] : null,
  allowed: allowed ? allowed.map(toLikePattern) : null,
  allowedToolsets: allowedToolsets ? [...allowedToolsets] : null,
  toolset: toolset ?? null,
  labels: labels ? toJsonText(labels) : null,
});

type ListValues = FilterValues & {
  isClaimed: boolean | null;
  startedAt: Date | null;
  messageId: string | null;
  index: number | null;
  limit: number;
};

/** SQL of the condition of the calls that are held or not, and that follow those of the page before. */
const IS_LISTED = `${IS_WANTED}
  AND ($isClaimed::boolean IS NULL OR $isClaimed::boolean = EXISTS (
    SELECT FROM call_claim AS held
    WHERE held.message_id = part.message_id AND held.tool_call_id = part.tool_call_id AND held.token IS NOT NULL))
  AND ($startedAt::timestamptz IS NULL
    OR (part.started_at, part.message_id, part.index) > ($startedAt::timestamptz, $messageId::uuid, $index::int))`;

const LIST = nameValues<ListValues>({
  name: "list-open-calls",
  usePool: true,
  text: `SELECT ${CALL_COLUMNS}, ${CLAIM_OF_PART} AS claim ${firstCalls(IS_LISTED)} ORDER BY ${OLDEST_FIRST}`,
});

/**
 * One page of the open calls of the viewer's chats, the oldest first.
 *
 * @throws {DomainError} `invalid` for a malformed cursor.
 */
export const listOpenCalls = async (
  db: Queryable,
  {
    viewer,
    filter,
    claimed,
    cursor,
    limit,
  }: {
    viewer: Viewer;
    filter: CallFilter;
    /** Undefined for those that a program holds and others. */
    claimed: boolean | undefined;
    cursor: string | undefined;
    limit: number;
  },
): Promise<{ calls: ListedCallRow[]; nextCursor: string | undefined }> => {
  const after = decodeCallCursor(cursor);
  const records = await runNamed<ListedCallRecord, ListValues>(db, LIST, {
    ...toFilterValues(viewer, filter),
    isClaimed: claimed ?? null,
    startedAt: after?.startedAt ?? null,
    messageId: after?.messageId ?? null,
    index: after?.index ?? null,
    limit: limit + 1,
  });
  const calls = records.slice(0, limit).flatMap((record) => toListedCallRow(record) ?? []);
  const last = records.length > limit ? calls.at(-1) : undefined;
  return { calls, nextCursor: last && encodeCallCursor(last) };
};

/** @returns undefined for a part that is no call. */
export const toListedCallRow = (record: ListedCallRecord): ListedCallRow | undefined => {
  const call = toOpenCallRow(record);
  return (
    call && {
      ...call,
      chatId: record.chat_id,
      rootChatId: record.root_chat_id,
      tool: record.tool,
      index: Number(record.part.index),
    }
  );
};

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
