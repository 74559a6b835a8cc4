import type { Queryable, Statement } from "@/server/db/connection/database";
import { allReadableSql, readableSql, toViewerValue, type Viewer } from "@/server/db/chats/viewer";
import { lastAssistant } from "@/server/db/sql/rows/message-columns";
import { UNREAD_SQL } from "@/server/db/sql/rows/chat-row";

/** What of a chat a person should look at. */
export type Attention = {
  /** Whether the viewer, who has opened the chat before, has not read its newest answer. */
  isUnread: boolean;
  /** Whether it waits for a person: for the answer to a question, for an approval, or for a result that no program works on. */
  needsYou: boolean;
};

/** SQL of the parts that ask the person; an index has these few. The turn ends with them (`ask_user_question`). */
const ASKS = `part.tool_name = 'ask_user_question' AND part.kind = 'builtin'
  AND part.state = 'completed' AND NOT part.is_error`;

/** SQL of whether programs work on all that the parked row `chat` waits for. */
const IS_HELD = `NOT EXISTS (
  SELECT FROM part WHERE part.message_id = ${lastAssistant("chat.id")}
    AND part.state IN ('awaiting_result', 'awaiting_approval') AND NOT EXISTS (
      SELECT FROM call_claim AS claim WHERE claim.message_id = part.message_id
        AND claim.tool_call_id = part.tool_call_id AND claim.token IS NOT NULL))`;

/** A boundary after the question, which a person may set, answers nothing. Raw, as the conditions compare columns of several tables. */
const ATTENTION: Statement = {
  name: "find-attention",
  usePool: true,
  text: `SELECT chat.id, ${UNREAD_SQL} AS "isUnread",
      CASE chat.status WHEN 'requires_action' THEN NOT ${IS_HELD}
        WHEN 'waiting' THEN chat.archived_at IS NULL AND EXISTS (
          SELECT 1 FROM part WHERE ${ASKS} AND part.message_id = (
            SELECT id FROM message WHERE message.chat_id = chat.id AND NOT message.deleted AND role <> 'event'
            ORDER BY seq DESC LIMIT 1))
        ELSE false END AS "needsYou"
    FROM unnest($1::uuid[]) AS listed (id) JOIN chat ON chat.id = listed.id
    LEFT JOIN read_mark ON read_mark.chat_id = chat.id AND read_mark.user_id = $2`,
};

const NONE: Attention = { isUnread: false, needsYou: false };

/** Finds what the viewer should look at in each of the chats. @returns a function that knows it by the chat's id. */
export const findAttention = async (
  db: Queryable,
  viewer: Viewer,
  chatIds: readonly string[],
): Promise<(chatId: string) => Attention> => {
  if (chatIds.length === 0) return () => NONE;
  const rows = await db.query<Attention & { id: string }>(ATTENTION, [chatIds, viewer.userId]);
  const byId = new Map(rows.map(({ id, ...attention }) => [id, attention]));
  return (chatId) => byId.get(chatId) ?? NONE;
};

const ASKING: Statement = {
  name: "list-asking-chats",
  usePool: true,
  text: `SELECT id FROM chat WHERE status = 'waiting' AND archived_at IS NULL AND ${readableSql("$1", "chat")}
    AND id IN (
      SELECT message.chat_id FROM part JOIN message ON message.id = part.message_id
      WHERE ${ASKS} AND NOT message.deleted AND NOT EXISTS (
        SELECT 1 FROM message AS later
        WHERE later.chat_id = message.chat_id AND later.seq > message.seq AND NOT later.deleted
          AND later.role <> 'event'))`,
};

/** The ids of the viewer's chats that rest until the person answers a question. */
export const listAskingChats = async (db: Queryable, viewer: Viewer): Promise<string[]> => {
  const rows = await db.query<{ id: string }>(ASKING, [toViewerValue(viewer)]);
  return rows.map(({ id }) => id);
};

const HELD: Statement = {
  name: "list-held-chats",
  usePool: true,
  text: `SELECT chat.id FROM chat WHERE chat.status = 'requires_action' AND ${allReadableSql("$1", "chat")}
    AND chat.id IN (SELECT chat_id FROM call_claim WHERE token IS NOT NULL) AND ${IS_HELD}`,
};

/** The ids of the viewer's parked chats that need no person, as programs work on all that they wait for. */
export const listHeldChats = async (db: Queryable, viewer: Viewer): Promise<string[]> => {
  const rows = await db.query<{ id: string }>(HELD, [toViewerValue(viewer)]);
  return rows.map(({ id }) => id);
};
