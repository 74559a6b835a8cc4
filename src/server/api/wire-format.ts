import { ChatCompaction } from "@/contract/chat";
import type { Chat, ChatSnapshot, ChatSummary, ForkOrigin } from "@/contract/chat";
import { ChatRetry } from "@/contract/chat-error";
import type { JsonValue } from "@/contract/json";
import type { Message, QueuedMessage } from "@/contract/message";
import type { Part, ToolCallPart } from "@/contract/part";
import type { Task } from "@/contract/task";
import type { ChatUsage } from "@/contract/usage";
import type {
  ChatRow,
  ChatSummaryRow,
  MessageRow,
  OpenCallRow,
  PartRow,
  QueuedMessageRow,
  ReportPartRow,
  TaskRow,
  ToolCallPartRow,
} from "@/server/db/chats/rows";
import type { LastAnswerRow } from "@/server/db/sql/reads/answer-reads";
import type { ChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import { toWireChildAction, toWireRequiredAction } from "./wire-call";

/** Data of a chat that is not in its row. */
export type ChatExtras = {
  /** The open calls of a parked chat. */
  openCalls: readonly OpenCallRow[];
  /** Its agents that wait for a client. */
  childActions: readonly ChatWithCalls[];
  /** Context limit of the chat's model, in tokens; null when it is unknown. */
  limitTokens: number | null;
};

type AnsweredExtras = ChatExtras & { lastAnswer: LastAnswerRow | null };

export const toWireSummary = (row: ChatSummaryRow): ChatSummary => ({
  ...toWireRow(row),
  action_deadline_at: row.actionDeadlineAt?.toISOString() ?? null,
  needs_you: row.needsYou,
  unread: row.isUnread,
  ...(row.match && { match: row.match }),
});

/** The fields that a chat and its summary share. */
const toWireRow = (
  row: Omit<ChatSummaryRow, "needsYou" | "isUnread" | "match">,
): Omit<ChatSummary, "action_deadline_at" | "needs_you" | "unread" | "match"> => ({
  id: row.id,
  title: row.title,
  status: row.status,
  archived: row.archivedAt !== null,
  pinned: row.pinned,
  labels: row.labels,
  ...(row.externalId !== null && { external_id: row.externalId }),
  parent_chat_id: row.parentChatId,
  root_chat_id: row.rootChatId,
  forked_from: toWireOrigin(row),
  ...(row.keptHours !== null && { expires_at: toExpiry(row.updatedAt, row.keptHours) }),
  model_id: row.modelId,
  version: row.version,
  queued_count: row.queuedCount,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

const MS_PER_HOUR = 60 * 60_000;

const toExpiry = (changedAt: Date, hours: number): string =>
  new Date(changedAt.getTime() + hours * MS_PER_HOUR).toISOString();

const toWireOrigin = ({
  forkedFromId,
  forkedFromSeq,
}: Pick<ChatRow, "forkedFromId" | "forkedFromSeq">): ForkOrigin | null =>
  forkedFromSeq === null ? null : { chat_id: forkedFromId, after_seq: forkedFromSeq };

export const toWireChat = (row: ChatRow, { lastAnswer, ...extras }: AnsweredExtras): Chat => ({
  ...toWireRecord(row, extras),
  last_answer: lastAnswer && {
    message_id: lastAnswer.messageId,
    seq: lastAnswer.seq,
    text: lastAnswer.text,
  },
});

const toWireRecord = (
  row: ChatRow,
  { openCalls, childActions, limitTokens }: ChatExtras,
): Omit<Chat, "last_answer"> => ({
  ...toWireRow(row),
  queue_paused: row.queuePaused,
  system_prompt: row.systemPrompt,
  ...row.parameters,
  dynamic_tools: row.dynamicTools,
  tools: row.toolNames,
  groups: row.groupNames,
  auto_submit: { success: row.autoSubmitSuccess, error: row.autoSubmitError },
  wake_on_reports: row.wakeOnReports,
  waiting_reports: row.reportCount,
  warnings: row.warnings,
  required_action: toWireRequiredAction(row, openCalls),
  child_actions: childActions.flatMap(toWireChildAction),
  retry: row.retry && ChatRetry.parse(row.retry),
  last_error: row.lastError,
  compaction: row.compaction && ChatCompaction.parse(row.compaction),
  usage: toWireUsage(row.usage),
  context: { used_tokens: row.contextTokens, limit_tokens: limitTokens },
});

export const toWireSnapshot = (
  row: ChatRow,
  queue: readonly QueuedMessageRow[],
  extras: ChatExtras,
): ChatSnapshot => ({ ...toWireRecord(row, extras), queue: queue.map(toWireQueuedMessage) });

const toWireUsage = (byKind: ChatRow["usage"]): ChatUsage => {
  const usage: ChatUsage = { input_tokens: 0, output_tokens: 0, cost_micros: 0, by_kind: byKind };
  for (const totals of Object.values(byKind)) {
    usage.input_tokens += totals.input_tokens;
    usage.output_tokens += totals.output_tokens;
    usage.cost_micros += totals.cost_micros;
  }
  return usage;
};

export const toWireMessage = (row: MessageRow): Message => ({
  id: row.id,
  seq: row.seq,
  revision: row.revision,
  role: row.role,
  parts: row.parts.map(toWirePart),
  ...row.parameters,
  ...toWireFormat(row),
  ...(row.model !== null && { model: row.model }),
  ...(row.usage !== null && { usage: row.usage }),
  ...(row.finishReason !== null && { finish_reason: row.finishReason }),
  ...(row.interrupted && { interrupted: true }),
  ...toWireAlternatives(row),
  ...(row.createdBy !== null && { created_by: row.createdBy }),
  created_at: row.createdAt.toISOString(),
});

const toWireAlternatives = ({
  id,
  alternatives,
}: MessageRow): Pick<Message, "alternatives" | "former_answers"> => {
  const versions = alternatives?.find(({ isUnanswered }) => !isUnanswered)?.ids;
  const former = alternatives?.find(({ isUnanswered }) => isUnanswered)?.ids;
  return {
    ...(versions && { alternatives: { index: versions.indexOf(id) + 1, ids: [...versions] } }),
    ...(former && { former_answers: [...former] }),
  };
};

/** What a message asks of the form of an answer, or what the check of an answer has found. */
const toWireFormat = ({
  responseFormat,
  formatCheck,
}: MessageRow): Pick<Message, "response_format" | "parsed" | "format_errors"> => ({
  ...(responseFormat && { response_format: responseFormat }),
  ...(formatCheck &&
    ("errors" in formatCheck
      ? { parsed: null, format_errors: formatCheck.errors }
      : { parsed: formatCheck.value })),
});

const toWireReport = ({ data: { for_user, ...report } }: ReportPartRow): Part => ({
  type: "report",
  ...report,
  ...(for_user !== null && { for_user }),
});

/** Copies each field explicitly, so that provider metadata is never sent to clients. */
const toWirePart = (part: PartRow): Part => {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "reasoning":
      return {
        type: "reasoning",
        text: part.text,
        started_at: part.startedAt.toISOString(),
        ...(part.completedAt !== null && { completed_at: part.completedAt.toISOString() }),
      };
    case "source":
      return { type: "source", ...part.data };
    case "file":
      return { type: "file", ...part.data };
    case "summary":
      return { type: "summary", ...part.data };
    case "report":
      return toWireReport(part);
    case "tool_call":
      return toWireToolCall(part);
  }
};

const toWireToolCall = (part: ToolCallPartRow): ToolCallPart => ({
  type: "tool_call",
  tool_call_id: part.toolCallId,
  tool_name: part.toolName,
  kind: part.kind,
  args: part.args,
  ...(part.approvedArgs !== null && { approved_args: part.approvedArgs }),
  state: part.state,
  ...(part.output !== undefined && {
    output: part.kind === "provider" ? omitSealed(part.output) : part.output,
  }),
  ...(part.forUser !== null && { for_user: part.forUser }),
  ...(part.silent && { silent: true }),
  ...(part.artifacts !== null && { artifacts: part.artifacts }),
  ...(part.responseHandled && { response_handled: true }),
  ...(part.taskId !== null && { is_async: true, task_id: part.taskId }),
  ...(part.elicitations !== null && { elicitations: part.elicitations }),
  is_error: part.isError,
  ...(part.resolvedBy !== null && { resolved_by: part.resolvedBy }),
  started_at: part.startedAt.toISOString(),
  ...(part.completedAt !== null && { completed_at: part.completedAt.toISOString() }),
});

/** Some KB of each page that a search has found, which only the provider can read. */
const SEALED = new Set(["encryptedContent", "encrypted_stdout"]);

const omitSealed = (output: JsonValue): JsonValue => {
  if (Array.isArray(output)) return output.map(omitSealed);
  if (typeof output !== "object" || output === null) return output;
  return Object.fromEntries(Object.entries(output).filter(([name]) => !SEALED.has(name)));
};

export const toWireTask = (row: TaskRow): Task => ({
  id: row.id,
  root_chat_id: row.rootChatId,
  chat_id: row.chatId,
  tool_call_id: row.toolCallId,
  kind: row.kind,
  label: row.label,
  state: row.state,
  report: row.report && {
    output: row.report.output,
    ...(row.report.for_user !== null && { for_user: row.report.for_user }),
    artifacts: row.report.artifacts,
  },
  created_at: row.createdAt.toISOString(),
  started_at: row.startedAt?.toISOString() ?? null,
  ended_at: row.endedAt?.toISOString() ?? null,
  delivered_at: row.deliveredAt?.toISOString() ?? null,
});

export const toWireQueuedMessage = (row: QueuedMessageRow): QueuedMessage => ({
  id: row.id,
  position: row.position,
  content: row.content,
  ...row.parameters,
  ...(row.responseFormat && { response_format: row.responseFormat }),
  ...(row.mentions && { mentions: row.mentions }),
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  steers: row.steers,
});
