import type { ChatStatus } from "@/contract/chat";
import { StreamInput } from "@/contract/chat-inputs";
import { DomainError } from "@/contract/domain-error";
import { StreamEvent } from "@/contract/stream-event";
import { findContextLimit } from "@/server/api/chat-output";
import { defineStream, type StreamFrame } from "@/server/api/operation";
import type { OperationContext } from "@/server/api/operation-context";
import { toWireAgent } from "@/server/api/wire-agent";
import { toWireMessage, toWireSnapshot, toWireTask } from "@/server/api/wire-format";
import { unknownChat } from "@/server/machine/lock-chat";
import type { ChatStreamEvent } from "@/server/stream/stream-event";
import { streamChatEvents } from "@/server/stream/stream-chat-events";

export const watchChatOperation = defineStream({
  name: "chats.watch",
  method: "GET",
  path: "/chats/{chat_id}/stream",
  summary: "Watch a chat: what is committed, then what happens",
  scope: "read",
  input: StreamInput,
  event: StreamEvent,
  isResumable: true,
  open: (ctx, input, signal) => openChat(ctx, input, { signal, endsWithTurn: false }),
});

/** Streams a new chat until its first turn has ended. */
export const followTurnOperation = defineStream({
  ...watchChatOperation,
  name: "chats.follow",
  open: (ctx, input, signal) => openChat(ctx, input, { signal, endsWithTurn: true }),
});

type FrameOptions = { signal: AbortSignal; endsWithTurn: boolean };

const openChat = async (
  ctx: OperationContext,
  { chat_id: chatId, after }: StreamInput,
  { signal, endsWithTurn }: FrameOptions,
): Promise<Frames> => {
  const { db, readChanges, notifications, relay, recent, newChat, actor: viewer } = ctx;
  const shared = { db, readChanges, notifications, relay, recent, newChat };
  const events = streamChatEvents({ ...shared, chatId, viewer, after, signal });
  // The first read of the stream shows whether the chat exists, which saves a read before it.
  const first = await events.next();
  if (first.done && !signal.aborted) throw unknownChat(chatId);
  if (!first.done && first.value.type === "chat" && after > first.value.chat.version) {
    await events.return();
    throw createFutureVersionError(after, first.value.chat.version);
  }
  // A client that never reads a frame would otherwise leave the events open.
  signal.addEventListener("abort", () => void events.return().catch(() => undefined), {
    once: true,
  });
  return toFrames(ctx, { first, rest: events }, { after, endsWithTurn });
};

/** A chat that requires an action, or waits for agents, is still within its turn. */
const HAS_TURN_ENDED: Record<ChatStatus, boolean> = {
  waiting: true,
  pending: false,
  running: false,
  interrupting: false,
  requires_action: false,
  awaiting_agents: false,
  error: true,
};

const createFutureVersionError = (after: number, version: number): DomainError =>
  new DomainError(
    "invalid",
    `after is ${after}, but the chat is at version ${version}: begin again with 0.`,
    { errors: [{ pointer: "/after", message: `is above the chat's version ${version}` }] },
  );

type Events = {
  first: IteratorResult<ChatStreamEvent, void>;
  rest: AsyncGenerator<ChatStreamEvent, void>;
};

type Frames = AsyncGenerator<StreamFrame<StreamEvent>, void, undefined>;

/**
 * Adds the cursor. A version's messages precede its chat record, so the cursor advances only with
 * that record, when everything up to the version has been sent.
 */
async function* toFrames(
  ctx: OperationContext,
  { first, rest }: Events,
  { after, endsWithTurn }: { after: number; endsWithTurn: boolean },
): Frames {
  let cursor = after;
  let isCaughtUp = false;
  let isOver = false;
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      const { value: event } = next;
      isCaughtUp ||= event.type === "caught-up";
      if (event.type === "chat") {
        cursor = event.chat.version;
        isOver = HAS_TURN_ENDED[event.chat.status];
      }
      const isDurable = event.type !== "preview" && event.type !== "preview-reset";
      yield { event: await toWireEvent(ctx, event), cursor, isDurable };
      if (endsWithTurn && isCaughtUp && isOver) return;
    }
  } finally {
    await rest.return();
  }
}

const toWireEvent = async (ctx: OperationContext, event: ChatStreamEvent): Promise<StreamEvent> => {
  switch (event.type) {
    case "message":
      return { type: "message", message: toWireMessage(event.message) };
    case "task":
      return { type: "task", task: toWireTask(event.task) };
    case "agents":
      return { type: "agents", agents: event.agents.map(toWireAgent) };
    case "chat": {
      const { chat, queue, openCalls, childActions } = event;
      const limitTokens = await findContextLimit(ctx, chat);
      const extras = { openCalls, childActions, limitTokens };
      return { type: "chat", chat: toWireSnapshot(chat, queue, extras) };
    }
    case "preview":
      // All watchers share the object, so that it is serialized once. It must not be changed.
      return event as Extract<StreamEvent, { type: "preview" }>;
    case "message-deleted":
    case "preview-reset":
    case "caught-up":
      return event;
  }
};
