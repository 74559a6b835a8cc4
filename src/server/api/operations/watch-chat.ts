import { StreamInput } from "@/contract/chat-inputs";
import { DomainError } from "@/contract/domain-error";
import { StreamEvent } from "@/contract/stream-event";
import { readOwnedChat } from "@/server/api/chat-output";
import { limitTokensOf } from "@/server/api/context-limits";
import { defineStream, type StreamFrame } from "@/server/api/operation";
import { toWireMessage, toWireSnapshot } from "@/server/api/wire";
import type { Database } from "@/server/db/database";
import type { ChatEvent } from "@/server/stream/chat-event";
import { chatEvents } from "@/server/stream/chat-events";

export const watchChat = defineStream({
  name: "chats.watch",
  method: "GET",
  path: "/chats/{chat_id}/stream",
  summary: "Watch a chat: what is committed, then what happens",
  input: StreamInput,
  event: StreamEvent,
  resumable: true,
  isDurable: ({ type }) => type !== "preview" && type !== "preview-reset",
  open: async (ctx, { chat_id, after }, signal) => {
    const { chat } = await readOwnedChat(ctx, chat_id);
    if (after > chat.version) {
      throw new DomainError(
        "invalid",
        `after is ${after}, but the chat is at version ${chat.version}: begin again with 0.`,
        { errors: [{ pointer: "/after", message: `is above the chat's version ${chat.version}` }] },
      );
    }
    const { db, actor } = ctx;
    const input = { db, chatId: chat.id, ownerId: actor.userId, after, signal };
    return frames(db, chatEvents(input), after);
  },
});

/**
 * A version's messages come before its chat record, so everything up to a version has been told
 * only once that record has; until then the cursor stays behind.
 */
async function* frames(
  db: Database,
  events: AsyncGenerator<ChatEvent, void>,
  after: number,
): AsyncGenerator<StreamFrame<StreamEvent>, void, undefined> {
  let cursor = after;
  for await (const event of events) {
    if (event.type === "chat") cursor = event.chat.version;
    yield { event: await toWireEvent(db, event), cursor };
  }
}

const toWireEvent = async (db: Database, event: ChatEvent): Promise<StreamEvent> => {
  switch (event.type) {
    case "message":
      return { type: "message", message: toWireMessage(event.message) };
    case "chat": {
      const { chat, queue, openCalls } = event;
      const limitTokens = await limitTokensOf(db, chat);
      return { type: "chat", chat: toWireSnapshot(chat, queue, { openCalls, limitTokens }) };
    }
    case "preview":
      return sharedPreview(event);
    case "message-deleted":
    case "preview-reset":
    case "caught-up":
      return event;
  }
};

/** The same object for all watchers, so that it is serialised once; nobody here writes to it. */
const sharedPreview = (event: Extract<ChatEvent, { type: "preview" }>): StreamEvent =>
  event as Extract<StreamEvent, { type: "preview" }>;
