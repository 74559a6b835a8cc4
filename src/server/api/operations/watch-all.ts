import * as z from "zod";
import { WatchEvent } from "@/contract/stream-event";
import { defineStream, type StreamFrame } from "@/server/api/operation";
import { toWireRequiredAction } from "@/server/api/wire-call";
import { toWireSummary } from "@/server/api/wire-format";
import type { WatchStreamEvent } from "@/server/stream/stream-event";
import { streamWatchEvents } from "@/server/stream/stream-watch-events";

export const watchAllOperation = defineStream({
  name: "chats.watchAll",
  method: "GET",
  path: "/watch",
  summary: "Watch all of the caller's chats, beginning with the actions that are required",
  scope: "read",
  input: z.strictObject({}),
  event: WatchEvent,
  isResumable: false,
  open: ({ feeds, actor }, _input, signal) =>
    Promise.resolve(toFrames(streamWatchEvents({ feeds, viewer: actor, signal }))),
});

async function* toFrames(
  events: AsyncGenerator<WatchStreamEvent, void>,
): AsyncGenerator<StreamFrame<WatchEvent>, void, undefined> {
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
