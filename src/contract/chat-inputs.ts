import * as z from "zod";
import { isUuid } from "@/lib/is-uuid";
import { findPatternMistake } from "@/lib/command-pattern";
import { AnsweredChatId } from "./answered-chat";
import { AutoSubmit, ChatStatus } from "./chat";
import { Content, Text } from "./content";
import { DynamicTools } from "./dynamic-tool";
import { ToolNames } from "./declared-name";
import { GroupNames, Mentions } from "./group";
import { HistoryMessages } from "./history";
import { JsonObject, validateJson } from "./json";
import { Labels } from "./labels";
import { ParametersChange, ParametersInput } from "./parameters";
import { QueryBoolean } from "./query-values";
import { ResponseFormat } from "./response-format";
import {
  DEFAULT_PAGE_SIZE,
  MAX_TEXT_LENGTH,
  MAX_CALLS_PER_STEP,
  MAX_ACTION_TIMEOUT_SECONDS,
  MAX_COMPACT_INSTRUCTIONS_LENGTH,
  MAX_EXTERNAL_ID_LENGTH,
  MAX_LABELS,
  MAX_LABEL_LENGTH,
  MAX_STEPS_PER_TURN,
  MAX_MODEL_REF_LENGTH,
  MAX_OUTPUT_DEPTH,
  MAX_PAGE_SIZE,
  MAX_SEARCH_LENGTH,
  MAX_SYSTEM_PROMPT_LENGTH,
  MAX_TITLE_LENGTH,
  MIN_ACTION_TIMEOUT_SECONDS,
} from "./limits";

/** A path parameter. A malformed id is not a validation error but 404, so it is not checked here. */
export const PathId = z.string();

/** What is left out stays, or is true in a new chat. */
const AutoSubmitInput = AutoSubmit.partial().strict().meta({ id: "AutoSubmitInput" });
export type AutoSubmitInput = z.infer<typeof AutoSubmitInput>;

/** A chat begins with one message, or with a history. */
const checkBeginning: z.core.CheckFn<{ content?: unknown; messages?: unknown }> = (check) => {
  const { value, issues } = check;
  if ((value.content === undefined) !== (value.messages === undefined)) return;
  const [path, message] =
    value.content === undefined
      ? ["content", "is required, unless there are messages"]
      : ["messages", "cannot be given with content: it would be their last message"];
  issues.push({ code: "custom", input: value, path: [path], message });
};

/** The id of a model, or `provider/model`. */
const ModelRef = Text.max(MAX_MODEL_REF_LENGTH).refine(
  (text) => isUuid(text) || /^[^/]+\/./.test(text),
  'must be the id of a model, or "provider/model"',
);

export const BusyBehavior = z.enum(["queue", "interrupt", "reject", "steer"]);
export type BusyBehavior = z.infer<typeof BusyBehavior>;

const ExternalId = Text.min(1).max(MAX_EXTERNAL_ID_LENGTH);

/** What a request for a new chat does if the caller has one with its `external_id` already. */
const IfExists = z.enum(["conflict", "return", "send"]);
export type IfExists = z.infer<typeof IfExists>;

/** What only makes sense together. */
const checkIfExists: z.core.CheckFn<{
  content?: unknown;
  external_id?: unknown;
  if_exists?: IfExists | undefined;
  busy_behavior?: unknown;
}> = ({ value, issues }) => {
  const { content, external_id, if_exists, busy_behavior } = value;
  const refuse = (field: string, message: string) =>
    issues.push({ code: "custom", input: value, path: [field], message });
  if (if_exists !== undefined && external_id === undefined) {
    refuse("if_exists", "can be given only with an external_id");
  }
  if (if_exists === "send" && content === undefined) {
    refuse("if_exists", 'can be "send" only with content: a history is no message');
  }
  if (busy_behavior !== undefined && if_exists !== "send") {
    refuse("busy_behavior", 'can be given only with if_exists "send"');
  }
};

const ActionTimeout = z.int().min(MIN_ACTION_TIMEOUT_SECONDS).max(MAX_ACTION_TIMEOUT_SECONDS);

