import type { UserContent } from "@/contract/content";
import type { ChatParameters } from "@/contract/parameters";
import type { ResponseFormat } from "@/contract/response-format";
import type { MessageUsage } from "@/contract/usage";
import type { Transaction } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { MessageRow, PartRow, ReportPartRow, SummaryPartRow } from "@/server/db/chats/rows";
import {
  insertMessageSql,
  MESSAGE_COLUMNS,
  type MessageRecord,
  withParts,
} from "@/server/db/sql/rows/message-columns";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import { insertParts, toContentParts, toPartRecord } from "@/server/db/sql/rows/part-columns";

// All of these need a lock on the chat, whose version gives each message its revision.

type NewMessage = { id: string; chatId: string; seq: number; turnId: string; revision: number };

type InsertValues = NewMessage & {
  role: MessageRow["role"];
  model: string | null;
  usage: string | null;
  isInterrupted: boolean;
  createdBy: string | null;
  parameters: string | null;
  responseFormat: string | null;
  parts: string;
};

const INSERT = nameValues<InsertValues>({
  name: "insert-message",
  text: `WITH m AS (
      ${insertMessageSql({
        id: "$id::uuid",
        chatId: "$chatId::uuid",
        seq: "$seq",
        role: "$role::message_role",
        turnId: "$turnId::uuid",
        revision: "$revision",
        model: "$model",
        usage: "$usage::jsonb",
        finishReason: "CASE WHEN $isInterrupted::boolean THEN 'interrupted' END",
        interrupted: "$isInterrupted::boolean",
        createdBy: "$createdBy",
        parameters: "$parameters::jsonb",
        responseFormat: "$responseFormat::json",
      })}
      RETURNING ${MESSAGE_COLUMNS}), p AS (${insertParts("m", "$parts")})
    SELECT * FROM m`,
});

const insertMessage = async (
  tx: Transaction,
  {
    parts,
    ...message
  }: NewMessage &
    Pick<InsertValues, "role"> &
    Partial<Omit<InsertValues, "parts">> & { parts: readonly PartRow[] },
): Promise<MessageRow> => {
  const [record] = await runNamed<MessageRecord, InsertValues>(tx, INSERT, {
    model: null,
    usage: null,
    isInterrupted: false,
    createdBy: null,
    parameters: null,
    responseFormat: null,
    ...message,
    parts: toJsonText(parts.map(toPartRecord)),
  });
  if (!record) throw new Error("an INSERT returned no row");
  return withParts(record, [...parts]);
};

export type NewUserMessage = NewMessage & {
  createdBy: string;
  content: UserContent;
  parameters?: ChatParameters | null | undefined;
  responseFormat?: ResponseFormat | null | undefined;
};

export const insertUserMessage = (
  tx: Transaction,
  { content, parameters, responseFormat, ...message }: NewUserMessage,
): Promise<MessageRow> =>
  insertMessage(tx, {
    ...message,
    role: "user",
    parameters: parameters ? toJsonText(parameters) : null,
    responseFormat: responseFormat ? toJsonText(responseFormat) : null,
    parts: toContentParts(content),
  });

/** A message of the server: reports of tasks, or a boundary. */
export const insertEventMessage = (
  tx: Transaction,
  message: NewMessage & { parts: (ReportPartRow | SummaryPartRow)[] },
): Promise<MessageRow> => insertMessage(tx, { ...message, role: "event" });

/** The part of an answer that arrived before it was interrupted, or failed. */
export const insertPartialMessage = async (
  tx: Transaction,
  {
    usage,
    ...message
  }: NewMessage & { model: string; parts: PartRow[]; usage?: MessageUsage | undefined },
): Promise<void> => {
  await insertMessage(tx, {
    ...message,
    role: "assistant",
    isInterrupted: true,
    usage: usage ? JSON.stringify(usage) : null,
  });
};

type DeletedMessages = { chatId: string; seq: number; revision: number };

const DELETE_FROM = nameValues<DeletedMessages>({
  name: "delete-messages-from",
  text: `UPDATE message SET deleted = true, revision = $revision
    WHERE chat_id = $chatId::uuid AND seq >= $seq AND NOT deleted`,
});

/** Soft-deletes a message and all after it. */
export const deleteMessagesFrom = async (
  tx: Transaction,
  messages: DeletedMessages,
): Promise<void> => {
  await runNamed(tx, DELETE_FROM, messages);
};

const DELETE_ONE = nameValues<DeletedMessages>({
  name: "delete-message",
  text: `UPDATE message SET deleted = true, revision = $revision
    WHERE chat_id = $chatId::uuid AND seq = $seq AND NOT deleted`,
});

/** Soft-deletes one message. */
export const deleteMessage = async (tx: Transaction, message: DeletedMessages): Promise<void> => {
  await runNamed(tx, DELETE_ONE, message);
};
