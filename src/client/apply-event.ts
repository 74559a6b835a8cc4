import type { LiveOutput, PartView, ToolCallView } from "@/contract/chat-view";
import type { Message } from "@/contract/message";
import type { PreviewOp, StreamEvent } from "@/contract/stream-event";
import { type ChatView, emptyPreview } from "./chat-view";

/** The screen after one more event. Pure, so a recorded list of events replays any bug. */
export const applyEvent = (view: ChatView, event: StreamEvent): ChatView => {
  switch (event.type) {
    case "message":
      return { ...withMessages(view, [event.message]), preview: emptyPreview(attemptOf(view)) };
    case "message-deleted":
      return {
        ...view,
        messages: view.messages.filter(({ id }) => id !== event.id),
        preview: emptyPreview(attemptOf(view)),
      };
    case "chat":
      if (view.chat && event.chat.version < view.chat.version) return view;
      return { ...view, chat: event.chat, version: Math.max(view.version, event.chat.version) };
    case "preview-reset":
      return { ...view, preview: emptyPreview(event.attempt) };
    case "preview":
      return { ...view, preview: withBatch(view.preview, event) };
    case "caught-up":
      return { ...view, caughtUp: true, version: Math.max(view.version, event.version) };
  }
};

/** The screen with a page of messages that come before those it has. */
export const withOlderMessages = (
  view: ChatView,
  { data, has_more }: { data: readonly Message[]; has_more: boolean },
): ChatView => ({ ...withMessages({ ...view, hasOlder: false }, data), hasOlder: has_more });

/** Upserts by id: of two copies the one with the higher revision is newer. */
const withMessages = (view: ChatView, incoming: readonly Message[]): ChatView => {
  const first = view.messages[0];
  const byId = new Map(view.messages.map((message) => [message.id, message]));
  for (const message of incoming) {
    // It comes with its page; shown now, it would hide that others are missing after it.
    if (view.hasOlder && first && message.seq < first.seq) continue;
    const known = byId.get(message.id);
    if (!known || known.revision <= message.revision) byId.set(message.id, message);
  }
  return { ...view, messages: [...byId.values()].toSorted((a, b) => a.seq - b.seq) };
};

const attemptOf = ({ preview }: ChatView): number => preview.attempt;

type Batch = Extract<StreamEvent, { type: "preview" }>;

const withBatch = (preview: Preview, { attempt, seq, ops }: Batch): Preview => {
  if (attempt !== preview.attempt || seq < preview.next) return preview;
  return { ...ops.reduce(applyOp, preview), next: seq + 1 };
};

type Preview = ChatView["preview"];

const applyOp = (preview: Preview, op: PreviewOp): Preview => {
  switch (op.op) {
    case "text-start":
    case "reasoning-start":
    case "tool-call-start":
      return withPart(preview, op.index, startedPart(op));
    case "output-append":
      return withLive(preview, op.tool_call_id, lengthened(preview.live[op.tool_call_id], op));
    case "output-reset":
      return withLive(preview, op.tool_call_id, { text: "" });
    case "text-append":
    case "reasoning-append":
    case "args-append":
    case "reasoning-end": {
      const part = preview.parts[op.index];
      return part ? withPart(preview, op.index, changedPart(part, op)) : preview;
    }
  }
};

type Op<Name extends PreviewOp["op"]> = Extract<PreviewOp, { op: Name }>;

const startedPart = (op: Op<"text-start" | "reasoning-start" | "tool-call-start">): PartView => {
  switch (op.op) {
    case "text-start":
      return { type: "text", text: "" };
    case "reasoning-start":
      return { type: "reasoning", text: "", started_at: op.started_at };
    case "tool-call-start":
      return startedCall(op);
  }
};

const changedPart = (
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
    case "source":
      return part;
  }
};

const lengthened = (known: LiveOutput | undefined, op: Op<"output-append">): LiveOutput => {
  const phase = op.phase ?? known?.phase;
  return { text: (known?.text ?? "") + op.text, ...(phase !== undefined && { phase }) };
};

const withPart = (preview: Preview, index: number, part: PartView): Preview => ({
  ...preview,
  parts: { ...preview.parts, [index]: part },
});

const withLive = (preview: Preview, id: string, live: LiveOutput): Preview => ({
  ...preview,
  live: { ...preview.live, [id]: live },
});

const startedCall = (op: Op<"tool-call-start">): ToolCallView => ({
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
