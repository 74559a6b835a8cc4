import type { CallProgress } from "@/contract/call";
import type { ChatCompaction } from "@/contract/chat";
import type { Labels } from "@/contract/labels";
import type { ChatError, ChatRetry } from "@/contract/chat-error";
import type { UserContent } from "@/contract/content";
import type { ChatDynamicTool, DynamicTool } from "@/contract/dynamic-tool";
import type { Mentions } from "@/contract/group";
import type { AnsweredElicitation } from "@/contract/elicitation";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { FinishReason } from "@/contract/message";
import type { Artifact, FilePart, SummaryPart, ToolCallState } from "@/contract/part";
import type { EndedTaskState, TaskKind } from "@/contract/task-state";
import type { ModelPrices, ModelReading, ProviderName, ToolProtocol } from "@/contract/model";
import type { ChatParameters, ReasoningEffort } from "@/contract/parameters";
import type { ProviderToolName } from "@/contract/provider-tool";
import type { FieldError } from "@/contract/problem";
import type { ResponseFormat } from "@/contract/response-format";
import type { MessageUsage, UsageKind, UsageTotals } from "@/contract/usage";
import type {
  CallClaim,
  Chat,
  Message,
  Model,
  Part,
  QueuedMessage,
  Task,
} from "@/server/db/generated/client";

/** A row of Prisma's with other types for some columns, such as what their JSON holds. */
type Replace<Row, Types> = Omit<Row, keyof Types> & Types;

/** A retry with how many calls of the step have failed; no longer known after the next call has begun. */
export type StoredRetry = ChatRetry & {
  failures: number;
  /** Those of them that count to `MAX_PAID_ATTEMPTS`. */
  paid_failures: number;
  /** Duration of these calls together, in milliseconds, without the time for which the chat was deferred. */
  spent_ms?: number;
  /** The longest answer of these calls, if there is one; its times are strings. */
  longest?: MeasuredAnswer;
};

/** A compaction that a person has asked for, or why the last one failed; without what clients need not know. */
export type StoredCompaction =
  | (Extract<ChatCompaction, { status: "requested" }> & {
      /** Whether the chat rests afterwards, as it did before. */
      rests: boolean;
    })
  | (Extract<ChatCompaction, { status: "failed" }> & {
      /** The turn that goes on without it. */
      turn_id: string;
    });

export type ChatRow = Replace<
  Chat,
  {
    retry: StoredRetry | null;
    lastError: ChatError | null;
    compaction: StoredCompaction | null;
    labels: Labels;
    dynamicTools: ChatDynamicTool[];
    toolNames: string[] | null;
    groupNames: string[];
    warnings: string[];
    parameters: ChatParameters;
    usage: Partial<Record<UsageKind, UsageTotals>>;
  }
>;

/** What a list shows of a chat: without the columns that may be long. */
export type ChatSummaryRow = Omit<
  ChatRow,
  | "compaction"
  | "dynamicTools"
  | "groupNames"
  | "parameters"
  | "systemPrompt"
  | "toolNames"
  | "warnings"
> & {
  /** Whether the viewer, who has opened the chat before, has not read its newest answer. */
  isUnread: boolean;
  /** Whether it waits for a person. */
  needsYou: boolean;
  /** Where a search has found its text in a message. */
  match?: { seq: number; snippet: string } | undefined;
};

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

/** A file that a person has sent with a message. */
export type FilePartRow = { type: "file"; data: Omit<FilePart, "type"> };

/** How a task has ended. */
export type TaskReport = {
  /** What the model reads. */
  output: JsonValue;
  for_user: string | null;
  artifacts: Artifact[];
};

/** A piece of work that outlives its call. */
export type TaskRow = Replace<Task, { report: TaskReport | null }>;

/** The report of a task, as it enters the history. */
export type ReportPartRow = {
  type: "report";
  data: TaskReport & {
    task_id: string;
    tool_call_id: string;
    kind: TaskKind;
    label: string;
    state: EndedTaskState;
    agent_chat_id?: string;
  };
};

/** A boundary in the history: see `SummaryPart` of the contract. */
export type SummaryPartRow = { type: "summary"; data: Omit<SummaryPart, "type"> };

/** What a call of a dynamic tool was declared with, which counts for the call while it is open. */
export type CallDefinition = Omit<DynamicTool, "name" | "input_schema" | "timeout_seconds"> & {
  /** The time of its tool, or that of its chat. */
  timeout_seconds: number;
};

/** A tool call with its outcome. */
export type ToolCallPartRow = Replace<
  Omit<
    Part,
    | "messageId"
    | "index"
    | "position"
    | "isIndexed"
    | "text"
    | "data"
    | "providerMetadata"
    | "output"
  >,
  {
    type: "tool_call";
    toolCallId: string;
    toolName: string;
    kind: NonNullable<Part["kind"]>;
    args: JsonValue;
    approvedArgs: JsonObject | null;
    approvalScope: JsonValue;
    state: ToolCallState;
    artifacts: Artifact[] | null;
    elicitations: AnsweredElicitation[] | null;
    /** Null for other calls, those that have ended, and those of an older version. */
    definition: CallDefinition | null;
    startedAt: Date;
  }
> & {
  /** Undefined while the call is open, or the `AgentWait` of one that waits for agents; null is a legal output. */
  output?: JsonValue | undefined;
} & PartMetadata;

