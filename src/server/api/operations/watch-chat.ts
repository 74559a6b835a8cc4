import type { ChatStatus } from "@/contract/chat";
import { StreamInput } from "@/contract/chat-inputs";
import { DomainError } from "@/contract/domain-error";
import { StreamEvent } from "@/contract/stream-event";
import { findContextLimit } from "@/server/api/chat-output";
import { defineStream, type StreamFrame } from "@/server/api/operation";
import { toWireMessage, toWireSnapshot } from "@/server/api/wire-format";
import { unknownChat } from "@/server/chat/lock-chat";
import type { Database } from "@/server/db/database";
import type { ChatStreamEvent } from "@/server/stream/stream-event";
import { streamChatEvents } from "@/server/stream/stream-chat-events";

export const watchChatOperation = defineStream({
  name: "chats.watch",
  method: "GET",
  path: "/chats/{chat_id}/stream",
  summary: "Watch a chat: what is committed, then what happens",
  input: StreamInput,
  event: StreamEvent,
  resumable: true,
  isDurable: ({ type }) => type !== "preview" && type !== "preview-reset",
  open: async ({ db, actor }, { chat_id, after }, signal) => {
    const events = streamChatEvents({ db, chatId: chat_id, viewer: actor, after, signal });
    // The stream's own first read says whether there is anything to watch, so none goes before it.
    const first = await events.next();
    if (first.done && !signal.aborted) throw unknownChat(chat_id);
    if (!first.done && first.value.type === "chat" && after > first.value.chat.version) {
      await events.return();
      throw inTheFuture(after, first.value.chat.version);
    }
    // Frames that nobody begins to read would leave the events open.
    const end = (): Promise<unknown> => events.return();
    signal.addEventListener("abort", () => void end().catch(() => undefined), { once: true });
    return frames(db, { first, rest: events }, after);
  },
});

/** A turn is over; one that waits for somebody's action is not. */
const TURN_ENDS: ReadonlySet<ChatStatus> = new Set(["waiting", "error"]);

/** A chat until its turn is over, for whoever has just begun it. */
export const followTurnOperation = defineStream({
  ...watchChatOperation,
  name: "chats.follow",
  open: async (...given) => untilTurnEnds(await watchChatOperation.open(...given)),
});

async function* untilTurnEnds(
  frames: AsyncGenerator<StreamFrame<StreamEvent>, void, undefined>,
): AsyncGenerator<StreamFrame<StreamEvent>, void, undefined> {
  let isCaughtUp = false;
  let isOver = false;
  for await (const frame of frames) {
    yield frame;
    const { event } = frame;
    isCaughtUp ||= event.type === "caught-up";
    if (event.type === "chat") isOver = TURN_ENDS.has(event.chat.status);
    if (isCaughtUp && isOver) return;
  }
}

const inTheFuture = (after: number, version: number): DomainError =>
  new DomainError(
    "invalid",
    `after is ${after}, but the chat is at version ${version}: begin again with 0.`,
    { errors: [{ pointer: "/after", message: `is above the chat's version ${version}` }] },
  );

type Events = {
  first: IteratorResult<ChatStreamEvent, void>;
  rest: AsyncGenerator<ChatStreamEvent, void>;
};

/**
 * A version's messages come before its chat record, so everything up to a version has been told
 * only once that record has; until then the cursor stays behind.
 */
async function* frames(
  db: Database,
  { first, rest }: Events,
  after: number,
): AsyncGenerator<StreamFrame<StreamEvent>, void, undefined> {
  let cursor = after;
  const toFrame = async (event: ChatStreamEvent): Promise<StreamFrame<StreamEvent>> => {
    if (event.type === "chat") cursor = event.chat.version;
    return { event: await toWireEvent(db, event), cursor };
  };
  try {
    if (!first.done) yield await toFrame(first.value);
    for await (const event of rest) yield await toFrame(event);
  } finally {
    await rest.return();
  }
}

const toWireEvent = async (db: Database, event: ChatStreamEvent): Promise<StreamEvent> => {
  switch (event.type) {
    case "message":
      return { type: "message", message: toWireMessage(event.message) };
    case "chat": {
      const { chat, queue, openCalls } = event;
      const limitTokens = await findContextLimit(db, chat);
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
const sharedPreview = (event: Extract<ChatStreamEvent, { type: "preview" }>): StreamEvent =>
  event as Extract<StreamEvent, { type: "preview" }>;
