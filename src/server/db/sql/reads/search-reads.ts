import type { Database, Queryable, Statement } from "@/server/db/connection/database";
import type { ListPosition } from "@/server/db/chats/list-cursor";
import { allReadableSql, readableSql, toViewerValue, type Viewer } from "@/server/db/chats/viewer";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import { type SnippetRow, snippetColumns, snippetStartSql, toPattern, toSnippet } from "./snippet";

// Raw: Prisma has neither an operator nor a plan for trigrams. The embedded database runs a statement on the
// main thread and cannot cancel it, so each of these reads a slice: some 10 ms, 50 ms at most (ADR 0034).

/** Parts per slice, as in the index of migration 0010. */
const SLICE_PARTS = 1_024;
/** A statement begins no further slice of parts after this time. */
const STATEMENT_SECONDS = 0.01;
/** The newest slices in which a text without a trigram is looked for: some 100 ms of the embedded database. */
const UNINDEXED_SLICES = 16;
/** Titles that one statement compares. */
const SLICE_CHATS = 1_000;
/** Messages that one statement compares without the index. */
const MAX_UNINDEXED = 2_000;
/** The most chats whose messages the statement counts; it reads no more. */
const MAX_COUNTED_CHATS = 500;

/** The text of a search, and whose chats it searches. */
export type ChatSearch = { viewer: Viewer; q: string };

/** @param next where the search continues; null after the last slice. */
export type SearchSlice<Hit, Next> = { hits: Hit[]; next: Next | null };

/** A chat with a message that matches, and the position of the newest such message in the slice. */
export type MessageHit = { chatId: string; position: number } & PartRef;

/** Identifies the part of a message. */
export type PartRef = { messageId: string; index: number };

type TitleValues = {
  viewer: (string | null)[];
  pattern: string;
  time: Date | null;
  id: string | null;
};

const TITLES = nameValues<TitleValues>({
  name: "search-titles",
  usePool: true,
  text: `WITH slice AS MATERIALIZED (
      SELECT id, updated_at, title FROM chat
      WHERE ${allReadableSql("$viewer", "chat")} AND updated_at <= coalesce($time::timestamptz, 'infinity')
        AND ($id::uuid IS NULL OR updated_at < $time::timestamptz OR id < $id::uuid)
      ORDER BY updated_at DESC, id DESC LIMIT ${SLICE_CHATS}),
    last AS (SELECT id FROM slice OFFSET ${SLICE_CHATS - 1})
    SELECT slice.id, updated_at AS "updatedAt", title ILIKE $pattern AS "isHit", last.id IS NOT NULL AS "isLast"
    FROM slice LEFT JOIN last ON last.id = slice.id WHERE title ILIKE $pattern OR last.id IS NOT NULL
    ORDER BY updated_at DESC, slice.id DESC`,
});

/** Finds chats by their titles in the next slice of the viewer's chats, the last changed first. */
export const searchTitles = async (
  db: Queryable,
  { viewer, q }: ChatSearch,
  after: ListPosition | undefined,
): Promise<SearchSlice<ListPosition, ListPosition>> => {
  type Row = ListPosition & { isHit: boolean; isLast: boolean };
  const rows = await runNamed<Row, TitleValues>(db, TITLES, {
    viewer: toViewerValue(viewer),
    pattern: toPattern(q),
    time: after?.updatedAt ?? null,
    id: after?.id ?? null,
  });
  return {
    hits: rows.filter(({ isHit }) => isHit),
    next: rows.find(({ isLast }) => isLast) ?? null,
  };
};

const COUNT_MESSAGES: Statement = {
  name: "count-messages-to-search",
  text: `SELECT count(*)::int AS chats, coalesce(sum(last_seq), 0)::int AS messages FROM (
    SELECT last_seq FROM chat WHERE ${allReadableSql("$1", "chat")} LIMIT ${MAX_COUNTED_CHATS}) AS counted`,
};

/** Whether the viewer's messages are so few that one statement may compare all of them. */
const hasFewMessages = async (db: Queryable, viewer: Viewer): Promise<boolean> => {
  const [counted] = await db.query<{ chats: number; messages: number }>(COUNT_MESSAGES, [
    toViewerValue(viewer),
  ]);
  return !counted || (counted.chats < MAX_COUNTED_CHATS && counted.messages <= MAX_UNINDEXED);
};

