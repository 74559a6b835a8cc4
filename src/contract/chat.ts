import * as z from "zod";
import { OpenCall } from "./call";
import { ChatError, ChatRetry } from "./chat-error";
import { ChatDynamicTool } from "./dynamic-tool";
import { JsonValue } from "./json";
import { Labels } from "./labels";
import { QueuedMessage } from "./message";
import { ChatParameters } from "./parameters";
import { ChatUsage } from "./usage";

/** See docs/chat-states.md for what each status means. */
export const ChatStatus = z.enum([
  "waiting",
  "pending",
  "running",
  "interrupting",
  "requires_action",
  "awaiting_agents",
  "error",
]);
export type ChatStatus = z.infer<typeof ChatStatus>;

/** A tool call that waits for a person to approve or reject it. */
export const PendingApproval = z
  .object({
    tool_call_id: z.string(),
    tool_name: z.string(),
    args: JsonValue,
    deadline_at: z.iso.datetime().optional(),
    /** What approving "always for this chat" covers: calls with the same scope; null for every call of the tool. */
    approval_scope: JsonValue,
  })
  .meta({ id: "PendingApproval" });
export type PendingApproval = z.infer<typeof PendingApproval>;

/** What a parked chat waits for. */
export const RequiredAction = z
  .object({
    /** The earliest of its calls. */
    deadline_at: z.iso.datetime(),
    /** The answer that made the calls. */
    message_id: z.uuid(),
    tool_calls: z.array(OpenCall),
    approvals: z.array(PendingApproval),
  })
  .meta({ id: "RequiredAction" });
export type RequiredAction = z.infer<typeof RequiredAction>;

/** What an agent of the chat waits for. The chat's own operations take the answers, with the `chat_id`. */
export const ChildAction = RequiredAction.extend({ chat_id: z.uuid(), title: z.string() }).meta({
  id: "ChildAction",
});
export type ChildAction = z.infer<typeof ChildAction>;

/** Whether a turn goes on by itself after the results of its tools: when all calls succeeded, and when one did not. */
export const AutoSubmit = z
  .object({ success: z.boolean(), error: z.boolean() })
  .meta({ id: "AutoSubmit" });
export type AutoSubmit = z.infer<typeof AutoSubmit>;

/** Where a fork comes from. */
export const ForkOrigin = z
  .object({
    /** Null once that chat is deleted. */
    chat_id: z.uuid().nullable(),
    /** The `seq` of the last message that the fork has taken over. */
    after_seq: z.int(),
  })
  .meta({ id: "ForkOrigin" });
export type ForkOrigin = z.infer<typeof ForkOrigin>;

/** A summary that a person has asked for, or why the last one could not be written. */
export const ChatCompaction = z
  .discriminatedUnion("status", [
    z.object({ status: z.literal("requested"), instructions: z.string().optional() }),
    /** Until the next message, or the next try. */
    z.object({ status: z.literal("failed"), message: z.string() }),
  ])
  .meta({ id: "ChatCompaction" });
export type ChatCompaction = z.infer<typeof ChatCompaction>;

/** The newest answer of a chat that has a text. */
export const LastAnswer = z
  .object({ message_id: z.uuid(), seq: z.int(), text: z.string() })
  .meta({ id: "LastAnswer" });
export type LastAnswer = z.infer<typeof LastAnswer>;

/** A client that only polls this record has all it needs to act. */
export const Chat = z
  .object({
    id: z.uuid(),
    title: z.string(),
    status: ChatStatus,
    archived: z.boolean(),
    pinned: z.boolean(),
    labels: Labels,
    /** Given by the client that made the chat; absent for a chat without one. */
    external_id: z.string().optional(),
    parent_chat_id: z.uuid().nullable(),
    root_chat_id: z.uuid(),
    /** Null for a chat that is no fork. */
    forked_from: ForkOrigin.nullable(),
    /** When a temporary chat is deleted, if nothing changes until then; absent for all others. */
    expires_at: z.iso.datetime().optional(),
    model_id: z.uuid().nullable(),
    system_prompt: z.string().nullable(),
    ...ChatParameters.shape,
    dynamic_tools: z.array(ChatDynamicTool),
    /** Names of the tools of the server that the chat may use; null for all. */
    tools: z.array(z.string()).nullable(),
    /** Names of the groups that it has chosen; with groups, it has their tools and those of `tools` only. */
    groups: z.array(z.string()),
    auto_submit: AutoSubmit,
    /** Whether the report of a task begins a turn while the chat rests. */
    wake_on_reports: z.boolean(),
    /** Reports of tasks that the model has not got: it gets them with its next step. */
    waiting_reports: z.int(),
    /** Sentences about settings that were not applied, such as a tool whose name is in use. */
    warnings: z.array(z.string()),
    version: z.int(),
    queued_count: z.int(),
    /** True after a stop, until a message is sent: queued messages are not sent by themselves. */
    queue_paused: z.boolean(),
    required_action: RequiredAction.nullable(),
    /** What its agents wait for, the oldest agent first. */
    child_actions: z.array(ChildAction),
    /** Null for a chat without one; that of the turn before, until one of a turn that runs is committed. */
    last_answer: LastAnswer.nullable(),
    retry: ChatRetry.nullable(),
    last_error: ChatError.nullable(),
    compaction: ChatCompaction.nullable(),
    usage: ChatUsage,
    context: z.object({ used_tokens: z.int(), limit_tokens: z.int().nullable() }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Chat" });
export type Chat = z.infer<typeof Chat>;

/** The chat as its stream sends it: the record and the queue. Its messages have the last answer. */
export const ChatSnapshot = Chat.omit({ last_answer: true })
  .extend({ queue: z.array(QueuedMessage) })
  .meta({
    id: "ChatSnapshot",
  });
export type ChatSnapshot = z.infer<typeof ChatSnapshot>;

/** One row of the chat list, without tools and system prompt. */
export const ChatSummary = Chat.pick({
  id: true,
  title: true,
  status: true,
  archived: true,
  pinned: true,
  labels: true,
  external_id: true,
  parent_chat_id: true,
  root_chat_id: true,
  forked_from: true,
  expires_at: true,
  model_id: true,
  version: true,
  queued_count: true,
  created_at: true,
  updated_at: true,
})
  .extend({
    /** When the required action of a parked chat expires. */
    action_deadline_at: z.iso.datetime().nullable(),
    /** Whether it waits for a person: for results, for approvals, or for the answer to a question. */
    needs_you: z.boolean(),
    /** Whether an answer has come since the caller's user has last read the chat; never for an agent. */
    unread: z.boolean(),
    /** In the results of a search: the newest message that has the text, and some text around it. Absent for a title. */
    match: z.object({ seq: z.int(), snippet: z.string() }).optional(),
  })
  .meta({ id: "ChatSummary" });
export type ChatSummary = z.infer<typeof ChatSummary>;

/** A chat as links name it. */
export const ChatLink = z.object({ id: z.uuid(), title: z.string() }).meta({ id: "ChatLink" });
export type ChatLink = z.infer<typeof ChatLink>;