const CreateChatFields = z.strictObject({
  /** The first message, which begins a turn. */
  content: Content.optional(),
  /** What was said before instead; a user's message at the end begins a turn. */
  messages: HistoryMessages.optional(),
  system_prompt: Text.max(MAX_SYSTEM_PROMPT_LENGTH).optional(),
  model_id: ModelRef.optional(),
  ...ParametersInput.shape,
  /** Of the last answer of the first turn. */
  response_format: ResponseFormat.optional(),
  dynamic_tools: DynamicTools.optional(),
  /** Names of the tools of the server that the chat may use, of those that `GET /tools` lists; all by default. */
  tools: ToolNames.optional(),
  /** Names of groups, of those that `GET /groups` lists: with groups, the chat has their tools and those of `tools` only. */
  groups: GroupNames.optional(),
  auto_submit: AutoSubmitInput.optional(),
  /** Whether the report of a task begins a turn while the chat rests; true by default. */
  wake_on_reports: z.boolean().optional(),
  labels: Labels.optional(),
  action_timeout_seconds: ActionTimeout.optional(),
  max_steps: z.int().min(1).max(MAX_STEPS_PER_TURN).optional(),
  /** Whether it is in no list and deleted some time after its last change. */
  temporary: z.boolean().optional(),
  /** By which the client knows the chat, unique among the caller's chats. */
  external_id: ExternalId.optional(),
  /** Of the chat that has the `external_id` already; `conflict` by default. */
  if_exists: IfExists.optional(),
  /** Of the message to such a chat; `queue` by default. */
  busy_behavior: BusyBehavior.optional(),
});
export const CreateChatInput = CreateChatFields.check(checkBeginning, checkIfExists);
export type CreateChatInput = z.infer<typeof CreateChatInput>;

export const ChatRef = z.strictObject({ chat_id: PathId });
export type ChatRef = z.infer<typeof ChatRef>;

/** Versions are 32-bit integers of the database. */
const MAX_VERSION = 2 ** 31 - 1;

/** As text in query strings, too. */
const QueryInt = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );
/** How many items a page has at most. */
export const Limit = QueryInt(1, MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE);

const LabelFilter = Text.max(2 * MAX_LABEL_LENGTH + 1).refine(
  (label) => !label.startsWith("="),
  'must be "key=value"',
);

export const ListChatsInput = z.strictObject({
  /** `any` lists archived chats and the others, as with an `external_id` by default; otherwise it is false. */
  archived: z.union([QueryBoolean, z.literal("any")]).optional(),
  /** Searches titles and message text. A page may then have fewer chats than `limit`, or none, and a next page. */
  q: Text.max(MAX_SEARCH_LENGTH).optional(),
  /** `key=value`, `key` or `key:value`; may be repeated, for chats that have all. */
  label: z.union([LabelFilter, z.array(LabelFilter).max(MAX_LABELS)]).optional(),
  status: ChatStatus.optional(),
  /** Whether the chats wait for a person. */
  needs_you: QueryBoolean.optional(),
  /** Only the forks of this chat. */
  forked_from: z.uuid().optional(),
  /** Only the chat with this id of its client, also a temporary or an archived one. */
  external_id: ExternalId.optional(),
  /** True for temporary chats only. Otherwise they are listed with `needs_you`, `forked_from` and `external_id` only. */
  temporary: QueryBoolean.default(false),
  cursor: z.string().max(200).optional(),
  limit: Limit,
});
export type ListChatsInput = z.infer<typeof ListChatsInput>;

/** Labels that are set, and with null removed; all others stay. */
const LabelsMerge = z
  .record(Text.min(1).max(MAX_LABEL_LENGTH), Text.max(MAX_LABEL_LENGTH).nullable())
  .refine(
    (labels) => Object.keys(labels).length <= 2 * MAX_LABELS,
    `must be at most ${2 * MAX_LABELS}`,
  );

const checkLabels: z.core.CheckFn<{ labels?: unknown; labels_merge?: unknown }> = ({
  value,
  issues,
}) => {
  if (value.labels === undefined || value.labels_merge === undefined) return;
  const message = "cannot be given with labels, which replaces all";
  issues.push({ code: "custom", input: value, path: ["labels_merge"], message });
};

