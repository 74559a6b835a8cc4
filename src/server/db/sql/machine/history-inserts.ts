import type { FinishReason } from "@/contract/message";
import type { Transaction } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { GivenPartRow, MessageRow } from "@/server/db/chats/rows";
import { insertMessageSql } from "@/server/db/sql/rows/message-columns";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import { insertGivenParts, toGivenPartRecord } from "@/server/db/sql/rows/part-columns";
import { recordType, toColumns, toRecord } from "@/server/db/sql/rows/table-columns";

/** A message of the history that a new chat begins with. */
export type GivenMessage = Pick<MessageRow, "id" | "turnId" | "role"> & {
  createdBy: string | null;
  finishReason: FinishReason | null;
  parts: readonly GivenPartRow[];
  responseFormat?: MessageRow["responseFormat"] | undefined;
  model?: string | null;
  interrupted?: boolean;
  /** Now by default. */
  createdAt?: Date | undefined;
};

/** A message with its place. */
export type PlacedMessage = GivenMessage & { chatId: string; seq: number };

const MESSAGE = toColumns({
  id: "uuid",
  chatId: "uuid",
  seq: "int",
  role: "message_role",
  turnId: "uuid",
  createdBy: "text",
  finishReason: "text",
  responseFormat: "json",
  model: "text",
  interrupted: "boolean",
  createdAt: "timestamptz",
});

const INSERT_MESSAGES = nameValues<{ messages: string }>({
  name: "insert-given-messages",
  text: insertMessageSql(
    {
      ...Object.fromEntries(MESSAGE.map(({ key, name }) => [key, `x.${name}`])),
      interrupted: "coalesce(x.interrupted, false)",
      createdAt: "coalesce(x.created_at, now())",
      revision: "1",
    },
    `FROM json_to_recordset($messages::json) AS x${recordType(MESSAGE)}`,
  ),
});

const INSERT_PARTS = nameValues<{ parts: string }>({
  name: "insert-given-parts",
  text: insertGivenParts("$parts"),
});

/** Rows of one statement. An embedded database runs it while all else in the process waits. */
const MAX_ROWS = 250;
/** Characters of their JSON, but at least one row, for the same reason. */
const MAX_CHARS = 128 * 1024;

/** Inserts all messages of a chat that the transaction has inserted. Their `seq` is their place. */
export const insertHistory = (
  tx: Transaction,
  chatId: string,
  messages: readonly GivenMessage[],
): Promise<void> =>
  insertPlacedMessages(
    tx,
    messages.map((message, index) => ({ ...message, chatId, seq: index + 1 })),
  );

/** Inserts messages of chats that have been inserted. */
export const insertPlacedMessages = async (
  tx: Transaction,
  messages: readonly PlacedMessage[],
): Promise<void> => {
  const rows = messages.map((message) => toRecord(message, MESSAGE));
  for (const slice of toSlices(rows)) await runNamed(tx, INSERT_MESSAGES, { messages: slice });
  for (const slice of toSlices(toPartRecords(messages))) {
    await runNamed(tx, INSERT_PARTS, { parts: slice });
  }
};

function* toPartRecords(messages: readonly GivenMessage[]) {
  for (const { id: messageId, createdAt: startedAt, parts } of messages) {
    for (const [index, part] of parts.entries())
      yield toGivenPartRecord(part, { messageId, index, startedAt });
  }
}

/** Cuts rows into JSON arrays. Each is made when the one before has been used, so that there is one at a time. */
function* toSlices(rows: Iterable<object>): Generator<string> {
  let slice: string[] = [];
  let chars = 0;
  for (const row of rows) {
    const text = toJsonText(row);
    if (slice.length === MAX_ROWS || (slice.length > 0 && chars + text.length > MAX_CHARS)) {
      yield `[${slice.join()}]`;
      [slice, chars] = [[], 0];
    }
    slice.push(text);
    chars += text.length;
  }
  if (slice.length > 0) yield `[${slice.join()}]`;
}
