import type { Problem } from "@/contract/problem";
import type { ChatEvent, WatchChange } from "@/contract/stream-event";
import type { ConnectionState } from "./stream-connection";

/** `paused` while all connections serve chats that were used more recently. */
export type FeedState = ConnectionState | "paused";

/** The chat that a tab shows, and the version up to which the tab has its events. */
export type ChatSubscription = { chatId: string; after: number };

/** Sent by a tab to the hub. */
export type TabMessage =
  /** What the tab shows, in place of what it showed before. */
  | { type: "subscribe"; chat: ChatSubscription | null; isVisible: boolean }
  /** The tab is still visible; the hub answers with `pong`. */
  | { type: "ping" }
  | { type: "close" };

/** Sent by the hub to the tabs that show the chat. */
export type ChatMessage =
  /** Brings the tab from its version up to the feed's. */
  | { type: "chat-replay"; chatId: string; events: readonly ChatEvent[] }
  | { type: "chat-events"; chatId: string; events: readonly ChatEvent[] }
  | { type: "chat-state"; chatId: string; state: FeedState; problem?: Problem };

/** Sent by the hub to a tab. */
export type HubMessage =
  | ChatMessage
  | { type: "watch-events"; events: readonly WatchChange[] }
  | { type: "watch-state"; state: ConnectionState; problem?: Problem }
  | { type: "pong" };

/** A tab's connection to a hub; it keeps the order of the messages. */
export type HubPort = { post: (message: TabMessage) => void; close: () => void };