const UpdateChatFields = ChatRef.extend({
  title: Text.trim().min(1).max(MAX_TITLE_LENGTH).optional(),
  archived: z.boolean().optional(),
  pinned: z.boolean().optional(),
  labels: Labels.optional(),
  model_id: ModelRef.optional(),
  ...ParametersChange.shape,
  /** Null for all, which is the default. */
  tools: ToolNames.nullable().optional(),
  groups: GroupNames.optional(),
  auto_submit: AutoSubmitInput.optional(),
  wake_on_reports: z.boolean().optional(),
  /** Makes a temporary chat an ordinary one. */
  temporary: z.literal(false).optional(),
  /** Null removes it. */
  system_prompt: Text.max(MAX_SYSTEM_PROMPT_LENGTH).nullable().optional(),
  /** Instead of those that the client has declared; those of groups stay. */
  dynamic_tools: DynamicTools.optional(),
  action_timeout_seconds: ActionTimeout.optional(),
  labels_merge: LabelsMerge.optional(),
  /** The version that the chat must have; REST takes it from the header `If-Match`, too. */
  if_version: z.int().min(0).max(MAX_VERSION).optional(),
});
export const UpdateChatInput = UpdateChatFields.check(checkLabels);
export type UpdateChatInput = z.infer<typeof UpdateChatInput>;

export const MarkReadInput = ChatRef.extend({
  /** The version of the chat that has been read: `version` of the chat, or of a page of its messages. */
  version: z.int().min(0).max(MAX_VERSION),
});
export type MarkReadInput = z.infer<typeof MarkReadInput>;

const Seq = QueryInt(0, Number.MAX_SAFE_INTEGER);
export const ListMessagesInput = ChatRef.extend({
  /** Only messages with a smaller `seq`. */
  before: Seq.optional(),
  /** Only messages with a larger `seq`. */
  after: Seq.optional(),
  limit: Limit,
});
export type ListMessagesInput = z.infer<typeof ListMessagesInput>;

export const FindMessagesInput = ChatRef.extend({
  /** Taken as it is written, in any case. */
  q: Text.min(1).max(MAX_SEARCH_LENGTH),
  /** Only messages with a smaller `seq`: the `next_before` of the page before. */
  before: Seq.optional(),
});
export type FindMessagesInput = z.infer<typeof FindMessagesInput>;

export const OpenChatInput = ChatRef.extend({ limit: Limit });
export type OpenChatInput = z.infer<typeof OpenChatInput>;

export const ListApprovalRulesInput = z.strictObject({
  /** The `next_cursor` of the page before. */
  cursor: z.uuid().optional(),
  limit: Limit,
});
export type ListApprovalRulesInput = z.infer<typeof ListApprovalRulesInput>;

/**
 * Ids of the open calls that the request may cancel; all by default. A client that names those that the person has
 * seen cannot cancel others, which may have opened since.
 */
const CancelCalls = z.array(Text.min(1).max(256)).max(MAX_CALLS_PER_STEP).optional();

export const SendMessageInput = ChatRef.extend({
  content: Content,
  busy_behavior: BusyBehavior.default("queue"),
  /** For `interrupt`, as the other behaviors cancel nothing. */
  cancel_calls: CancelCalls,
  model_id: ModelRef.optional(),
  /** For the turn of the message; the chat keeps its own. */
  ...ParametersInput.shape,
  /** Of the last answer of the turn. */
  response_format: ResponseFormat.optional(),
  mentions: Mentions.optional(),
});
export type SendMessageInput = z.infer<typeof SendMessageInput>;

export const EditMessageInput = ChatRef.extend({
  message_id: PathId,
  content: Content,
  /** What is left out is as it was in the message. */
  ...ParametersInput.shape,
  mentions: Mentions.optional(),
});
export type EditMessageInput = z.infer<typeof EditMessageInput>;

export const RegenerateInput = ChatRef.extend({
  model_id: ModelRef.optional(),
  /** What is left out is as it was in the message that is answered. */
  ...ParametersInput.shape,
});
export type RegenerateInput = z.infer<typeof RegenerateInput>;

