import { replaceEqualDeep } from "@tanstack/react-query";
import type { Agent } from "@/contract/agent";
import type { ChildAction } from "@/contract/chat";
import type { LiveOutput, PartView, ToolCallView } from "@/contract/chat-view";
import type { Message } from "@/contract/message";
import type { Task } from "@/contract/task";
import { toCallKey } from "@/contract/call-key";
import type { PreviewOp, ChatEvent } from "@/contract/stream-event";
import { type ChatView, createPreview } from "./chat-view";

/** Returns the view after one more event. Pure, so recorded events reproduce any bug. */
export const applyEvent = (view: ChatView, event: ChatEvent): ChatView => {
  switch (event.type) {
    case "message":
      return {
        ...upsertMessages(view, [event.message]),
        preview: createPreview(view.preview.attempt),
      };
    case "message-deleted":
      return {
        ...view,
        messages: view.messages.filter(({ id }) => id !== event.id),
        preview: createPreview(view.preview.attempt),
      };
    case "task":
      return { ...view, tasks: upsertTask(view.tasks, event.task) };
    case "agents":
      return withChildActions({ ...view, agents: event.agents }, toChildActions(event.agents));
    case "chat":
      if (view.chat && event.chat.version < view.chat.version) return view;
      return withChildActions(
        { ...view, chat: event.chat, version: Math.max(view.version, event.chat.version) },
        event.chat.child_actions,
      );
    case "preview-reset":
      return { ...view, preview: createPreview(event.attempt) };
    case "preview":
      return { ...view, preview: applyBatch(view.preview, event) };
    case "caught-up":
      return { ...view, isCaughtUp: true, version: Math.max(view.version, event.version) };
  }
};

/** Keeps the objects that are equal, as agents change often and a form renders when its action is another object. */
const withChildActions = (view: ChatView, actions: readonly ChildAction[]): ChatView => ({
  ...view,
  childActions: replaceEqualDeep(view.childActions, actions),
});

const toChildActions = (agents: readonly Agent[]): ChildAction[] =>
  agents.flatMap(({ chat_id, title, required_action: action }) =>
    action ? [{ ...action, chat_id, title }] : [],
  );

/** Keeps the order of the API: the oldest first, and by their ids those that began in the same millisecond. */
const upsertTask = (tasks: readonly Task[], task: Task): Task[] =>
  [...tasks.filter(({ id }) => id !== task.id), task].toSorted(
    (one, other) => compare(one.created_at, other.created_at) || compare(one.id, other.id),
  );

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

/** Returns the view with a page of messages added before its oldest one. */
export const addOlderMessages = (
  view: ChatView,
  { data, has_more }: { data: readonly Message[]; has_more: boolean },
): ChatView => ({
  ...upsertMessages({ ...view, hasOlder: false }, data),
  hasOlder: has_more,
  loadedFrom: Math.min(view.loadedFrom, data[0]?.seq ?? view.loadedFrom),
});

/** Inserts or replaces messages by id; the copy with the higher revision wins. */
const upsertMessages = (view: ChatView, incoming: readonly Message[]): ChatView => {
  const byId = new Map(view.messages.map((message) => [message.id, message]));
  for (const message of incoming) {
    // Messages of pages not loaded yet are skipped: shown alone, they would hide the gap after them.
    if (view.hasOlder && message.seq < view.loadedFrom) continue;
    const existing = byId.get(message.id);
    if (!existing || existing.revision <= message.revision) byId.set(message.id, message);
  }
  return { ...view, messages: [...byId.values()].toSorted((a, b) => a.seq - b.seq) };
};

type Batch = Extract<ChatEvent, { type: "preview" }>;

const applyBatch = (preview: Preview, { attempt, seq, ops }: Batch): Preview => {
  if (attempt !== preview.attempt || seq < preview.nextSeq) return preview;
  return { ...ops.reduce(applyOp, preview), nextSeq: seq + 1 };
};

type Preview = ChatView["preview"];

const applyOp = (preview: Preview, op: PreviewOp): Preview => {
  switch (op.op) {
    case "text-start":
    case "reasoning-start":
    case "tool-call-start":
      return setPart(preview, op.index, createPart(op));
    case "compaction":
      return { ...preview, compaction: { part: op.part, parts: op.parts } };
    case "output-append":
      return setLiveOutput(preview, op, appendOutput(preview.liveOutputs[toCallKey(op)], op));
    case "output-reset":
      return setLiveOutput(preview, op, { text: "" });
    case "text-append":
    case "reasoning-append":
    case "args-append":
    case "reasoning-end": {
      const part = preview.parts[op.index];
      return part ? setPart(preview, op.index, updatePart(part, op)) : preview;
    }
  }
};

type Op<Name extends PreviewOp["op"]> = Extract<PreviewOp, { op: Name }>;

const createPart = (op: Op<"text-start" | "reasoning-start" | "tool-call-start">): PartView => {
  switch (op.op) {
    case "text-start":
      return { type: "text", text: "" };
    case "reasoning-start":
      return { type: "reasoning", text: "", started_at: op.started_at };
    case "tool-call-start":
      return createToolCall(op);
  }
};

const updatePart = (
  part: PartView,
  op: Op<"text-append" | "reasoning-append" | "args-append" | "reasoning-end">,
): PartView => {
  switch (part.type) {
    case "text":
      return op.op === "text-append" ? { ...part, text: part.text + op.text } : part;
    case "reasoning":
      if (op.op === "reasoning-append") return { ...part, text: part.text + op.text };
      return op.op === "reasoning-end" ? { ...part, completed_at: op.completed_at } : part;
    case "tool_call":
      return op.op === "args-append"
        ? { ...part, args_text: (part.args_text ?? "") + op.text }
        : part;
    default:
      return part;
  }
};

const appendOutput = (output: LiveOutput | undefined, op: Op<"output-append">): LiveOutput => {
  const phase = op.phase ?? output?.phase;
  return { text: (output?.text ?? "") + op.text, ...(phase !== undefined && { phase }) };
};

const setPart = (preview: Preview, index: number, part: PartView): Preview => ({
  ...preview,
  parts: { ...preview.parts, [index]: part },
});

const setLiveOutput = (
  preview: Preview,
  op: Op<"output-append" | "output-reset">,
  output: LiveOutput,
): Preview => ({
  ...preview,
  liveOutputs: { ...preview.liveOutputs, [toCallKey(op)]: output },
});

const createToolCall = (op: Op<"tool-call-start">): ToolCallView => ({
  type: "tool_call",
  tool_call_id: op.tool_call_id,
  tool_name: op.tool_name,
  kind: op.kind,
  args: {},
  args_text: "",
  state: "running",
  is_error: false,
  started_at: op.started_at,
});
