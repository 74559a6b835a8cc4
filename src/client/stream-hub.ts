import type { StreamEvent, WatchEvent } from "@/contract/stream-event";
import { createFeedRecord } from "./feed-record";
import { type Connection, type ConnectionState, openConnection } from "./stream-connection";
import type { HubMessage, TabMessage, WantedChat } from "./stream-messages";

/**
 * Chats streamed at once. With the watch stream this leaves half of the six connections that a
 * browser opens to one host over HTTP/1.1.
 */
const MAX_CHAT_STREAMS = 2;
/** A hidden tab keeps its stream for this long, so that switching tabs costs nothing. */
const HIDDEN_MS = 60_000;

type HubPorts = {
  post: (message: HubMessage) => void;
  /** Calls back once the tab is gone, also when it could not say so. */
  whenGone: (tab: string, gone: () => void) => void;
  /** Other tabs have connections of their own, so a hidden one must let go of its at once. */
  alone?: boolean;
  connect?: typeof openConnection;
};

type Tab = { chat: WantedChat | null; hiddenSince: number | undefined };

type Feed = {
  /** The version that the stream began behind. */
  after: number;
  record: ReturnType<typeof createFeedRecord>;
  connection: Connection;
  state: ConnectionState;
};

export type StreamHub = ReturnType<typeof createStreamHub>;

/** Holds the stream connections of a browser and tells its tabs what comes in. */
export const createStreamHub = (ports: HubPorts) => {
  const { post, whenGone, alone = false, connect = openConnection } = ports;
  const hiddenMs = alone ? 0 : HIDDEN_MS;
  const tabs = new Map<string, Tab>();
  const feeds = new Map<string, Feed>();
  /** When each chat was last looked at or changed; the latest ones get the connections. */
  const usedAt = new Map<string, number>();
  let clock = 0;
  let watch: { connection: Connection; state: ConnectionState } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const use = (chatId: string): void => {
    usedAt.set(chatId, ++clock);
  };

  const openFeed = (chatId: string, after: number): void => {
    const record = createFeedRecord(after);
    const feed: Feed = { after, record, connection: NOT_OPEN, state: "connecting" };
    feeds.set(chatId, feed);
    feed.connection = connect<StreamEvent>({
      url: () => `/api/v1/chats/${chatId}/stream?after=${record.version()}`,
      onEvents: (events) => {
        events.forEach(record.add);
        post({ type: "chat-events", chatId, events });
      },
      onState: (state, problem) => {
        feed.state = state;
        post({ type: "chat-state", chatId, state, ...(problem && { problem }) });
      },
    });
  };

  const closeFeed = (chatId: string, feed: Feed): void => {
    feed.connection.close();
    feeds.delete(chatId);
    for (const { chat } of tabs.values()) {
      if (chat?.chatId === chatId) chat.after = Math.max(chat.after, feed.record.version());
    }
  };

  const assignWatch = (): void => {
    const needed =
      !alone || [...tabs.values()].some(({ hiddenSince }) => hiddenSince === undefined);
    if (needed && !watch) openWatch();
    if (needed || !watch) return;
    watch.connection.close();
    watch = undefined;
  };

  const openWatch = (): void => {
    const opened = { connection: NOT_OPEN, state: "connecting" as ConnectionState };
    watch = opened;
    opened.connection = connect<WatchEvent>({
      url: () => "/api/v1/watch",
      onEvents: (events) => {
        post({ type: "watch-events", events });
        events.forEach((event) => {
          if (event.type === "chat.updated") use(event.chat.id);
        });
        assign();
      },
      onState: (state, problem) => {
        opened.state = state;
        post({ type: "watch-state", state, ...(problem && { problem }) });
      },
    });
  };

  /** Gives the connections to the chats that need them most. */
  const assign = (): void => {
    clearTimeout(timer);
    assignWatch();
    const wanted = wantedChats(tabs, usedAt, hiddenMs);
    const served = wanted.slice(0, MAX_CHAT_STREAMS);
    for (const [chatId, feed] of feeds) {
      if (!served.some((one) => one.chatId === chatId)) closeFeed(chatId, feed);
    }
    for (const { chatId } of wanted.slice(MAX_CHAT_STREAMS)) {
      post({ type: "chat-state", chatId, state: "paused" });
    }
    for (const { chatId } of served) {
      if (!feeds.has(chatId)) openFeed(chatId, lowestVersion(tabs, chatId));
    }
    if (!alone && [...tabs.values()].some(({ hiddenSince }) => hiddenSince !== undefined)) {
      timer = setTimeout(assign, HIDDEN_MS);
    }
  };

  /** Tells a tab what the others have been told of its chat already. */
  const join = (tab: string, { chatId, after }: WantedChat): void => {
    const known = feeds.get(chatId);
    if (known && (known.after > after || known.state === "failed")) closeFeed(chatId, known);
    assign();
    const feed = feeds.get(chatId);
    if (!feed) return;
    post({ type: "chat-joined", tab, chatId, events: feed.record.events() });
    post({ type: "chat-state", chatId, state: feed.state });
  };

  const drop = (tab: string): void => {
    if (tabs.delete(tab)) assign();
  };

  const want = ({ tab, chat, visible }: Extract<TabMessage, { type: "want" }>): void => {
    if (!tabs.has(tab)) whenGone(tab, () => drop(tab));
    const before = tabs.get(tab);
    const hiddenSince = visible ? undefined : (before?.hiddenSince ?? Date.now());
    tabs.set(tab, { chat: chat && { ...chat }, hiddenSince });
    if (chat && visible) use(chat.chatId);
    assignWatch();
    post({ type: "watch-state", state: watch?.state ?? "connecting" });
    // Somebody is looking, so a pause before the next attempt would only be felt.
    if (visible) watch?.connection.retryNow();
    if (!chat) assign();
    else {
      if (visible) feeds.get(chat.chatId)?.connection.retryNow();
      join(tab, chat);
    }
  };

  return {
    receive: (message: TabMessage): void => {
      if (message.type === "want") want(message);
      else drop(message.tab);
    },
    close: (): void => {
      clearTimeout(timer);
      watch?.connection.close();
      for (const { connection } of feeds.values()) connection.close();
    },
  };
};

const NOT_OPEN: Connection = { retryNow: () => undefined, close: () => undefined };

type Ranked = { chatId: string; visible: boolean; usedAt: number };

/** The chats that some tab shows, the most needed first. */
const wantedChats = (
  tabs: ReadonlyMap<string, Tab>,
  usedAt: ReadonlyMap<string, number>,
  hiddenMs: number,
): Ranked[] => {
  const wanted = new Map<string, Ranked>();
  for (const { chat, hiddenSince } of tabs.values()) {
    if (!chat || (hiddenSince !== undefined && Date.now() - hiddenSince >= hiddenMs)) continue;
    const { chatId } = chat;
    const visible = hiddenSince === undefined || wanted.get(chatId)?.visible === true;
    wanted.set(chatId, { chatId, visible, usedAt: usedAt.get(chatId) ?? 0 });
  }
  return [...wanted.values()].toSorted(
    (a, b) => Number(b.visible) - Number(a.visible) || b.usedAt - a.usedAt,
  );
};

const lowestVersion = (tabs: ReadonlyMap<string, Tab>, chatId: string): number =>
  Math.min(
    ...[...tabs.values()].flatMap(({ chat }) => (chat?.chatId === chatId ? [chat.after] : [])),
  );
