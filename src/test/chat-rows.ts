import { v7 as newId } from "uuid";
import type { Role } from "@/contract/message";
import type { Database } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { ChatRow, PartRow } from "@/server/db/chats/rows";
import { insertParts, toPartRecord } from "@/server/db/sql/rows/part-columns";
import { ACCESS_COLUMN } from "@/server/db/chats/viewer";

type ChatFields = Partial<
  Pick<
    ChatRow,
    "status" | "title" | "labels" | "updatedAt" | "archivedAt" | "version" | "queuedCount"
  >
>;

/** Inserts a chat directly, bypassing the state machine. @returns its id. */
export const writeChat = async (
  db: Database,
  userId: string,
  fields: ChatFields = {},
): Promise<string> => {
  const id = newId();
  await db.query(
    {
      name: "test-write-chat",
      text: `INSERT INTO chat (id, root_chat_id, ${ACCESS_COLUMN}, status, version, history_version, turn_id, title,
          labels, updated_at, archived_at, action_timeout_seconds, max_steps, system_prompt, queued_count,
          action_deadline_at)
        VALUES ($1::uuid, $1::uuid, $2, $3::chat_status, $4, $4, $1::uuid, $5, $6::jsonb, coalesce($7, now()),
          $8, 60, 100, 'Be brief.', $9,
          CASE WHEN $3::chat_status = 'requires_action' THEN now() + interval '1 day' END)`,
    },
    [
      id,
      userId,
      fields.status ?? "waiting",
      fields.version ?? 1_000,
      fields.title ?? "A chat",
      toJsonText(fields.labels ?? {}),
      fields.updatedAt ?? null,
      fields.archivedAt ?? null,
      fields.queuedCount ?? 0,
    ],
  );
  return id;
};

type MessageFields = {
  seq: number;
  role?: Role;
  revision?: number;
  visibility?: "user" | "model" | "both";
  deleted?: boolean;
  parts?: PartRow[];
};

/** Inserts a message with its parts directly, bypassing the state machine. @returns its id. */
export const writeMessage = async (
  db: Database,
  chatId: string,
  message: MessageFields,
): Promise<string> => {
  const id = newId();
  await db.query(
    {
      name: "test-write-message",
      text: `WITH m AS (
          INSERT INTO message (id, chat_id, turn_id, seq, role, revision, visibility, deleted)
          VALUES ($1::uuid, $2::uuid, $2::uuid, $3, $4::message_role, $5, $6::message_visibility, $7)
          RETURNING id)
        ${insertParts("m", "$8")}`,
    },
    [
      id,
      chatId,
      message.seq,
      message.role ?? "user",
      message.revision ?? message.seq,
      message.visibility ?? "both",
      message.deleted ?? false,
      toJsonText((message.parts ?? [textPart("hello")]).map(toPartRecord)),
    ],
  );
  return id;
};

export const textPart = (text: string): PartRow => ({ type: "text", text });
