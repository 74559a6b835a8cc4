import * as z from "zod";
import { Agent } from "./agent";
import { ToolsetName } from "./declared-name";
import { EventType } from "./event-type";
import { ChatSnapshot, ChatSummary, RequiredAction } from "./chat";
import { QueryLabels } from "./labels";
import { MAX_DYNAMIC_TOOLS } from "./limits";
import { Message } from "./message";
import { ToolKind } from "./part";
import { Task } from "./task";

/**
 * One change of the preview, the assistant message that is being streamed. `index` is the position of
 * the part in it; a `start` adds the part, or replaces the one at that position, an `append` adds text to it.
 */
export const PreviewOp = z
  .discriminatedUnion("op", [
    z.object({ op: z.literal("text-start"), index: z.int() }),
    z.object({ op: z.literal("text-append"), index: z.int(), text: z.string() }),
    z.object({ op: z.literal("reasoning-start"), index: z.int(), started_at: z.iso.datetime() }),
    z.object({ op: z.literal("reasoning-append"), index: z.int(), text: z.string() }),
    z.object({ op: z.literal("reasoning-end"), index: z.int(), completed_at: z.iso.datetime() }),
    z.object({
      op: z.literal("tool-call-start"),
      index: z.int(),
      tool_call_id: z.string(),
      tool_name: z.string(),
      kind: ToolKind,
      started_at: z.iso.datetime(),
    }),
    /** Adds to the JSON of the arguments, which is incomplete until the call is committed. */
    z.object({ op: z.literal("args-append"), index: z.int(), text: z.string() }),
    /** Progress of a running tool; also for calls that are already committed. */
    z.object({
      op: z.literal("output-append"),
      message_id: z.uuid(),
      tool_call_id: z.string(),
      phase: z.string().optional(),
      text: z.string(),
    }),
    /** A summary of what came before is being written: the `part`-th of `parts` calls of the model. */
    z.object({ op: z.literal("compaction"), part: z.int(), parts: z.int() }),
    /** Clears the live output because the nested model call is retried. */
    z.object({
      op: z.literal("output-reset"),
      message_id: z.uuid(),
      tool_call_id: z.string(),
    }),
  ])
  .meta({ id: "PreviewOp" });
export type PreviewOp = z.infer<typeof PreviewOp>;

/** The last event of a stream that the server ends, although there may be more. */
export const Goodbye = z
  .object({
    type: z.literal("goodbye"),
    /** Open: there may be more reasons. */
    reason: z.string(),
    retry_after_ms: z.int(),
  })
  .meta({ id: "GoodbyeEvent" });
export type Goodbye = z.infer<typeof Goodbye>;

/** An event of a chat's stream. docs/events.md shows their order in one turn. */
export const StreamEvent = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("message"), message: Message }).meta({ id: "MessageEvent" }),
    z
      .object({ type: z.literal("message-deleted"), id: z.uuid() })
      .meta({ id: "MessageDeletedEvent" }),
    z.object({ type: z.literal("task"), task: Task }).meta({ id: "TaskEvent" }),
    /** All agents of the chat, whenever one has changed. */
    z.object({ type: z.literal("agents"), agents: z.array(Agent) }).meta({ id: "AgentsEvent" }),
    z.object({ type: z.literal("chat"), chat: ChatSnapshot }).meta({ id: "ChatEvent" }),
    z
      .object({ type: z.literal("preview-reset"), attempt: z.int() })
      .meta({ id: "PreviewResetEvent" }),
    z
      .object({
        type: z.literal("preview"),
        attempt: z.int(),
        /** Number of the batch in its preview: 0, 1, 2 and so on. */
        seq: z.int(),
        ops: z.array(PreviewOp),
      })
      .meta({ id: "PreviewEvent" }),
    z.object({ type: z.literal("caught-up"), version: z.int() }).meta({ id: "CaughtUpEvent" }),
    Goodbye,
  ])
  .meta({ id: "StreamEvent" });
export type StreamEvent = z.infer<typeof StreamEvent>;

/** An event of the chat itself; the others are of the connection. */
export type ChatEvent = Exclude<StreamEvent, Goodbye>;

/** What is kept of a call that a client can answer. */
const CallEvent = z.object({
  chat: ChatSummary,
  root_chat_id: z.uuid(),
  message_id: z.uuid(),
  tool_call_id: z.string(),
  tool_name: z.string(),
});

const TurnEvent = z.object({ chat: ChatSummary, root_chat_id: z.uuid(), version: z.int() });

/** An event of the stream over all chats of the caller. */
export const WatchEvent = z
  .discriminatedUnion("type", [
    z
      .object({ type: z.literal("chat.created"), chat: ChatSummary })
      .meta({ id: "ChatCreatedEvent" }),
    z
      .object({ type: z.literal("chat.updated"), chat: ChatSummary })
      .meta({ id: "ChatUpdatedEvent" }),
    z.object({ type: z.literal("chat.deleted"), id: z.uuid() }).meta({ id: "ChatDeletedEvent" }),
    z
      .object({
        type: z.literal("chat.action_required"),
        chat: ChatSummary,
        /** The chat whose operations take the answers, too, if an agent of it asks; else the chat itself. */
        root_chat_id: z.uuid(),
        required_action: RequiredAction,
      })
      .meta({ id: "ActionRequiredEvent" }),
    CallEvent.extend({ type: z.literal("call.opened") }).meta({ id: "CallOpenedEvent" }),
    CallEvent.extend({ type: z.literal("call.claimed") }).meta({ id: "CallClaimedEvent" }),
    CallEvent.extend({ type: z.literal("call.closed") }).meta({ id: "CallClosedEvent" }),
    TurnEvent.extend({ type: z.literal("turn.ended") }).meta({ id: "TurnEndedEvent" }),
    TurnEvent.extend({ type: z.literal("turn.failed") }).meta({ id: "TurnFailedEvent" }),
    z.object({ type: z.literal("reset") }).meta({ id: "ResetEvent" }),
    z.object({ type: z.literal("caught-up") }).meta({ id: "WatchCaughtUpEvent" }),
    Goodbye,
  ])
  .meta({ id: "WatchEvent" });
export type WatchEvent = z.infer<typeof WatchEvent>;

/** What is told of the chats of the caller without a cursor. */
export type WatchChange = Extract<WatchEvent, { type: `chat.${string}` }>;

const ToolName = z.string().min(1).max(256);
/** As many as a chat may declare. */
const MAX_WATCHED_TOOLS = MAX_DYNAMIC_TOOLS;

/** `after` is the id of an event. Only with it, or with types, has the stream a cursor. */
export const WatchInput = z.strictObject({
  after: z
    .string()
    .regex(/^(0|[1-9]\d{0,14}-\d{1,15})$/, "must be the id of an event")
    .optional(),
  types: z
    .string()
    .max(200)
    .transform((text) => text.split(","))
    .pipe(z.array(EventType))
    .optional(),
  /** What the root of a chat has. */
  label: QueryLabels.optional(),
  /** Only events about a call of this tool, or of one of these. */
  tool: z.union([ToolName, z.array(ToolName).max(MAX_WATCHED_TOOLS)]).optional(),
  /** Only events about a call of this toolset. */
  toolset: ToolsetName.optional(),
});
export type WatchInput = z.infer<typeof WatchInput>;
