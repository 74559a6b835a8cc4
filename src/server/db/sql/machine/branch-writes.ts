import type { ChatParameters } from "@/contract/parameters";
import { MAX_ALTERNATIVES } from "@/contract/limits";
import type { Transaction } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import { copyMessagesSql } from "@/server/db/sql/rows/message-columns";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import { copyPartsSql } from "@/server/db/sql/rows/part-columns";
import { firstAfterSplit } from "@/server/db/sql/reads/alternative-reads";

// All of these need a lock on the chat. What is replaced together has the version of the chat as its branch, and its first
// message the `seq` of the message that it followed: both versions split there.

/** SQL of the messages of the chat that are on its path. */
const CURRENT = "message.chat_id = $chatId::uuid AND NOT message.deleted";

type ReplacedMessages = { chatId: string; seq: number; revision: number };

const REPLACE_FROM = nameValues<ReplacedMessages>({
  name: "replace-messages-from",
  text: `UPDATE message SET deleted = true, revision = $revision, branch = $revision::int,
      split_seq = CASE WHEN seq = $seq THEN (
        SELECT coalesce(max(seq), 0) FROM message WHERE ${CURRENT} AND role <> 'event' AND seq < $seq) END
    WHERE ${CURRENT} AND seq >= $seq`,
});

/** Replaces a message and all after it. */
export const replaceMessagesFrom = async (
  tx: Transaction,
  messages: ReplacedMessages,
): Promise<void> => {
  await runNamed(tx, REPLACE_FROM, messages);
};

type ReplacedTurn = { chatId: string; turnId: string; newTurnId: string; revision: number };

/**
 * A turn begins with the message of the person, or with reports. Its answer is all from the next message on that is no
 * event: reports and boundaries before that stay.
 */
const REPLACE_ANSWER = nameValues<ReplacedTurn & { parameters: string | null }>({
  name: "replace-answer",
  text: `WITH beginning AS (
      SELECT seq, role FROM message WHERE ${CURRENT} AND turn_id = $turnId::uuid AND role <> 'event' ORDER BY seq LIMIT 1),
    start AS (
      SELECT message.seq FROM message, beginning WHERE ${CURRENT} AND message.role <> 'event'
        AND message.seq >= beginning.seq AND (message.seq > beginning.seq OR beginning.role = 'assistant')
      ORDER BY message.seq LIMIT 1),
    head AS (
      SELECT message.id FROM message, start WHERE ${CURRENT} AND message.role = 'assistant' AND message.seq >= start.seq
      ORDER BY message.seq LIMIT 1),
    replaced AS (
      UPDATE message SET deleted = true, revision = $revision, branch = CASE WHEN EXISTS (SELECT FROM head) THEN $revision::int END,
        split_seq = CASE WHEN message.id = (SELECT id FROM head) THEN (
          SELECT coalesce(max(before.seq), 0) FROM message before
          WHERE before.chat_id = $chatId::uuid AND NOT before.deleted AND before.role <> 'event' AND before.seq < start.seq) END
      FROM start WHERE ${CURRENT} AND message.seq >= start.seq RETURNING message.id, message.seq, message.role),
    kept AS (
      UPDATE message SET revision = $revision, turn_id = $newTurnId::uuid,
        parameters = CASE WHEN role = 'user' AND $parameters::jsonb IS NOT NULL
          THEN coalesce(parameters, '{}') || $parameters::jsonb ELSE parameters END
      WHERE ${CURRENT} AND turn_id = $turnId::uuid AND NOT EXISTS (SELECT FROM start WHERE message.seq >= start.seq))
    SELECT id FROM replaced WHERE role = 'user' ORDER BY seq`,
});

/**
 * Replaces the answer of the last turn, and moves what began the turn to the new one, with the parameters that it sets anew.
 *
 * @returns the ids of the messages of people that are replaced with it, as they entered the turn while it ran.
 */
