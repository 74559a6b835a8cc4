import type { Queryable, Statement, Transaction } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { ownedBySql, toViewerValue, type Viewer } from "@/server/db/chats/viewer";
import { forkColumns } from "@/server/db/sql/rows/chat-columns";
import { changeChat, insertStatement } from "@/server/db/sql/rows/chat-row";
import { copyMessagesSql } from "@/server/db/sql/rows/message-columns";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import { copyPartsSql } from "@/server/db/sql/rows/part-columns";

// A fork is made in one transaction, which has locked the chat that it comes from.

/** A message that a fork may take over. */
export type ForkableMessage = {
  id: string;
  seq: number;
  turnId: string;
  createdAt: Date;
};

/** Raw, as the rows of a long chat are read a third faster as arrays. */
const MESSAGES: Statement = {
  name: "list-forkable-messages",
  rowMode: "array",
  text: `SELECT id, seq, turn_id, created_at FROM message
    WHERE chat_id = $1::uuid AND NOT deleted ORDER BY seq`,
};

/** Lists all messages of a chat, those too that only people or only models see. */
export const listForkable = async (db: Queryable, chatId: string): Promise<ForkableMessage[]> => {
  type Tuple = [id: string, seq: number, turnId: string, createdAt: Date];
  const tuples = await db.query<Tuple>(MESSAGES, [chatId]);
  return tuples.map(([id, seq, turnId, createdAt]) => ({ id, seq, turnId, createdAt }));
};

type ForkValues = {
  forkId: string;
  originId: string;
  viewerValue: (string | null)[];
  title: string;
  /** The last message that it takes over. */
  seq: number;
  /** The highest one that it has. */
  lastSeq: number;
  turnId: string;
};

/** SQL of the tokens of the context after the last answer that the fork takes over. */
const CONTEXT_TOKENS = `coalesce((
  SELECT (usage->>'input_tokens')::int + (usage->>'output_tokens')::int FROM message
  WHERE message.chat_id = o.id AND message.seq <= $seq AND NOT deleted AND message.usage IS NOT NULL
  ORDER BY message.seq DESC LIMIT 1), 0)`;

const INSERT = insertStatement<ForkValues>({
  name: "insert-fork",
  values: forkColumns("o", {
    ...ownedBySql("$viewerValue"),
    id: "$forkId::uuid",
    rootChatId: "$forkId::uuid",
    forkedFromId: "o.id",
    forkedFromSeq: "$seq::int",
    status: "'waiting'",
    version: "1",
    historyVersion: "1",
    lastSeq: "$lastSeq::int",
    turnId: "$turnId::uuid",
    title: "$title",
    titled: "true",
    contextTokens: CONTEXT_TOKENS,
  }),
  source: "FROM chat o WHERE o.id = $originId::uuid",
});

/** Inserts a chat without messages that has the settings of another one. */
export const insertFork = async (
  tx: Transaction,
  { viewer, ...fork }: Omit<ForkValues, "viewerValue"> & { viewer: Viewer },
): Promise<ChatRow> => {
  const row = await changeChat(tx, INSERT, { ...fork, viewerValue: toViewerValue(viewer) });
  if (!row) throw new Error(`chat ${fork.originId} vanished while it was locked`);
  return row;
};

/** A message, and the ids that its copy has. */
export type CopiedMessage = { id: string; newId: string; newTurnId: string };

type CopyValues = { forkId: string; ids: string[]; newIds: string[]; newTurnIds: string[] };

/** The copies, in the order of the messages. */
const COPIES = "unnest($ids::uuid[], $newIds::uuid[]) WITH ORDINALITY AS x(id, new_id, place)";

const COPY_MESSAGES = nameValues<CopyValues>({
  name: "copy-messages",
  text: copyMessagesSql(
    { id: "x.new_id", chatId: "$forkId::uuid", turnId: "x.new_turn_id", revision: "1" },
    `FROM unnest($ids::uuid[], $newIds::uuid[], $newTurnIds::uuid[]) AS x(id, new_id, new_turn_id)
      JOIN message o ON o.id = x.id`,
  ),
});

const COPY_PARTS = nameValues<Pick<CopyValues, "ids" | "newIds">>({
  name: "copy-parts",
  // In their order, as the search goes by the order in which parts are written.
  text: copyPartsSql(
    { messageId: "x.new_id" },
    `FROM ${COPIES} JOIN part o ON o.message_id = x.id ORDER BY x.place, o.index`,
  ),
});

/** Messages of one statement. An embedded database runs it while all else in the process waits. */
const SLICE_MESSAGES = 100;

/** Copies messages with their parts to a fork that the transaction has inserted. */
export const copyMessages = async (
  tx: Transaction,
  forkId: string,
  messages: readonly CopiedMessage[],
): Promise<void> => {
  for (let start = 0; start < messages.length; start += SLICE_MESSAGES) {
    const slice = messages.slice(start, start + SLICE_MESSAGES);
    const ids = slice.map(({ id }) => id);
    const newIds = slice.map(({ newId }) => newId);
    const newTurnIds = slice.map(({ newTurnId }) => newTurnId);
    await runNamed(tx, COPY_MESSAGES, { forkId, ids, newIds, newTurnIds });
    await runNamed(tx, COPY_PARTS, { ids, newIds });
  }
};

const REST_AFTER_CALLS = nameValues<{ messageId: string }>({
  name: "rest-after-calls",
  text: `UPDATE message SET finish_reason = 'auto-submit-off' WHERE id = $messageId::uuid AND EXISTS (
    SELECT FROM part WHERE part.message_id = message.id AND part.type = 'tool_call' AND part.kind <> 'provider')`,
});

/** Lets a fork that ends in the middle of a turn rest after the results of its tools, if it ends with some. */
export const restAfterCalls = async (tx: Transaction, messageId: string): Promise<void> => {
  await runNamed(tx, REST_AFTER_CALLS, { messageId });
};
