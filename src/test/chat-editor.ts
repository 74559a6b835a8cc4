import { v7 as newId } from "uuid";
import type { ChatStatus } from "@/contract/chat";
import { CHAT_NOTICE } from "@/server/db/sql/rows/chat-row";
import type { Database, Queryable } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { ACCESS_COLUMN } from "@/server/db/chats/viewer";
import { readChat } from "./chat-probe";

/** A transition written without the verbs, to test streams independently of them. */
export type ChatEdit = { status?: ChatStatus } & (
  | { type: "add-message"; role: "user" | "assistant"; text: string }
  /** Soft-deletes the last message. */
  | { type: "delete-last" }
  /** Lengthens the last message's text. */
  | { type: "revise-last"; text: string }
  | { type: "enqueue" }
  | { type: "dequeue" }
  /** Changes the chat's row only. */
  | { type: "touch" }
);

const run = (db: Queryable, text: string, values: unknown[]) =>
  db.query<{ id: string }>(
    {
      name: `edit-${text.length}-${text.slice(0, 40)}`.replace(/\W+/g, "-"),
      text,
      announces: true,
    },
    values,
  );

/** A chat of the user with one user message. */
export const createBareChat = async (db: Database, userId: string): Promise<ChatRow> => {
  const chatId = newId();
  await db.transaction(async (tx) => {
    await run(
      tx,
      `WITH c AS (
        INSERT INTO chat (id, ${ACCESS_COLUMN}, root_chat_id, status, version, history_version, last_seq, turn_id, title,
          action_timeout_seconds, max_steps)
        VALUES ($1, $2, $1, 'pending', 1, 1, 0, $1, 'Test', 60, 10) RETURNING *)
      SELECT c.id, ${CHAT_NOTICE} FROM c`,
      [chatId, userId],
    );
    await addMessage(tx, chatId, { role: "user", text: "hello" });
  });
  return readChat(db, chatId);
};

/**
 * Applies an edit in one transaction.
 *
 * @param announced number of notifications: 0 for a lost one, 2 for a duplicate.
 */
export const editChat = async (
  db: Database,
  chatId: string,
  { announced = 1, ...edit }: ChatEdit & { announced?: number },
): Promise<ChatRow> => {
  await db.transaction(async (tx) => {
    const touchesHistory = !["enqueue", "dequeue", "touch"].includes(edit.type);
    await run(
      tx,
      `UPDATE chat SET version = version + 1, updated_at = now(), queued_count = greatest(queued_count + $4, 0),
        history_version = CASE WHEN $2 THEN version + 1 ELSE history_version END,
        status = coalesce($3::chat_status, status) WHERE id = $1`,
      [chatId, touchesHistory, edit.status ?? null, QUEUE_GROWTH[edit.type] ?? 0],
    );
    await apply(tx, chatId, edit);
    await run(
      tx,
      `SELECT ${CHAT_NOTICE} FROM chat c, generate_series(1, $2::int) WHERE c.id = $1`,
      [chatId, announced],
    );
  });
  return readChat(db, chatId);
};

/** Deletes the chat and announces it. */
export const deleteBareChat = async (db: Database, chatId: string): Promise<void> => {
  await run(
    db,
    `WITH c AS (DELETE FROM chat WHERE id = $1 RETURNING id, parent_chat_id, version, 'deleted' AS status, ${ACCESS_COLUMN})
    SELECT ${CHAT_NOTICE} FROM c`,
    [chatId],
  );
};

const QUEUE_GROWTH: Partial<Record<ChatEdit["type"], number>> = { enqueue: 1, dequeue: -1 };

const apply = async (tx: Queryable, chatId: string, edit: ChatEdit): Promise<void> => {
  const last = `SELECT id FROM message WHERE chat_id = $1 AND NOT deleted ORDER BY seq DESC LIMIT 1`;
  const version = `(SELECT version FROM chat WHERE id = $1)`;
  switch (edit.type) {
    case "add-message":
      return addMessage(tx, chatId, edit);
    case "delete-last":
      await run(
        tx,
        `UPDATE message SET deleted = true, revision = ${version} WHERE id = (${last})`,
        [chatId],
      );
      return;
    case "revise-last":
      await run(tx, `UPDATE message SET revision = ${version} WHERE id = (${last})`, [chatId]);
      await run(tx, `UPDATE part SET text = text || $2 WHERE message_id = (${last})`, [
        chatId,
        edit.text,
      ]);
      return;
    case "enqueue":
      await run(
        tx,
        `INSERT INTO queued_message (id, chat_id, position, content, created_by)
        SELECT $2, $1, coalesce(max(position) + 1, 0), '[{"type":"text","text":"later"}]', 'someone'
        FROM queued_message WHERE chat_id = $1`,
        [chatId, newId()],
      );
      return;
    case "dequeue":
      await run(
        tx,
        `DELETE FROM queued_message WHERE id =
          (SELECT id FROM queued_message WHERE chat_id = $1 ORDER BY position LIMIT 1)`,
        [chatId],
      );
      return;
    case "touch":
      return;
  }
};

const addMessage = async (
  tx: Queryable,
  chatId: string,
  { role, text }: { role: "user" | "assistant"; text: string },
): Promise<void> => {
  await run(
    tx,
    `WITH c AS (
      UPDATE chat SET last_seq = last_seq + 1 WHERE id = $1 RETURNING id, turn_id, version, last_seq
    ), m AS (
      INSERT INTO message (id, chat_id, turn_id, seq, role, revision)
      SELECT $2, c.id, c.turn_id, c.last_seq, $3::message_role, c.version FROM c RETURNING id
    )
    INSERT INTO part (message_id, index, type, text) SELECT m.id, 0, 'text', $4 FROM m`,
    [chatId, newId(), role, text],
  );
};

/** Adds an answer with an open dynamic call and parks the chat. */
export const parkChat = async (
  db: Database,
  chatId: string,
  toolCallId: string,
): Promise<ChatRow> => {
  await db.transaction(async (tx) => {
    await run(
      tx,
      `UPDATE chat SET version = version + 1, history_version = version + 1, status = 'requires_action',
        action_deadline_at = now() + interval '1 minute' WHERE id = $1`,
      [chatId],
    );
    await addMessage(tx, chatId, { role: "assistant", text: "one moment" });
    await run(
      tx,
      `INSERT INTO part (message_id, index, type, tool_call_id, tool_name, kind, args, state, started_at)
      SELECT id, 1, 'tool_call', $2, 'ask', 'dynamic', '{}', 'awaiting_result', now()
      FROM message WHERE chat_id = $1 ORDER BY seq DESC LIMIT 1`,
      [chatId, toolCallId],
    );
    await run(tx, `SELECT ${CHAT_NOTICE} FROM chat c WHERE c.id = $1`, [chatId]);
  });
  return readChat(db, chatId);
};