/** A call that has ended, with the tasks that its outcome reports: their own reports do not enter the history. */
export type EndedCallRow = ToolCallPartRow & { reportedTasks?: readonly string[] | undefined };

/** Which program works on a call, or has worked on it: without a token, none does. */
export type CallClaimRow = Replace<CallClaim, { progress: CallProgress | null }> & {
  /** Of its lease, by the clock of the database, where the claim is read. */
  secondsLeft?: number | undefined;
};

/** @returns the claim of the program that works on the call; null for a call that was given back. */
export const findHeld = (claim: CallClaimRow | null): CallClaimRow | null =>
  claim?.token ? claim : null;

/** A call that a parked chat waits for. */
export type OpenCallRow = ToolCallPartRow & {
  messageId: string;
  /** Null for a call that no program has claimed. */
  claim: CallClaimRow | null;
  /** Those of the root chat. */
  labels: Labels;
};

/** The states of a call without an outcome. */
export const OPEN_CALL_STATES: ReadonlySet<ToolCallState> = new Set([
  "running",
  "awaiting_result",
  "awaiting_approval",
  "awaiting_agents",
]);

/** Returns the arguments that a call runs with. */
export const getFinalArgs = ({
  args,
  approvedArgs,
}: Pick<ToolCallPartRow, "args" | "approvedArgs">): JsonValue => approvedArgs ?? args;

/** @returns the toolset that a call is of; undefined for other calls. */
export const getToolset = ({
  kind,
  toolName,
}: Pick<ToolCallPartRow, "kind" | "toolName">): string | undefined =>
  kind === "toolset" ? toolName.split("_", 1)[0] : undefined;

/** Whether a call waits for a client: for its result, or for an approval. */
export const waitsForClient = ({ state }: Pick<ToolCallPartRow, "state">): boolean =>
  state === "awaiting_result" || state === "awaiting_approval";

export type PartRow =
  | TextPartRow
  | ReasoningPartRow
  | SourcePartRow
  | FilePartRow
  | ToolCallPartRow
  | ReportPartRow
  | SummaryPartRow;

type WithoutTimes<Row> = Omit<
  Row,
  "startedAt" | "completedAt" | "deadlineAt" | "resolvedClaim" | "definition"
>;

/** A part of a message that is given as a whole. Its times are that of its message, or of when it is stored. */
export type GivenPartRow =
  | Exclude<PartRow, ReasoningPartRow | ToolCallPartRow>
  | WithoutTimes<ReasoningPartRow>
  | WithoutTimes<ToolCallPartRow>;

/** What the check of an answer has found by the format that the message of its turn asks for. */
export type FormatCheck = { value: JsonValue } | { errors: FieldError[] };

/** Other versions of a message, or of the answer to it. */
export type MessageAlternatives = {
  /** The first messages of all versions, by `seq`; of `isUnanswered` those that were replaced. */
  ids: readonly string[];
  /** Whether they are answers, of a message that has none now. */
  isUnanswered: boolean;
};

export type MessageRow = Replace<
  Omit<Message, "visibility" | "branch" | "splitSeq">,
  {
    usage: MessageUsage | null;
    finishReason: FinishReason | null;
    parameters: ChatParameters | null;
    responseFormat: ResponseFormat | null;
    formatCheck: FormatCheck | null;
  }
> & {
  parts: PartRow[];
  /** Where pages and streams read it, and there are some. */
  alternatives?: readonly MessageAlternatives[];
};

/** A model call that is paid although its answer is no message, or not a whole one. */
export type ModelUse = {
  id: string;
  /** "provider/model". */
  model: string;
  usage: MessageUsage;
  costMicros: number;
};

/** An answer that is not complete; with its use if the provider has reported it. */
export type PartialAnswer = { model: string; parts: PartRow[]; use?: ModelUse };

export type MeasuredAnswer = { characters: number; answer: PartialAnswer };

/** What the model's prompt and the loop need of a message. */
export type HistoryMessage = Pick<
  MessageRow,
  "id" | "seq" | "role" | "turnId" | "parts" | "model" | "usage" | "createdBy"
> & {
  /** Of a message that sets some for its turn, as is the format. */
  parameters?: MessageRow["parameters"];
  responseFormat?: MessageRow["responseFormat"];
  /** Of an answer; a value may be left out. */
  formatCheck?: MessageRow["formatCheck"];
};

export type QueuedMessageRow = Replace<
  QueuedMessage,
  {
    content: UserContent;
    mentions: Mentions | null;
    parameters: ChatParameters | null;
    responseFormat: ResponseFormat | null;
  }
>;

/** A model that an operator offers. */
export type ModelRow = Replace<
  Omit<Model, "createdAt">,
  {
    provider: ProviderName;
    prices: ModelPrices | null;
    toolProtocol: ToolProtocol;
    reads: ModelReading | null;
    reasoningEffort: ReasoningEffort | null;
    providerTools: ProviderToolName[];
    fileStores: string[];
  }
>;

/** The identity of a request with an `Idempotency-Key`; `route` is its method and path. */
export type RequestId = { userId: string; route: string; key: string };

/** The stored fields of a response. */
export type StoredResponse = {
  status: number;
  headers: Record<string, string>;
  body: string | null;
};
