import type { ChatStatus, Labels } from "@/contract/chat";
import type { ChatError, ChatRetry } from "@/contract/chat-error";
import type { Content } from "@/contract/content";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import type { FinishReason, Role } from "@/contract/message";
import type { Artifact, ToolCallState, ToolKind } from "@/contract/part";
import type { MessageUsage } from "@/contract/usage";
import type {
  ChatRow,
  MessageRow,
  PartRow,
  ProviderMetadata,
  QueuedMessageRow,
  ToolCallPartRow,
} from "./rows";

/** A time from a column, or from inside a JSON aggregate, where it is text. */
type Time = Date | string;

/** A chat's row: of `CHAT_AS_JSON`, or of `SELECT ${CHAT_COLUMNS} FROM chat`. */
export type ChatRecord = {
  id: string;
  status: ChatStatus;
  archived_at: Time | null;
  version: number;
  history_version: number;
  queue_version: number;
  attempt: number;
  lease_owner: string | null;
  lease_token: string | null;
  lease_expires_at: Time | null;
  retry: ChatRetry | null;
  last_error: ChatError | null;
  action_deadline_at: Time | null;
  last_seq: number;
  queued_count: number;
  turn_id: string;
  turn_steps: number;
  owner_id: string;
  parent_chat_id: string | null;
  root_chat_id: string;
  title: string;
  titled: boolean;
  pinned: boolean;
  labels: Labels;
  model_id: string | null;
  system_prompt: string | null;
  dynamic_tools: DynamicTool[];
  warnings: string[];
  action_timeout_seconds: number;
  max_steps: number;
  usage: ChatRow["usage"];
  context_tokens: number;
  created_at: Time;
  updated_at: Time;
};

/** The row of a CTE or table `c` as one column, which is cheaper to read than thirty. */
export const CHAT_AS_JSON = `row_to_json(c) AS chat`;

/** One row of `SELECT ${CHAT_AS_JSON}`. */
export type ChatAnswer = { chat: ChatRecord };

export const CHAT_COLUMNS = `id, status, archived_at, version, history_version, queue_version, attempt,
  lease_owner, lease_token, lease_expires_at, retry, last_error, action_deadline_at, last_seq,
  queued_count, turn_id, turn_steps, owner_id, parent_chat_id, root_chat_id, title, titled, pinned, labels,
  model_id, system_prompt, dynamic_tools, warnings, action_timeout_seconds, max_steps, usage,
  context_tokens, created_at, updated_at`;

export const toChatRow = (record: ChatRecord): ChatRow => ({
  id: record.id,
  status: record.status,
  archivedAt: toDateOrNull(record.archived_at),
  version: record.version,
  historyVersion: record.history_version,
  queueVersion: record.queue_version,
  attempt: record.attempt,
  leaseOwner: record.lease_owner,
  leaseToken: record.lease_token,
  leaseExpiresAt: toDateOrNull(record.lease_expires_at),
  retry: record.retry,
  lastError: record.last_error,
  actionDeadlineAt: toDateOrNull(record.action_deadline_at),
  lastSeq: record.last_seq,
  queuedCount: record.queued_count,
  turnId: record.turn_id,
  turnSteps: record.turn_steps,
  ownerId: record.owner_id,
  parentChatId: record.parent_chat_id,
  rootChatId: record.root_chat_id,
  title: record.title,
  titled: record.titled,
  pinned: record.pinned,
  labels: record.labels,
  modelId: record.model_id,
  systemPrompt: record.system_prompt,
  dynamicTools: record.dynamic_tools,
  warnings: record.warnings,
  actionTimeoutSeconds: record.action_timeout_seconds,
  maxSteps: record.max_steps,
  usage: record.usage,
  contextTokens: record.context_tokens,
  createdAt: toDate(record.created_at),
  updatedAt: toDate(record.updated_at),
});

/** One row of `SELECT ${MESSAGE_COLUMNS} FROM message`; the parts are read beside it. */
export type MessageRecord = {
  id: string;
  chat_id: string;
  seq: number;
  revision: number;
  role: Role;
  turn_id: string;
  model: string | null;
  usage: MessageUsage | null;
  finish_reason: FinishReason | null;
  interrupted: boolean;
  created_by: string | null;
  response_id: string | null;
  deleted: boolean;
  created_at: Time;
};

