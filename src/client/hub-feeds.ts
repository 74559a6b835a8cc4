import type { StreamEvent, WatchEvent } from "@/contract/stream-event";
import { createFeedRecord } from "./feed-record";
import { type Connection, type ConnectionState, openConnection } from "./stream-connection";
import type { HubMessage } from "./stream-messages";

export type FeedPorts = {
  post: (message: HubMessage) => void;
  connect?: typeof openConnection;
};

export type Feed = ReturnType<typeof openFeed>;

/**
 * One chat's stream, whose events go to all tabs.
 *
 * @param after the version to begin behind.
 */
export const openFeed = (
  chatId: string,
  after: number,
  { post, connect = openConnection }: FeedPorts,
) => {
  const record = createFeedRecord(after);
  let state: ConnectionState = "connecting";
  const connection = connect<StreamEvent>({
    url: () => `/api/v1/chats/${chatId}/stream?after=${record.version()}`,
    onEvents: (events) => {
      events.forEach(record.add);
      post({ type: "chat-events", chatId, events });
    },
    onState: (next, problem) => {
      state = next;
      post({ type: "chat-state", chatId, state, ...(problem && { problem }) });
    },
  });
  return { ...connection, after, record, state: () => state };
};

/** The stream over all chats; the tabs keep what it tells themselves. */
export const openWatch = (
  { post, connect = openConnection }: FeedPorts,
  onEvents: (events: readonly WatchEvent[]) => void,
): Connection & { state: () => ConnectionState } => {
  let state: ConnectionState = "connecting";
  const connection = connect<WatchEvent>({
    url: () => "/api/v1/watch",
    onEvents: (events) => {
      post({ type: "watch-events", events });
      onEvents(events);
    },
    onState: (next, problem) => {
      state = next;
      post({ type: "watch-state", state, ...(problem && { problem }) });
    },
  });
  return { ...connection, state: () => state };
};
