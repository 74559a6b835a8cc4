import { isUuid } from "@/lib/is-uuid";
import type { Queryable, Statement } from "@/server/db/connection/database";
import { readableSql, toViewerValue, type Viewer } from "@/server/db/chats/viewer";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import type { ChatAnswer } from "@/server/db/sql/rows/chat-row";
import { type ActionsRecord, actionsAsJson, type ChatWithActions, toActions } from "./chat-reads";

/** The newest answer on the path of a chat that has a text. */
export type LastAnswerRow = { messageId: string; seq: number; text: string };

/** SQL of the last answer of the row of `chat`, by the index of its messages; NULL without one. */
const LAST_ANSWER = `(
  SELECT json_build_object('messageId', message.id, 'seq', message.seq, 'text', written.text)
  FROM message CROSS JOIN LATERAL (
    SELECT string_agg(part.text, E'\\n\\n' ORDER BY part.index) AS text FROM part
    WHERE part.message_id = message.id AND part.type = 'text' AND part.text <> '') AS written
  WHERE message.chat_id = chat.id AND NOT message.deleted AND message.role = 'assistant'
    AND message.visibility <> 'model' AND written.text IS NOT NULL
  ORDER BY message.seq DESC LIMIT 1)`;

/** Raw: all is of one moment, and clients poll it. */
const CHAT: Statement = {
  name: "chat-with-answer",
  text: `SELECT row_to_json(chat) AS chat, ${actionsAsJson("$2")}, ${LAST_ANSWER} AS last_answer
    FROM chat WHERE id = $1::uuid AND ${readableSql("$2", "chat")}`,
};

/** A chat with the calls that it and its agents wait for, and its last answer. */
export const readChatWithAnswer = async (
  db: Queryable,
  { chatId, viewer }: { chatId: string; viewer: Viewer },
): Promise<(ChatWithActions & { lastAnswer: LastAnswerRow | null }) | undefined> => {
  if (!isUuid(chatId)) return undefined;
  const [record] = await db.query<
    ChatAnswer & ActionsRecord & { last_answer: LastAnswerRow | null }
  >(CHAT, [chatId, toViewerValue(viewer)]);
  if (!record) return undefined;
  return {
    chat: toChatRow(record.chat),
    ...toActions(record),
    lastAnswer: record.last_answer,
  };
};