export const replaceAnswer = async (
  tx: Transaction,
  { parameters, ...turn }: ReplacedTurn & { parameters?: ChatParameters | undefined },
): Promise<string[]> => {
  const rows = await runNamed<{ id: string }, ReplacedTurn & { parameters: string | null }>(
    tx,
    REPLACE_ANSWER,
    { ...turn, parameters: parameters ? toJsonText(parameters) : null },
  );
  return rows.map(({ id }) => id);
};

type Repetition = {
  ids: readonly string[];
  newIds: readonly string[];
  /** Of the first copy. */
  seq: number;
  turnId: string;
  revision: number;
};

const COPIES = "unnest($ids::uuid[], $newIds::uuid[]) WITH ORDINALITY AS x(id, new_id, place)";

const REPEAT = nameValues<Repetition>({
  name: "repeat-messages",
  text: copyMessagesSql(
    {
      id: "x.new_id",
      seq: "$seq::int + x.place - 1",
      turnId: "$turnId::uuid",
      revision: "$revision::int",
      deleted: "false",
      createdAt: "now()",
    },
    `FROM ${COPIES} JOIN message o ON o.id = x.id`,
  ),
});

const REPEAT_PARTS = nameValues<Pick<Repetition, "ids" | "newIds">>({
  name: "repeat-parts",
  text: copyPartsSql(
    { messageId: "x.new_id" },
    `FROM ${COPIES} JOIN part o ON o.message_id = x.id ORDER BY x.place, o.index`,
  ),
});

/** Copies replaced messages to the end of the history, as another answer reads them, too. */
export const repeatMessages = async (tx: Transaction, repetition: Repetition): Promise<void> => {
  const { ids, newIds } = repetition;
  await runNamed(tx, REPEAT, repetition);
  await runNamed(tx, REPEAT_PARTS, { ids, newIds });
};

/** A branch that can be chosen: what was replaced together, after one message. */
export type ReplacedBranch = { branch: number; splitSeq: number };

type FoundBranch = {
  deleted: boolean;
  branch: number | null;
  splitSeq: number | null;
  isSplitCurrent: boolean;
};

const FIND = nameValues<{ chatId: string; messageId: string }>({
  name: "find-branch",
  text: `SELECT found.deleted, found.branch, head.split_seq AS "splitSeq",
      head.split_seq = 0 OR EXISTS (
        SELECT FROM message WHERE ${CURRENT} AND seq = head.split_seq) AS "isSplitCurrent"
    FROM message found LEFT JOIN message head
      ON head.chat_id = found.chat_id AND head.branch = found.branch AND head.split_seq IS NOT NULL
    WHERE found.id = $messageId::uuid AND found.chat_id = $chatId::uuid`,
});

/**
 * Finds the branch of a message.
 *
 * @returns "current" for a message that is not replaced, "nested" for one that was replaced within another branch, and
 *   undefined for one that is unknown or no longer kept.
 */
export const findBranch = async (
  tx: Transaction,
  message: { chatId: string; messageId: string },
): Promise<ReplacedBranch | "current" | "nested" | undefined> => {
  const [found] = await runNamed<FoundBranch, typeof message>(tx, FIND, message);
  if (!found) return undefined;
  const { branch, splitSeq, deleted, isSplitCurrent } = found;
  if (!deleted) return "current";
  if (branch === null || splitSeq === null) return undefined;
  return isSplitCurrent ? { branch, splitSeq } : "nested";
};

type ChosenBranch = ReplacedBranch & { chatId: string; revision: number };

/**
 * Events that both versions follow were written before the first of them began. What continues a turn belongs to the one of
 * its first messages again.
 */