/** Messages that people see, with summaries, in chats that were not found by their titles. */
const IS_SEARCHED = `message.role IN ('user', 'assistant', 'event') AND message.visibility <> 'model'
  AND NOT message.deleted AND chat.title NOT ILIKE $pattern`;

type MessageValues = { viewer: (string | null)[]; pattern: string; below: number | null };

/** The condition of the index, which no other part has an entry in. */
const IS_INDEXED = "type = 'text' AND is_indexed";

/** Above the position of every part. */
const NEWEST = "(SELECT last_value + 1 FROM part_position_seq)";

const OWN_MESSAGES = nameValues<MessageValues>({
  name: "search-own-messages",
  usePool: true,
  text: `SELECT DISTINCT ON (chat.id) chat.id AS "chatId", part.position, part.message_id AS "messageId", part.index
    FROM chat JOIN message ON message.chat_id = chat.id JOIN part ON part.message_id = message.id
    WHERE ${allReadableSql("$viewer", "chat")} AND ${IS_SEARCHED} AND part.type = 'text'
      AND part.text ILIKE $pattern AND part.position < coalesce($below::bigint, ${NEWEST})
    ORDER BY chat.id, part.position DESC`,
});

/**
 * Goes through the slices of all users' parts, the newest first, until its time is over. A text without a
 * trigram in `letters` is compared with each part of the newest slices: the index would be read as a whole.
 * `OFFSET 0` lets the clock be read before each slice, and the index be used before the joins. A position above
 * the newest part, which a client may send, would begin with slices that do not exist, without end.
 */
const ALL_MESSAGES = nameValues<MessageValues & { letters: string }>({
  name: "search-messages",
  text: `WITH search AS MATERIALIZED (
      SELECT least($below::bigint, newest) AS below, has_trigram,
        CASE WHEN has_trigram THEN 0 ELSE greatest(newest / ${SLICE_PARTS} - ${UNINDEXED_SLICES - 1}, 0) END AS oldest
      FROM (SELECT ${NEWEST} AS newest, cardinality(show_trgm($letters)) = 4 AS has_trigram) AS given)
    SELECT slice.number, slice.oldest, hit.chat_id AS "chatId", hit.position, hit.message_id AS "messageId", hit.index
    FROM (
      SELECT number, below, oldest
      FROM search, generate_series((below - 1) / ${SLICE_PARTS}, oldest, -1) AS number
      WHERE number = (below - 1) / ${SLICE_PARTS}
        OR clock_timestamp() < statement_timestamp() + make_interval(secs => ${STATEMENT_SECONDS})
      OFFSET 0) AS slice
    LEFT JOIN LATERAL (
      SELECT DISTINCT ON (message.chat_id) message.chat_id, found.position, found.message_id, found.index
      FROM (
        SELECT message_id, index, position FROM part
        WHERE (SELECT has_trigram FROM search) AND ${IS_INDEXED} AND position / ${SLICE_PARTS} = slice.number
          AND text ILIKE $pattern
        UNION ALL
        SELECT message_id, index, position FROM part
        WHERE NOT (SELECT has_trigram FROM search) AND ${IS_INDEXED} AND position / ${SLICE_PARTS} = slice.number
          AND text || '' ILIKE $pattern
        OFFSET 0) AS found
      JOIN message ON message.id = found.message_id JOIN chat ON chat.id = message.chat_id
      WHERE found.position < slice.below AND ${readableSql("$viewer", "chat")} AND ${IS_SEARCHED}
      ORDER BY message.chat_id, found.position DESC) AS hit ON true`,
});

/** Every session turns bitmap scans off (see planner-settings.ts), but an index of trigrams has no others. */
const ALLOW_BITMAPS: Statement = {
  name: "allow-bitmaps",
  text: "SELECT set_config('enable_bitmapscan', 'on', true)",
};

/** Three letters or digits in a row: what a trigram can be made of, if the locale of the database knows them. */
const TRIGRAM = /[\p{L}\p{N}]{3}/u;

