import type { Database } from "@/server/db/connection/database";
import type { ChatRow, HistoryMessage, MessageRow } from "@/server/db/chats/rows";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import { CHAT_AS_JSON, type ChatAnswer } from "@/server/db/sql/rows/chat-row";
import { MESSAGE_COLUMNS, withParts } from "@/server/db/sql/rows/message-columns";
import { type PartRecord, toPartRow } from "@/server/db/sql/rows/part-columns";

/** Reads a chat's row without checking access. */
export const readChat = async (db: Database, chatId: string): Promise<ChatRow> => {
  const [record] = await db.query<ChatAnswer>(
    { name: "probe-chat", text: `SELECT ${CHAT_AS_JSON} FROM chat c WHERE id = $1::uuid` },
    [chatId],
  );
  if (!record) throw new Error(`there is no chat ${chatId}`);
  return toChatRow(record.chat);
};

/** Converts messages to the fields of the model's history. */
export const toHistory = (messages: readonly HistoryMessage[]): HistoryMessage[] =>
  messages.map(({ id, seq, role, turnId, parts, model, usage, createdBy, ...turn }) => ({
    id,
    seq,
    role,
    turnId,
    parts,
    model,
    usage,
    createdBy,
    parameters: turn.parameters ?? null,
    responseFormat: turn.responseFormat ?? null,
    // The history has no values.
    formatCheck: turn.formatCheck && "errors" in turn.formatCheck ? turn.formatCheck : null,
  }));

/** Reads all messages that are not deleted, independently of the code under test. */
export const readWholeHistory = async (db: Database, chatId: string): Promise<MessageRow[]> => {
  const messages = await db.query<{ id: string }>(
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
    withParts(message, parts.filter((part) => part.message_id === message.id).map(toPartRow)),
  );
};