const CHOOSE = nameValues<ChosenBranch>({
  name: "choose-branch",
  text: `WITH split AS (SELECT seq, turn_id FROM message WHERE ${CURRENT} AND seq = $splitSeq::int),
    shown AS (${firstAfterSplit("$chatId::uuid", "$splitSeq::int", "(SELECT turn_id FROM split)")}),
    first AS (
      SELECT min(seq) AS seq FROM (
        SELECT seq FROM message WHERE chat_id = $chatId::uuid AND split_seq = $splitSeq
        UNION ALL SELECT seq FROM shown) AS version),
    head AS (
      SELECT role, turn_id FROM message WHERE chat_id = $chatId::uuid AND branch = $branch AND split_seq IS NOT NULL),
    replaced AS (
      UPDATE message SET deleted = true, revision = $revision, branch = CASE WHEN EXISTS (SELECT FROM shown) THEN $revision::int END,
        split_seq = CASE WHEN message.id = (SELECT id FROM shown) THEN $splitSeq END
      FROM first WHERE ${CURRENT} AND message.seq > $splitSeq AND (message.role <> 'event' OR message.seq >= first.seq)),
    kept AS (
      UPDATE message SET turn_id = head.turn_id, revision = $revision FROM head, split, first
      WHERE ${CURRENT} AND head.role = 'assistant' AND message.turn_id = split.turn_id
        AND (message.seq <= $splitSeq OR (message.role = 'event' AND message.seq < first.seq))),
    chosen AS (
      UPDATE message SET deleted = false, revision = $revision, branch = NULL, split_seq = NULL
      WHERE chat_id = $chatId::uuid AND branch = $branch RETURNING seq, turn_id)
    SELECT turn_id AS "turnId" FROM chosen ORDER BY seq DESC LIMIT 1`,
});

/** Replaces what follows the split by the branch. @returns the turn with which it ends. */
export const chooseBranch = async (tx: Transaction, chosen: ChosenBranch): Promise<string> => {
  const [end] = await runNamed<{ turnId: string }, ChosenBranch>(tx, CHOOSE, chosen);
  if (!end) throw new Error(`branch ${chosen.branch} of chat ${chosen.chatId} has no messages`);
  return end.turnId;
};

const CONTEXT_TOKENS = nameValues<{ chatId: string }>({
  name: "read-context-tokens",
  text: `SELECT coalesce((usage->>'input_tokens')::int + (usage->>'output_tokens')::int, (
      SELECT (data->>'tokens_after')::int FROM part WHERE message_id = message.id AND type = 'summary'), 0) AS tokens
    FROM message WHERE ${CURRENT} AND (usage IS NOT NULL OR (role = 'event' AND EXISTS (
      SELECT FROM part WHERE message_id = message.id AND type = 'summary')))
    ORDER BY seq DESC LIMIT 1`,
});

/** Reads the tokens of the context after the last answer or boundary. */
export const readContextTokens = async (tx: Transaction, chatId: string): Promise<number> => {
  const [read] = await runNamed<{ tokens: number }, { chatId: string }>(tx, CONTEXT_TOKENS, {
    chatId,
  });
  return read?.tokens ?? 0;
};

/** The newest are kept. The rows of others stay as deleted, so that streams report their removal. */
const LIMIT = nameValues<{ chatId: string }>({
  name: "limit-branches",
  text: `WITH head AS MATERIALIZED (
      SELECT branch FROM message WHERE chat_id = $chatId::uuid AND split_seq IS NOT NULL),
    dropped AS (
      UPDATE message SET branch = NULL, split_seq = NULL
      WHERE chat_id = $chatId::uuid AND branch IN (SELECT branch FROM head ORDER BY branch DESC OFFSET ${MAX_ALTERNATIVES}) RETURNING id),
    gone AS (DELETE FROM part USING dropped WHERE message_id = dropped.id)
    SELECT least(count(*), ${MAX_ALTERNATIVES})::int AS count FROM head`,
});

/** Removes the oldest branches above the limit. @returns how many are left. */
export const limitBranches = async (tx: Transaction, chatId: string): Promise<number> => {
  const [left] = await runNamed<{ count: number }, { chatId: string }>(tx, LIMIT, { chatId });
  return left?.count ?? 0;
};
