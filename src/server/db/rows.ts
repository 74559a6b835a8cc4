import type { Labels } from "@/contract/chat";
import type { ChatError, ChatRetry } from "@/contract/chat-error";
import type { Content } from "@/contract/content";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import type { FinishReason } from "@/contract/message";
import type { Artifact, ToolCallState } from "@/contract/part";
import type { ModelPrices, ProviderName } from "@/contract/model";
import type { MessageUsage, UsageKind, UsageTotals } from "@/contract/usage";
import type { Chat, Message, Model, Part, QueuedMessage } from "./generated/client";

/** A row of Prisma's with other types for some columns, such as what their JSON holds. */
type Replace<Row, Types> = Omit<Row, keyof Types> & Types;

export type ChatRow = Replace<
  Chat,
  {
    retry: ChatRetry | null;
    lastError: ChatError | null;
    labels: Labels;
    dynamicTools: DynamicTool[];
    warnings: string[];
    usage: Partial<Record<UsageKind, UsageTotals>>;
  }
>;

/** What a list shows of a chat: without the columns that may be long. */
export type ChatSummaryRow = Omit<ChatRow, "dynamicTools" | "systemPrompt" | "warnings">;

/** What the provider needs back with a part; keyed by provider. */
export type ProviderMetadata = Record<string, { [key: string]: JsonValue }>;

type PartMetadata = { providerMetadata?: ProviderMetadata | undefined };

export type TextPartRow = { type: "text"; text: string } & PartMetadata;

export type ReasoningPartRow = {
  type: "reasoning";
  text: string;
  startedAt: Date;
  completedAt: Date | null;
} & PartMetadata;

export type SourcePartRow = { type: "source"; data: { url: string; title?: string } };

/** A tool call with its outcome. */
export type ToolCallPartRow = Replace<
  Omit<Part, "messageId" | "index" | "text" | "data" | "providerMetadata" | "output">,
  {
    type: "tool_call";
    toolCallId: string;
    toolName: string;
    kind: NonNullable<Part["kind"]>;
    args: JsonValue;
    state: ToolCallState;
    artifacts: Artifact[] | null;
    startedAt: Date;
  }
> & {
  /** Undefined while the call is open; null is a legal output. */
  output?: JsonValue | undefined;
} & PartMetadata;

/** The states of a call without an outcome. */
export const OPEN_CALL_STATES: ReadonlySet<ToolCallState> = new Set([
  "running",
  "awaiting_result",
  "awaiting_approval",
]);

export type PartRow = TextPartRow | ReasoningPartRow | SourcePartRow | ToolCallPartRow;

export type MessageRow = Replace<
  Omit<Message, "visibility">,
  { usage: MessageUsage | null; finishReason: FinishReason | null }
> & { parts: PartRow[] };

/** What the model's prompt and the loop need of a message. */
export type HistoryMessage = Pick<
  MessageRow,
  "id" | "role" | "turnId" | "parts" | "model" | "createdBy"
>;

export type QueuedMessageRow = Replace<QueuedMessage, { content: Content }>;

/** A model that an operator offers. */
export type ModelRow = Replace<
  Omit<Model, "createdAt">,
  { provider: ProviderName; prices: ModelPrices | null }
>;