export const ForkChatInput = ChatRef.extend({
  /** The last message that the fork has, by its `seq`; by default all messages. */
  after_seq: z.int().min(0).max(MAX_VERSION).optional(),
  title: Text.trim().min(1).max(MAX_TITLE_LENGTH).optional(),
});
export type ForkChatInput = z.infer<typeof ForkChatInput>;

export const CompactInput = ChatRef.extend({
  /** What the summary has to keep in particular. */
  instructions: Text.trim().max(MAX_COMPACT_INSTRUCTIONS_LENGTH).optional(),
});
export type CompactInput = z.infer<typeof CompactInput>;

export const BoundaryRef = ChatRef.extend({ message_id: PathId });
export type BoundaryRef = z.infer<typeof BoundaryRef>;

/** Any message of a branch that was replaced. */
export const AlternativeRef = ChatRef.extend({ message_id: PathId });
export type AlternativeRef = z.infer<typeof AlternativeRef>;

export const TaskRef = z.object({ task_id: PathId });
export type TaskRef = z.infer<typeof TaskRef>;

export const QueuedMessageRef = ChatRef.extend({ queued_id: PathId });
export type QueuedMessageRef = z.infer<typeof QueuedMessageRef>;

export const PromoteInput = QueuedMessageRef.extend({
  /** Whether a turn that runs is interrupted for the message, or takes it before its next model call. */
  behavior: z.enum(["interrupt", "steer"]).default("interrupt"),
  /** For `interrupt`, as `steer` cancels nothing. */
  cancel_calls: CancelCalls,
});
export type PromoteInput = z.infer<typeof PromoteInput>;

export const InterruptInput = ChatRef.extend({ cancel_calls: CancelCalls });
export type InterruptInput = z.infer<typeof InterruptInput>;

const ApprovedArgs = JsonObject.superRefine((value, context) => {
  const error =
    validateJson(value, MAX_OUTPUT_DEPTH) ??
    (JSON.stringify(value).length > MAX_TEXT_LENGTH
      ? `are longer than ${MAX_TEXT_LENGTH} characters of JSON`
      : undefined);
  if (error) context.addIssue({ code: "custom", message: error });
});

const ApprovalPattern = Text.superRefine((pattern, context) => {
  const error = findPatternMistake(pattern);
  if (error !== undefined) context.addIssue({ code: "custom", message: error });
});

export const DecideApprovalsInput = ChatRef.extend({
  decisions: z
    .array(
      z
        .strictObject({
          chat_id: AnsweredChatId,
          tool_call_id: z.string().min(1).max(256),
          decision: z.enum(["approve", "reject"]),
          /** What the call runs with instead of the model's arguments, which stay in its part. */
          args: ApprovedArgs.optional(),
          /** The model receives it when the call is rejected. */
          reason: Text.max(2_000).optional(),
          /**
           * `chat` also approves later calls with the same `approval_scope`, in this chat and its children; `tool` in
           * all chats of the person.
           */
          scope: z.enum(["call", "chat", "tool"]).optional(),
          /** What the later calls have in common instead of the exact text, such as the command `npm run *`. */
          pattern: ApprovalPattern.optional(),
        })
        .refine(({ decision, args }) => decision === "approve" || args === undefined, {
          path: ["args"],
          message: "can be given only with an approval",
        })
        .refine(({ decision, scope = "call" }) => decision === "approve" || scope === "call", {
          path: ["scope"],
          message: 'can only be "call" for a rejection',
        })
        .refine(({ scope, pattern }) => scope !== "tool" || pattern !== undefined, {
          path: ["scope"],
          message: 'can be "tool" only with a pattern',
        })
        .refine(({ scope = "call", pattern }) => scope !== "call" || pattern === undefined, {
          path: ["pattern"],
          message: 'can be given only with the scope "chat" or "tool"',
        }),
    )
    .min(1, "must have at least one decision"),
});
export type DecideApprovalsInput = z.infer<typeof DecideApprovalsInput>;

/** `after`: the last chat version that the client has seen; 0 for none. */
export const StreamInput = ChatRef.extend({ after: Seq.default(0) });
export type StreamInput = z.infer<typeof StreamInput>;
