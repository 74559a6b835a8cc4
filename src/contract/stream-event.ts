import { z } from "zod";
import { ChatSnapshot, ChatSummary, RequiredAction } from "./chat";
import { Message } from "./message";
import { ToolKind } from "./part";

/**
 * One change of the preview, that is of the assistant message being made. `index` is the
 * place of the part in that message; a `start` opens it, appends lengthen it.
 */
export const PreviewOp = z.discriminatedUnion("op", [
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
  /** Text of the arguments' JSON, incomplete until the call is committed. */
  z.object({ op: z.literal("args-append"), index: z.int(), text: z.string() }),
  /** What a running tool says of itself; also for calls that are committed already. */
  z.object({
    op: z.literal("output-append"),
    tool_call_id: z.string(),
    phase: z.string().optional(),
    text: z.string(),
  }),
  /** The nested output starts anew, as its model call is tried again. */
  z.object({ op: z.literal("output-reset"), tool_call_id: z.string() }),
]);
export type PreviewOp = z.infer<typeof PreviewOp>;

/** What a chat's stream tells; docs/events.md shows the order of one turn. */
export const StreamEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message"), message: Message }),
  z.object({ type: z.literal("message-deleted"), id: z.uuid() }),
  z.object({ type: z.literal("chat"), chat: ChatSnapshot }),
  z.object({ type: z.literal("preview-reset"), attempt: z.int() }),
  z.object({
    type: z.literal("preview"),
    attempt: z.int(),
    /** Counts batches of one preview from 0, without gaps. */
    seq: z.int(),
    ops: z.array(PreviewOp),
  }),
  z.object({ type: z.literal("caught-up"), version: z.int() }),
]);
export type StreamEvent = z.infer<typeof StreamEvent>;

/** What the stream over all of a caller's chats tells. */
export const WatchEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("chat.created"), chat: ChatSummary }),
  z.object({ type: z.literal("chat.updated"), chat: ChatSummary }),
  z.object({ type: z.literal("chat.deleted"), id: z.uuid() }),
  z.object({
    type: z.literal("chat.action_required"),
    chat: ChatSummary,
    required_action: RequiredAction,
  }),
]);
export type WatchEvent = z.infer<typeof WatchEvent>;
