import { EventType } from "@/contract/event-type";
import { WatchEvent, WatchInput } from "@/contract/stream-event";
import { defineStream, type StreamFrame } from "@/server/api/operation";
import type { OperationContext } from "@/server/api/operation-context";
import { toWireRequiredAction } from "@/server/api/wire-call";
import { toWireSummary } from "@/server/api/wire-format";
import { withViewerLabels } from "@/server/chat/viewer-labels";
import type { Actor } from "@/server/context";
import type { EventPosition, EventRow } from "@/server/db/sql/reads/event-reads";
import { type KeptEvent, streamKeptEvents } from "@/server/stream/stream-kept-events";
import type { WatchStreamEvent } from "@/server/stream/stream-event";
import { streamWatchEvents } from "@/server/stream/stream-watch-events";

export const watchAllOperation = defineStream({
  name: "chats.watchAll",
  method: "GET",
  path: "/watch",
  summary: "Watch all of the caller's chats, beginning with the actions that are required",
  scope: "read",
  input: WatchInput,
  event: WatchEvent,
  isResumable: true,
  open: async (ctx, { label, tool, toolset, ...input }, signal) => {
    const viewer = label ? { ...ctx.actor, labels: withViewerLabels(ctx.actor, label) } : ctx.actor;
    const frames = await openFrames(ctx, { ...input, viewer }, signal);
    const filter = { tools: tool === undefined ? undefined : [tool].flat(), toolset };
    const isAll = filter.tools === undefined && toolset === undefined;
    return isAll ? frames : filterFrames(frames, filter);
  },
});

const openFrames = async (
  { db, notifications, feeds }: OperationContext,
  { viewer, after: cursor, types }: Pick<WatchInput, "after" | "types"> & { viewer: Actor },
  signal: AbortSignal,
): Promise<Frames> => {
  const after = parseCursor(cursor);
  if (!after && !types) return toFrames(await streamWatchEvents({ feeds, viewer, signal }));
  const options = { viewer, after, types: types ?? EventType.options, signal };
  return toKeptFrames(viewer, streamKeptEvents({ db, notifications }, options));
};

type Frames = AsyncGenerator<StreamFrame<WatchEvent>, void, undefined>;

type ToolFilter = { tools: readonly string[] | undefined; toolset: string | undefined };

/** Leaves out the events that are not about a call of one of the tools. */
async function* filterFrames(frames: Frames, filter: ToolFilter): Frames {
  for await (const frame of frames) if (isOfTool(frame.event, filter)) yield frame;
}

const isOfTool = (event: WatchEvent, { tools, toolset }: ToolFilter): boolean => {
  // Events that are kept do not say where a tool is from.
  const isWanted = (name: string): boolean =>
    (tools?.includes(name) ?? true) && (toolset === undefined || name.startsWith(`${toolset}_`));
  if ("tool_name" in event) return isWanted(event.tool_name);
  if (event.type !== "chat.action_required") return OF_STREAM.has(event.type);
  const { tool_calls: calls, approvals } = event.required_action;
  return [...calls, ...approvals].some(({ tool_name: name }) => isWanted(name));
};

/** What is told of the stream, and of no chat. */
const OF_STREAM: ReadonlySet<WatchEvent["type"]> = new Set(["reset", "caught-up", "goodbye"]);

/** @returns undefined for no cursor. */
const parseCursor = (cursor = "0"): EventPosition | undefined => {
  const [xid = 0, id] = cursor.split("-").map(Number);
  return id === undefined ? undefined : { xid, id };
};

async function* toKeptFrames(viewer: Actor, events: AsyncGenerator<KeptEvent, void>): Frames {
  for await (const kept of events) {
    const event = toKeptWireEvent(viewer, kept);
    const { xid, id } = kept.position;
    // A reset has none: a client that is cut off before the next event is reset again.
    const isDurable = kept.type !== "reset";
    if (event) yield { event, cursor: `${xid}-${id}`, isDurable };
  }
}

const toKeptWireEvent = (viewer: Actor, kept: KeptEvent): WatchEvent | undefined => {
  switch (kept.type) {
    case "reset":
    case "caught-up":
      return { type: kept.type };
    case "parked": {
      const { chat, openCalls, attention } = kept.found;
      return toWireEvent({
        type: "chat.action_required",
        chat: { ...chat, ...attention },
        openCalls,
      });
    }
    case "event":
      return toWireRow(viewer, kept);
  }
};

const toWireRow = (
  viewer: Actor,
  { row, found }: Extract<KeptEvent, { type: "event" }>,
): WatchEvent | undefined => {
  if (row.type === "chat.deleted") {
    return couldSee(viewer, row) ? { type: row.type, id: row.chatId } : undefined;
  }
  if (!found) return undefined;
  const chat = toWireSummary({ ...found.chat, ...found.attention });
  const { type, version, rootChatId: root_chat_id } = row;
  switch (type) {
    case "chat.created":
      return { type, chat };
    case "turn.ended":
    case "turn.failed":
      return { type, chat, root_chat_id, version };
    case "call.opened":
    case "call.claimed":
    case "call.closed":
      return { type, chat, root_chat_id, ...toCall(row) };
  }
};

/** Whether a viewer could see a chat that is gone. What labels it had is not known any more. */
const couldSee = ({ labels, chatId }: Actor, row: EventRow): boolean =>
  labels === undefined && (chatId === undefined || [row.chatId, row.rootChatId].includes(chatId));

const toCall = ({ messageId, toolCallId, toolName }: EventRow) => ({
  message_id: messageId ?? "",
  tool_call_id: toolCallId ?? "",
  tool_name: toolName ?? "",
});

async function* toFrames(events: AsyncGenerator<WatchStreamEvent, void>): Frames {
  for await (const row of events) {
    const event = toWireEvent(row);
    if (event) yield { event, cursor: null, isDurable: false };
  }
}

const toWireEvent = (event: WatchStreamEvent): WatchEvent | undefined => {
  switch (event.type) {
    case "chat.created":
    case "chat.updated":
      return { type: event.type, chat: toWireSummary(event.chat) };
    case "chat.deleted":
      return event;
    case "chat.action_required": {
      const action = toWireRequiredAction(event.chat, event.openCalls);
      if (!action) return undefined;
      const chat = toWireSummary(event.chat);
      return { type: event.type, chat, root_chat_id: chat.root_chat_id, required_action: action };
    }
  }
};