export const MESSAGE_COLUMNS = `id, chat_id, seq, revision, role, turn_id, model, usage, finish_reason,
  interrupted, created_by, response_id, deleted, created_at`;

export const toMessageRow = (record: MessageRecord, parts: PartRow[]): MessageRow => ({
  id: record.id,
  chatId: record.chat_id,
  seq: record.seq,
  revision: record.revision,
  role: record.role,
  turnId: record.turn_id,
  parts,
  model: record.model,
  usage: record.usage,
  finishReason: record.finish_reason,
  interrupted: record.interrupted,
  createdBy: record.created_by,
  responseId: record.response_id,
  deleted: record.deleted,
  createdAt: toDate(record.created_at),
});

/** One row of the table `part`; which columns are filled is up to `type`, and checked there. */
export type PartRecord = { index: number } & (
  | { type: "text"; text: string; provider_metadata?: ProviderMetadata | null }
  | {
      type: "reasoning";
      text: string;
      started_at: Time;
      completed_at?: Time | null;
      provider_metadata?: ProviderMetadata | null;
    }
  | { type: "source"; data: { url: string; title?: string } }
  | ToolCallRecord
);

/** A part's row with a tool call in it; a column that a JSON aggregate left out is null or false. */
export type ToolCallRecord = {
  type: "tool_call";
  tool_call_id: string;
  tool_name: string;
  kind: ToolKind;
  args: JsonValue;
  state: ToolCallState;
  output?: JsonValue;
  is_error?: boolean;
  for_user?: string | null;
  silent?: boolean;
  response_handled?: boolean;
  artifacts?: Artifact[] | null;
  resolved_by?: string | null;
  approved?: boolean;
  started_at: Time;
  completed_at?: Time | null;
  provider_metadata?: ProviderMetadata | null;
};

export const toPartRow = (record: PartRecord): PartRow => {
  switch (record.type) {
    case "text":
      return { type: "text", text: record.text, ...metadataOf(record) };
    case "reasoning":
      return {
        type: "reasoning",
        text: record.text,
        startedAt: toDate(record.started_at),
        completedAt: toDateOrNull(record.completed_at),
        ...metadataOf(record),
      };
    case "source":
      return { type: "source", data: record.data };
    case "tool_call":
      return toToolCallPartRow(record);
  }
};

export const toToolCallPartRow = (record: ToolCallRecord): ToolCallPartRow => ({
  type: "tool_call",
  toolCallId: record.tool_call_id,
  toolName: record.tool_name,
  kind: record.kind,
  args: record.args,
  state: record.state,
  // SQL's NULL and JSON's null are the same here; only a settled call can have the latter.
  output: isOpen(record.state) ? undefined : (record.output ?? null),
  isError: record.is_error ?? false,
  forUser: record.for_user ?? null,
  silent: record.silent ?? false,
  responseHandled: record.response_handled ?? false,
  artifacts: record.artifacts ?? null,
  resolvedBy: record.resolved_by ?? null,
  approved: record.approved ?? false,
  startedAt: toDate(record.started_at),
  completedAt: toDateOrNull(record.completed_at),
  ...metadataOf(record),
});

/** One row of the table `queued_message`. */
export type QueuedMessageRecord = {
  id: string;
  chat_id: string;
  position: number;
  content: Content;
  model_id: string | null;
  created_by: string;
  created_at: Time;
};

export const toQueuedMessageRow = (record: QueuedMessageRecord): QueuedMessageRow => ({
  id: record.id,
  chatId: record.chat_id,
  position: record.position,
  content: record.content,
  modelId: record.model_id,
  createdBy: record.created_by,
  createdAt: toDate(record.created_at),
});

const isOpen = (state: ToolCallState): boolean =>
  state === "running" || state === "awaiting_result" || state === "awaiting_approval";

const metadataOf = ({
  provider_metadata,
}: {
  provider_metadata?: ProviderMetadata | null;
}): { providerMetadata?: ProviderMetadata } =>
  provider_metadata ? { providerMetadata: provider_metadata } : {};

const toDate = (time: Time): Date => (typeof time === "string" ? new Date(time) : time);

const toDateOrNull = (time: Time | null | undefined): Date | null =>
  time === null || time === undefined ? null : toDate(time);
