import type { FoundMessage } from "@/contract/message";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable } from "@/server/db/connection/database";
import { readableSql, toViewerValue, type Viewer } from "@/server/db/chats/viewer";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import { type SnippetRow, snippetColumns, snippetStartSql, toPattern, toSnippet } from "./snippet";

/** Messages that one statement compares at most. */
const MAX_COMPARED = 1_000;
/** It begins no further message after this time: the embedded database serves no other request meanwhile. */
const STATEMENT_SECONDS = 0.01;

/** @param nextBefore where the search continues; null after the first message of the chat. */
export type FoundPage = { messages: FoundMessage[]; nextBefore: number | null };

type FindValues = {
  chatId: string;
  viewer: (string | null)[];
  pattern: string;
  q: string;
  before: number;
};

/**
 * Raw: goes through the messages one by one, the newest first, until its time is over (ADR 0118). `OFFSET 0` lets the
 * clock be read before each message.
 */
const FIND = nameValues<FindValues>({
  name: "find-in-chat",
  usePool: true,
  text: `WITH page AS MATERIALIZED (
      SELECT id, seq, role FROM message
      WHERE chat_id = $chatId::uuid AND NOT deleted AND visibility <> 'model' AND seq < $before::bigint
      ORDER BY seq DESC LIMIT ${MAX_COMPARED}),
    compared AS MATERIALIZED (
      SELECT message.id, seq, role, is_in_time, hit.*
      FROM (
        SELECT id, seq, role, seq = (SELECT max(seq) FROM page)
          OR clock_timestamp() < statement_timestamp() + make_interval(secs => ${STATEMENT_SECONDS}) AS is_in_time
        FROM page OFFSET 0) AS message
      LEFT JOIN LATERAL (
        SELECT ${snippetColumns("text")} FROM part CROSS JOIN LATERAL ${snippetStartSql("text", "$q")} AS start
        WHERE is_in_time AND message_id = message.id AND type = 'text' AND text ILIKE $pattern
        ORDER BY index LIMIT 1) AS hit ON true)
    SELECT (SELECT json_agg(compared ORDER BY seq DESC) FROM compared WHERE snippet IS NOT NULL) AS hits,
      (SELECT CASE WHEN count(*) = ${MAX_COMPARED} OR NOT bool_and(is_in_time)
        THEN min(seq) FILTER (WHERE is_in_time) END FROM compared) AS "nextBefore"
    FROM chat WHERE id = $chatId::uuid AND ${readableSql("$viewer", "chat")}`,
});

/**
 * Finds messages of a chat by what people see of their texts, the newest first.
 *
 * @param search.before only messages with a smaller `seq`.
 * @returns undefined for a chat that is unknown or that the viewer may not read.
 */
export const findInChat = async (
  db: Queryable,
  search: { chatId: string; viewer: Viewer; q: string; before?: number | undefined },
): Promise<FoundPage | undefined> => {
  const { chatId, viewer, q, before = Number.MAX_SAFE_INTEGER } = search;
  if (!isUuid(chatId)) return undefined;
  type Row = { hits: (FoundMessage & SnippetRow)[] | null; nextBefore: number | null };
  const values = { chatId, viewer: toViewerValue(viewer), pattern: toPattern(q), q, before };
  const [found] = await runNamed<Row, FindValues>(db, FIND, values);
  return (
    found && {
      messages: (found.hits ?? []).map(({ id, seq, ...row }) => {
        return { id, seq, snippet: toSnippet(row, q) };
      }),
      nextBefore: found.nextBefore,
    }
  );
};
