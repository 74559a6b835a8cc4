import type { Problem } from "@/contract/problem";
import type { StreamEvent, WatchEvent } from "@/contract/stream-event";
import type { ConnectionState } from "./stream-connection";

/** `paused` while all connections serve chats that were used more recently. */
export type FeedState = ConnectionState | "paused";

/** The chat that a tab shows, and the version up to which the tab has its events. */
export type ChatSubscription = { chatId: string; after: number };

/** What a tab shows. Each `subscribe` replaces the tab's previous one. */
export type SubscriptionMessage =
  | { type: "subscribe"; tabId: string; chat: ChatSubscription | null; isVisible: boolean }
  | { type: "close"; tabId: string };

/** Sent by the leader tab to all tabs. */
export type HubMessage =
  /** A new tab leads, so every tab subscribes again. */
  | { type: "leader-changed" }
  /** Brings one tab, or all without `tabId`, from its version up to the feed's. */
  | { type: "chat-replay"; tabId?: string; chatId: string; events: readonly StreamEvent[] }
  | { type: "chat-events"; chatId: string; events: readonly StreamEvent[] }
  | { type: "chat-state"; chatId: string; state: FeedState; problem?: Problem }
  | { type: "watch-events"; events: readonly WatchEvent[] }
  | { type: "watch-state"; state: ConnectionState; problem?: Problem };

/** A tab asks with `ping` whether there is a leader, which answers with `pong`. */
export type ChannelMessage = SubscriptionMessage | HubMessage | { type: "ping" } | { type: "pong" };

/** Carries messages to the other tabs of the browser, but not to the sender. */
export type Channel = {
  post: (message: ChannelMessage) => void;
  close: () => void;
};