/**
 * Finds chats by their messages in the next slices, the newest message first.
 *
 * @param below the position that the search has reached; null at its start.
 */
export const searchMessages = async (
  db: Database,
  { viewer, q }: ChatSearch,
  below: number | null,
): Promise<SearchSlice<MessageHit, number>> => {
  const values = { viewer: toViewerValue(viewer), pattern: toPattern(q), below };
  if (await hasFewMessages(db, viewer)) {
    const hits = await runNamed<MessageHit, MessageValues>(db, OWN_MESSAGES, values);
    return { hits: hits.sort(byPosition), next: null };
  }
  const letters = TRIGRAM.exec(q)?.[0] ?? "";
  type Row = { number: number; oldest: number } & (MessageHit | { chatId: null });
  const rows = await db.transaction(async (tx) => {
    await tx.query(ALLOW_BITMAPS, []);
    return runNamed<Row, MessageValues & { letters: string }>(tx, ALL_MESSAGES, {
      ...values,
      letters,
    });
  });
  const last = rows.toSorted((row, other) => row.number - other.number)[0];
  return {
    hits: rows.filter((row): row is Row & MessageHit => row.chatId !== null).sort(byPosition),
    next: last && last.number > last.oldest ? last.number * SLICE_PARTS : null,
  };
};

const byPosition = (hit: MessageHit, other: MessageHit): number => other.position - hit.position;

/** Where a search has found its text. */
export type MessageMatch = { chatId: string; seq: number; snippet: string };

type SnippetValues = { messageIds: string[]; indexes: number[]; q: string };

const SNIPPETS = nameValues<SnippetValues>({
  name: "search-snippets",
  usePool: true,
  text: `SELECT message.chat_id AS "chatId", message.seq, message.role, ${snippetColumns("part.text")}
    FROM unnest($messageIds::uuid[], $indexes::int[]) AS hit (message_id, index)
    JOIN part ON part.message_id = hit.message_id AND part.index = hit.index
    JOIN message ON message.id = part.message_id
    CROSS JOIN LATERAL ${snippetStartSql("part.text", "$q")} AS start`,
});

/** Reads the text around what a search has found, of the hits of one page. */
export const readSnippets = async (
  db: Queryable,
  { q }: ChatSearch,
  parts: readonly PartRef[],
): Promise<MessageMatch[]> => {
  if (parts.length === 0) return [];
  const rows = await runNamed<Omit<MessageMatch, "snippet"> & SnippetRow, SnippetValues>(
    db,
    SNIPPETS,
    {
      messageIds: parts.map(({ messageId }) => messageId),
      indexes: parts.map(({ index }) => index),
      q,
    },
  );
  return rows.map(({ chatId, seq, ...row }) => {
    return { chatId, seq, snippet: toSnippet(row, q) };
  });
};

/** A chat may match in several slices. This reads its newest messages only, as a chat may be very long. */
const REPEATED = nameValues<{ chatIds: string[]; pattern: string; position: number }>({
  name: "find-repeated-chats",
  usePool: true,
  text: `SELECT id FROM unnest($chatIds::uuid[]) AS chat (id) WHERE EXISTS (
    SELECT FROM (
      SELECT id FROM message WHERE chat_id = chat.id AND role IN ('user', 'assistant', 'event') AND visibility <> 'model'
        AND NOT deleted ORDER BY seq DESC LIMIT ${MAX_UNINDEXED}) AS message
    JOIN part ON part.message_id = message.id
    WHERE part.type = 'text' AND part.position >= $position::bigint AND part.text ILIKE $pattern)`,
});

/** @returns the chats that an earlier page has shown, because they match at the position or above. */
export const findRepeatedChats = async (
  db: Queryable,
  { q }: ChatSearch,
  { chatIds, position }: { chatIds: string[]; position: number },
): Promise<ReadonlySet<string>> => {
  const rows = await runNamed<
    { id: string },
    { chatIds: string[]; pattern: string; position: number }
  >(db, REPEATED, { chatIds, pattern: toPattern(q), position });
  return new Set(rows.map(({ id }) => id));
};
