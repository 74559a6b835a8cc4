import type { UserContent } from "@/contract/content";
import type { Mentions } from "@/contract/group";
import type { ChatParameters } from "@/contract/parameters";
import type { ResponseFormat } from "@/contract/response-format";
import type { Transaction } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { QueuedMessageRow } from "@/server/db/chats/rows";
import { type NamedStatement, nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import {
  QUEUE_ORDER,
  type QueuedMessageRecord,
  toQueuedMessageRow,
} from "@/server/db/sql/rows/queue-columns";

// All of these need a lock on the chat, so that the queue which they read is the one they change.

type NewQueuedMessage = {
  id: string;
  chatId: string;
  content: UserContent;
  modelId: string | null;
  mentions?: Mentions | undefined;
  parameters?: ChatParameters | null | undefined;
  responseFormat?: ResponseFormat | null | undefined;
  createdBy: string;
  /** Whether it enters the turn that runs. */
  steers: boolean;
};

type InsertValues = Pick<NewQueuedMessage, "id" | "chatId" | "modelId" | "createdBy" | "steers"> & {
  content: string;
  mentions: string | null;
  parameters: string | null;
  responseFormat: string | null;
};

/** SQL of a position of the chat's queue, at its head (`min`) or tail (`max`); 0 when it is empty. */
const positionAt = (end: "min" | "max"): string =>
  `(SELECT coalesce(${end}(position), 0) FROM queued_message WHERE chat_id = $chatId::uuid)`;

const INSERT = nameValues<InsertValues>({
  name: "insert-queued-message",
  text: `INSERT INTO queued_message (id, chat_id, position, content, model_id, mentions, parameters, response_format,
      created_by, steers)
    VALUES ($id::uuid, $chatId::uuid, ${positionAt("max")} + 1, $content::jsonb, $modelId::uuid, $mentions::jsonb,
      $parameters::jsonb, $responseFormat::json, $createdBy, $steers::boolean)
    RETURNING *`,
});

/** Adds a message to the tail of a chat's queue. */
export const enqueueMessage = async (
  tx: Transaction,
  { content, mentions, parameters, responseFormat, ...message }: NewQueuedMessage,
): Promise<QueuedMessageRow> => {
  const queued = await changeQueued(tx, INSERT, {
    ...message,
    content: toJsonText(content),
    mentions: mentions ? toJsonText(mentions) : null,
    parameters: parameters ? toJsonText(parameters) : null,
    responseFormat: responseFormat ? toJsonText(responseFormat) : null,
  });
  if (!queued) throw new Error("an INSERT returned no row");
  return queued;
};

const TAKE_HEAD = nameValues<{ chatId: string }>({
  name: "take-queue-head",
  text: `DELETE FROM queued_message WHERE id = (
      SELECT id FROM queued_message WHERE chat_id = $chatId::uuid ORDER BY ${QUEUE_ORDER} LIMIT 1)
    RETURNING *`,
});

/** Removes and returns the message that is next. */
export const takeQueueHead = (
  tx: Transaction,
  chatId: string,
): Promise<QueuedMessageRow | undefined> => changeQueued(tx, TAKE_HEAD, { chatId });

type QueuedId = { chatId: string; queuedId: string };

const TAKE = nameValues<QueuedId>({
  name: "take-queued-message",
  text: "DELETE FROM queued_message WHERE chat_id = $chatId::uuid AND id = $queuedId::uuid RETURNING *",
});

/** Removes and returns one message of the queue, or undefined when it is not there. */
export const takeQueuedMessage = (
  tx: Transaction,
  chatId: string,
  queuedId: string,
): Promise<QueuedMessageRow | undefined> => changeQueued(tx, TAKE, { chatId, queuedId });

const MOVE_TO_HEAD = nameValues<QueuedId>({
  name: "move-to-queue-head",
  // Those that enter the turn that runs come first, also if it is stopped.
  text: `UPDATE queued_message SET position = ${positionAt("min")} - 1, steers = true
    WHERE chat_id = $chatId::uuid AND id = $queuedId::uuid RETURNING *`,
});

const HAS_STEERING = nameValues<{ chatId: string }>({
  name: "has-steering-message",
  text: "SELECT 1 FROM queued_message WHERE chat_id = $chatId::uuid AND steers LIMIT 1",
});

/** Whether the next message of the queue enters the turn that runs. */
export const hasSteering = async (tx: Transaction, chatId: string): Promise<boolean> =>
  (await runNamed(tx, HAS_STEERING, { chatId })).length > 0;

const STEER = nameValues<QueuedId>({
  name: "steer-queued-message",
  text: `UPDATE queued_message SET steers = true
    WHERE chat_id = $chatId::uuid AND id = $queuedId::uuid RETURNING *`,
});

/** Lets one message of the queue enter the turn that runs. @returns false when it is not there. */
export const steerQueued = async (
  tx: Transaction,
  chatId: string,
  queuedId: string,
): Promise<boolean> => (await changeQueued(tx, STEER, { chatId, queuedId })) !== undefined;

/** Makes one message of the queue the next. @returns false when it is not there. */
export const moveToQueueHead = async (
  tx: Transaction,
  chatId: string,
  queuedId: string,
): Promise<boolean> => (await changeQueued(tx, MOVE_TO_HEAD, { chatId, queuedId })) !== undefined;

const CLEAR = nameValues<{ chatId: string }>({
  name: "clear-queue",
  text: "DELETE FROM queued_message WHERE chat_id = $chatId::uuid",
});

export const clearQueue = async (tx: Transaction, chatId: string): Promise<void> => {
  await runNamed(tx, CLEAR, { chatId });
};

/** Runs a statement that changes one message of a queue. @returns it as the statement leaves or removes it. */
const changeQueued = async <Values extends object>(
  tx: Transaction,
  statement: NamedStatement<Values>,
  values: Values,
): Promise<QueuedMessageRow | undefined> => {
  const [record] = await runNamed<QueuedMessageRecord, Values>(tx, statement, values);
  return record && toQueuedMessageRow(record);
};
