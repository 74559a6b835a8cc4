import type { ChatEvent, WatchChange } from "@/contract/stream-event";
import { createReplayLog } from "./replay-log";
import { type Connection, type ConnectionState, openConnection } from "./stream-connection";
import type { HubMessage } from "./stream-messages";

export type FeedDeps = {
  post: (message: HubMessage) => void;
  connect?: typeof openConnection;
};

export type ChatFeed = ReturnType<typeof openChatFeed>;

/**
 * Opens the stream of one chat and posts its events to the tabs that show it.
 *
 * @param after the version after which the stream begins.
 */
export const openChatFeed = (
  chatId: string,
  after: number,
  { post, connect = openConnection }: FeedDeps,
) => {
  const log = createReplayLog(after);
  let state: ConnectionState = "connecting";
  const connection = connect<ChatEvent>({
    getUrl: () => `/api/v1/chats/${chatId}/stream?after=${log.getVersion()}`,
    onEvents: (events) => {
      events.forEach(log.add);
      post({ type: "chat-events", chatId, events });
    },
    onState: (next, problem) => {
      state = next;
      post({ type: "chat-state", chatId, state, ...(problem && { problem }) });
    },
  });
  return { ...connection, after, log, getState: () => state };
};

/** Opens the stream of all chats and posts its events, of which the hub keeps no log. */
export const openWatchFeed = (
  { post, connect = openConnection }: FeedDeps,
  onEvents: (events: readonly WatchChange[]) => void,
): Connection & { getState: () => ConnectionState } => {
  let state: ConnectionState = "connecting";
  const connection = connect<WatchChange>({
    getUrl: () => "/api/v1/watch",
    onEvents: (events) => {
      post({ type: "watch-events", events });
      onEvents(events);
    },
    onState: (next, problem) => {
      state = next;
      post({ type: "watch-state", state, ...(problem && { problem }) });
    },
  });
  return { ...connection, getState: () => state };
};
