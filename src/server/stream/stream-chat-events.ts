import { isUuid } from "@/lib/is-uuid";
import type { Database } from "@/server/db/connection/database";
import type { RecentChanges } from "@/server/db/chats/recent-changes";
import type { Viewer } from "@/server/db/chats/viewer";
import { type AgentFeed, createAgentFeed } from "./agent-feed";
import type { ChangeReads } from "./change-reads";
import { createChatFeed } from "./chat-feed";
import type { Notifications } from "./notifications";
import type { PreviewRelay } from "./preview-relay";
import { type NewChatSubscription, subscribeToChat } from "./chat-subscription";
import type { ChatStreamEvent } from "./stream-event";

/** What the streams of a process share. */
export type ChatStreamDeps = {
  db: Database;
  readChanges: ChangeReads;
  notifications: Notifications;
  relay: PreviewRelay;
  recent: RecentChanges;
};

export type ChatStreamOptions = ChatStreamDeps & {
  chatId: string;
  viewer: Viewer;
  /** The chat version up to which the client knows everything; 0 for nothing. */
  after: number;
  signal: AbortSignal;
  /** Of the request that has just made the chat, if it did. */
  newChat?: NewChatSubscription | undefined;
};

/**
 * Streams the events that keep a client equal to the database, starting with those that it is
 * missing; docs/events.md shows the order. Ends when the signal aborts, as it does when the server stops, the viewer may not
 * read the chat, or the chat is gone.
 *
 * Subscribes before it reads, so a change in between is read twice rather than missed. Buffers
 * nothing for a slow client, which gets the newest state with its next pull.
 *
 * @throws {Error} when the database is gone.
 */
export async function* streamChatEvents(
  options: ChatStreamOptions,
): AsyncGenerator<ChatStreamEvent, void> {
  if (!isUuid(options.chatId)) return;
  const { signal, notifications } = options;
  // PostgreSQL writes UUIDs in lower case, in notifications too.
  const chatId = options.chatId.toLowerCase();
  const { isNew, ...subscription } = subscribe(options, chatId);
  const { waker } = subscription;
  /** Created once the chat has tasks, as agents are. */
  let agents: AgentFeed | undefined;
  signal.addEventListener("abort", waker.wake);
  try {
    await notifications.ready();
    const takeMissing = createChatFeed({ ...options, ...subscription, isNew });
    while (!signal.aborted) {
      const events = await takeMissing();
      if (events === undefined) return;
      const changed = events.find((event) => event.type === "chat");
      if (changed && changed.chat.taskVersion > 0) {
        agents ??= createAgentFeed({ ...options, chatId, wake: waker.wake });
        agents.observe(changed.chat);
      }
      if (events.length > 0) yield* events;
      else if (agents?.isReadDue()) yield* await agents.read();
      else await waker.sleep();
    }
  } finally {
    signal.removeEventListener("abort", waker.wake);
    agents?.close();
    subscription.close();
  }
}

const subscribe = ({ newChat, ...deps }: ChatStreamOptions, chatId: string) => {
  const ofNewChat = newChat?.take(chatId);
  return { ...(ofNewChat ?? subscribeToChat(deps, chatId)), isNew: ofNewChat !== undefined };
};
