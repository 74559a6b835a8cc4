import type { MessageRow } from "@/server/db/chats/rows";
import { insertEventMessage, insertUserMessage } from "@/server/db/sql/machine/message-writes";
import { takeReports } from "@/server/db/sql/machine/task-writes";
import type { Change, EnteringMessage } from "./change";
import { closeChatCalls } from "./close-calls";
import { toReportPart } from "./report-part";
import { takeMentions } from "./take-mentions";

/** Ends the open calls of the chat. */
export const closeCalls = async (change: Change, only?: ReadonlySet<string>): Promise<void> => {
  const { tx, chat, payload } = change;
  const ending = { reason: payload.closeReason, by: payload.by, only };
  const { closed, waits, delivered, hasChanged } = await closeChatCalls(tx, chat, ending);
  change.closed.push(...closed);
  change.waits.push(...waits);
  change.reportGrowth -= delivered;
  change.historyChanged ||= hasChanged;
};

/** @returns the id of the turn that this transition begins. */
export const beginTurn = (change: Change): string => (change.newTurnId ??= change.payload.newId());

/**
 * Closes open calls first, because providers reject a history in which a message follows an open call.
 *
 * @param turnId of the turn that the message belongs to; by default, it begins one.
 */
export const enterHistory = async (
  change: Change,
  { mentions, ...message }: EnteringMessage & { createdBy: string },
  turnId = beginTurn(change),
): Promise<{ isOver: boolean }> => {
  await closeCalls(change);
  await enterReports(change, turnId);
  const { tx, chat, version, payload } = change;
  change.newMessages += 1;
  change.entered = await insertUserMessage(tx, {
    id: payload.newId(),
    chatId: chat.id,
    seq: chat.lastSeq + change.newMessages,
    turnId,
    revision: version,
    createdBy: message.createdBy,
    content: message.content,
    parameters: message.parameters,
    responseFormat: message.responseFormat,
  });
  change.modelId = message.modelId;
  change.historyChanged = true;
  if (!mentions) return { isOver: false };
  const { choice, dynamicTools, isOver } = await takeMentions(tx, chat, mentions);
  change.choice = choice;
  change.dynamicTools = dynamicTools;
  return { isOver };
};

/** Writes the reports that wait into one message. */
export const enterReports = async (change: Change, turnId: string): Promise<void> => {
  const { tx, chat, version } = change;
  if (chat.reportCount + change.reportGrowth === 0) return;
  const tasks = await takeReports(tx, { chatId: chat.id, revision: version });
  change.reportGrowth -= tasks.length;
  change.reports = await enterEvent(change, { turnId, parts: tasks.map(toReportPart) });
};

/** Writes a message of the server. */
export const enterEvent = async (
  change: Change,
  message: Pick<Parameters<typeof insertEventMessage>[1], "turnId" | "parts">,
): Promise<MessageRow> => {
  const { tx, chat, version, payload } = change;
  change.newMessages += 1;
  change.historyChanged = true;
  return insertEventMessage(tx, {
    ...message,
    id: payload.newId(),
    chatId: chat.id,
    seq: chat.lastSeq + change.newMessages,
    revision: version,
  });
};
