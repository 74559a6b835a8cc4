import type { Problem } from "@/contract/problem";
import type { StreamEvent, WatchEvent } from "@/contract/stream-event";
import type { ConnectionState } from "./stream-connection";

/** `paused` while the browser's few connections are needed for chats that are looked at. */
export type FeedState = ConnectionState | "paused";

/** The chat that a tab shows, and up to which version the tab knows it. */
export type WantedChat = { chatId: string; after: number };

/** What a tab tells the one that holds the connections: always all of it. */
export type TabMessage =
  | { type: "want"; tab: string; chat: WantedChat | null; visible: boolean }
  | { type: "bye"; tab: string };

/** What the tab that holds the connections tells all tabs. */
export type HubMessage =
  /** A new tab holds the connections: say what you want. */
  | { type: "leading" }
  /** To one tab, else to all: what brings it from its version to what the others know. */
  | { type: "chat-joined"; tab?: string; chatId: string; events: readonly StreamEvent[] }
  | { type: "chat-events"; chatId: string; events: readonly StreamEvent[] }
  | { type: "chat-state"; chatId: string; state: FeedState; problem?: Problem }
  | { type: "watch-events"; events: readonly WatchEvent[] }
  | { type: "watch-state"; state: ConnectionState; problem?: Problem };

/** Carries messages between the tabs of a browser; the sender does not hear itself. */
export type Channel = {
  post: (message: TabMessage | HubMessage) => void;
  close: () => void;
};
