import type { ChatStatus, Labels } from "@/contract/chat";
import type { ChatError, ChatRetry } from "@/contract/chat-error";
import type { Content } from "@/contract/content";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import type { FinishReason, Role } from "@/contract/message";
import type { Artifact, ToolCallState, ToolKind } from "@/contract/part";
import type { ModelPrices, ProviderName } from "@/contract/model";
import type { MessageUsage, UsageKind, UsageTotals } from "@/contract/usage";

/** What one chat row holds: the state machine's fields, then the metadata. */
export type ChatRow = {
  id: string;
  status: ChatStatus;
  archivedAt: Date | null;
  version: number;
  historyVersion: number;
  queueVersion: number;
  attempt: number;
  leaseOwner: string | null;
  leaseToken: string | null;
  leaseExpiresAt: Date | null;
  retry: ChatRetry | null;
  lastError: ChatError | null;
  actionDeadlineAt: Date | null;
  lastSeq: number;
  queuedCount: number;
  turnId: string;
  turnSteps: number;

  ownerId: string;
  parentChatId: string | null;
  rootChatId: string;
  title: string;
  titled: boolean;
  pinned: boolean;
  labels: Labels;
  modelId: string | null;
  systemPrompt: string | null;
  dynamicTools: DynamicTool[];
  warnings: string[];
  actionTimeoutSeconds: number;
  maxSteps: number;
  usage: Partial<Record<UsageKind, UsageTotals>>;
  contextTokens: number;
  createdAt: Date;
  updatedAt: Date;
};

/** What a list shows of a chat: without the columns that may be long. */
export type ChatSummaryRow = Omit<ChatRow, "dynamicTools" | "systemPrompt" | "warnings">;

/** What the provider needs back with a part; keyed by provider. */
export type ProviderMetadata = Record<string, { [key: string]: JsonValue }>;

export type TextPartRow = {
  type: "text";
  text: string;
  providerMetadata?: ProviderMetadata | undefined;
};

export type ReasoningPartRow = {
  type: "reasoning";
  text: string;
  startedAt: Date;
  completedAt: Date | null;
  providerMetadata?: ProviderMetadata | undefined;
};

export type SourcePartRow = { type: "source"; data: { url: string; title?: string } };

/** A tool call with its outcome: open while `state` is one of the first three of ToolCallState. */
export type ToolCallPartRow = {
  type: "tool_call";
  toolCallId: string;
  toolName: string;
  kind: ToolKind;
  args: JsonValue;
  state: ToolCallState;
  /** Undefined while open; null is a legal output. */
  output?: JsonValue | undefined;
  isError: boolean;
  forUser: string | null;
  silent: boolean;
  responseHandled: boolean;
  artifacts: Artifact[] | null;
  resolvedBy: string | null;
  /** A person said yes to this call. */
  approved: boolean;
  startedAt: Date;
  completedAt: Date | null;
  providerMetadata?: ProviderMetadata | undefined;
};

export type PartRow = TextPartRow | ReasoningPartRow | SourcePartRow | ToolCallPartRow;

export type MessageRow = {
  id: string;
  chatId: string;
  seq: number;
  revision: number;
  role: Role;
  turnId: string;
  parts: PartRow[];
  model: string | null;
  usage: MessageUsage | null;
  finishReason: FinishReason | null;
  interrupted: boolean;
  createdBy: string | null;
  responseId: string | null;
  deleted: boolean;
  createdAt: Date;
};

/** What the model's prompt and the loop need of a message. */
export type HistoryMessage = Pick<
  MessageRow,
  "id" | "role" | "turnId" | "parts" | "model" | "createdBy"
>;

export type QueuedMessageRow = {
  id: string;
  chatId: string;
  position: number;
  content: Content;
  modelId: string | null;
  createdBy: string;
  createdAt: Date;
};

/** A model that an operator offers. */
export type ModelRow = {
  id: string;
  provider: ProviderName;
  model: string;
  name: string;
  /** Tokens. */
  contextLimit: number | null;
  prices: ModelPrices | null;
  enabled: boolean;
  isDefault: boolean;
  position: number;
};
