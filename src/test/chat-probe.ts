import type { Database } from "@/server/db/database";
import {
  CHAT_COLUMNS,
  type ChatRecord,
  MESSAGE_COLUMNS,
  type MessageRecord,
  type PartRecord,
  toChatRow,
  toMessageRow,
  toPartRow,
} from "@/server/db/row-mapping";
import type { ChatRow, HistoryMessage, MessageRow } from "@/server/db/rows";

/** The chat's row as it stands, whoever owns it. */
export const readChat = async (db: Database, chatId: string): Promise<ChatRow> => {
  const [record] = await db.query<ChatRecord>(
    { name: "probe-chat", text: `SELECT ${CHAT_COLUMNS} FROM chat WHERE id = $1::uuid` },
    [chatId],
  );
  if (!record) throw new Error(`there is no chat ${chatId}`);
  return toChatRow(record);
};

/** No more of messages than the model's history has. */
export const asHistory = (messages: readonly HistoryMessage[]): HistoryMessage[] =>
  messages.map(({ id, role, turnId, parts, model, createdBy }) => ({
    ...{ id, role, turnId, parts, model, createdBy },
  }));

/** Every live message with its parts, read apart from the code under test. */
export const readWholeHistory = async (db: Database, chatId: string): Promise<MessageRow[]> => {
  const messages = await db.query<MessageRecord>(
    {
      name: "probe-messages",
      text: `SELECT ${MESSAGE_COLUMNS} FROM message WHERE chat_id = $1::uuid AND NOT deleted ORDER BY seq`,
    },
    [chatId],
  );
  const parts = await db.query<PartRecord & { message_id: string }>(
    {
      name: "probe-parts",
      text: `SELECT * FROM part WHERE message_id = ANY($1::uuid[]) ORDER BY message_id, index`,
    },
    [messages.map(({ id }) => id)],
  );
  return messages.map((message) =>
    toMessageRow(message, parts.filter((part) => part.message_id === message.id).map(toPartRow)),
  );
};
