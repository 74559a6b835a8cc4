import { v7 as newId } from "uuid";
import type { ChatStatus } from "@/contract/chat";
import type { Database } from "@/server/db/connection/database";
import { ACCESS_COLUMN } from "@/server/db/chats/viewer";

/** The columns of the state machine; times and JSON as text. */
export type MachineRow = {
  status: ChatStatus;
  archivedAt: Date | null;
  version: number;
  historyVersion: number;
  queueVersion: number;
  attempt: number;
  retry: string | null;
  notBefore: string | null;
  leaseOwner: string | null;
  leaseToken: string | null;
  leaseExpiresAt: string | null;
  sessionOwner: string | null;
  actionDeadlineAt: string | null;
  lastError: string | null;
  compaction: string | null;
  queuedCount: number;
  queuePaused: boolean;
  lastSeq: number;
  alternativeCount: number;
  turnId: string;
  turnSteps: number;
  taskVersion: number;
  reportCount: number;
  wakesLeft: number;
  agentQueued: boolean;
  updatedAt: string;
};

/**
 * Writes a chat past the state machine, with every column filled: a lease that has expired, a retry that is
 * due, an error, a deadline, and an answer with the open call `call_1`.
 *
 * @returns its id.
 */
export const chatWith = async (
  db: Database,
  userId: string,
  {
    status,
    archived,
    queued,
    paused,
  }: { status: ChatStatus; archived: boolean; queued: number; paused: boolean },
): Promise<string> => {
  const id = newId();
  await db.query(
    {
      name: "test-chat-with",
      text: `INSERT INTO chat (id, root_chat_id, ${ACCESS_COLUMN}, status, archived_at, queued_count, version,
          history_version, queue_version, attempt, retry, not_before, lease_owner, lease_token, lease_expires_at,
          session_owner, action_deadline_at, last_error, last_seq, turn_id, turn_steps, title, action_timeout_seconds, max_steps,
          queue_paused, task_version, report_count, wakes_left, compaction, updated_at)
        VALUES ($1::uuid, $1::uuid, $2, $3::chat_status, CASE WHEN $4 THEN now() END, $5, 9, 5, 3, 2,
          '{"message": "Busy."}', CASE WHEN $3 = 'pending' THEN now() - interval '1 second' END, 'holder', gen_random_uuid(), now() - interval '1 minute',
          'gone', now() + interval '1 hour', '{"message": "Before."}', 4, gen_random_uuid(), 3, 'A chat', 60, 10, $6, 1, 2, 4, '{"status": "requested"}', now() - interval '1 hour')`,
    },
    [id, userId, status, archived, queued, paused],
  );
  await db.query(
    {
      name: "test-open-call",
      text: `WITH m AS (
          INSERT INTO message (id, chat_id, turn_id, seq, role, revision)
          VALUES ($2::uuid, $1::uuid, $1::uuid, 4, 'assistant', 9) RETURNING id)
        INSERT INTO part (message_id, index, type, tool_call_id, tool_name, kind, args, state, started_at)
        SELECT m.id, 0, 'tool_call', 'call_1', 'ask', 'dynamic', '{}', 'awaiting_result', now() FROM m`,
    },
    [id, newId()],
  );
  return id;
};

/** Reads the columns of the machine, or undefined when the chat is gone. */
export const machineRow = async (db: Database, id: string): Promise<MachineRow | undefined> => {
  const [row] = await db.query<MachineRow>(
    {
      name: "test-machine-row",
      text: `SELECT status, archived_at AS "archivedAt", version, history_version AS "historyVersion",
          queue_version AS "queueVersion", attempt, retry::text, not_before::text AS "notBefore", lease_owner AS "leaseOwner",
          lease_token::text AS "leaseToken", lease_expires_at::text AS "leaseExpiresAt",
          session_owner AS "sessionOwner",
          action_deadline_at::text AS "actionDeadlineAt", last_error ->> 'message' AS "lastError", compaction::text,
          queued_count AS "queuedCount", queue_paused AS "queuePaused", last_seq AS "lastSeq", alternative_count AS "alternativeCount", turn_id AS "turnId", turn_steps AS "turnSteps",
          task_version AS "taskVersion", report_count AS "reportCount", wakes_left AS "wakesLeft",
          agent_queued AS "agentQueued", updated_at::text AS "updatedAt"
        FROM chat WHERE id = $1::uuid`,
    },
    [id],
  );
  return row;
};
