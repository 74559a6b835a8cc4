import { type Feed, type FeedPorts, openFeed, openWatch } from "./hub-feeds";
import type { TabMessage, WantedChat } from "./stream-messages";
import { type Tab, wantedChats } from "./wanted-chats";

/**
 * Chats streamed at once. With the watch stream this leaves half of the six connections that a
 * browser opens to one host over HTTP/1.1.
 */
const MAX_CHAT_STREAMS = 2;
/** A hidden tab keeps its stream for this long, so that switching tabs costs nothing. */
const HIDDEN_MS = 60_000;

type HubPorts = FeedPorts & {
  /** Calls back once the tab is gone, also when it could not say so. */
  whenGone: (tab: string, gone: () => void) => void;
  /** Other tabs have connections of their own, so a hidden one must let go of its at once. */
  alone?: boolean;
};

export type StreamHub = ReturnType<typeof createStreamHub>;

/** Holds the stream connections of a browser and tells its tabs what comes in. */
export const createStreamHub = (ports: HubPorts) => {
  const { post, whenGone, alone = false } = ports;
  const tabs = new Map<string, Tab>();
  const feeds = createFeeds(ports);
  const watch = createWatch(ports, (chatIds) => {
    chatIds.forEach(feeds.touch);
    assign();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Gives the connections to those that need them most. */
  const assign = (): void => {
    clearTimeout(timer);
    const all = [...tabs.values()];
    const isHidden = all.some(({ hiddenSince }) => hiddenSince !== undefined);
    watch.keep(!alone || all.some(({ hiddenSince }) => hiddenSince === undefined));
    feeds.assign(all, Date.now() - (alone ? 0 : HIDDEN_MS));
    if (isHidden && !alone) timer = setTimeout(assign, HIDDEN_MS);
  };

  const drop = (tab: string): void => {
    if (tabs.delete(tab)) assign();
  };

  const want = ({ tab, chat, visible }: Extract<TabMessage, { type: "want" }>): void => {
    const known = tabs.get(tab);
    if (!known) whenGone(tab, () => drop(tab));
    const hiddenSince = visible ? undefined : (known?.hiddenSince ?? Date.now());
    tabs.set(tab, { chat: chat && { ...chat }, hiddenSince });
    if (chat) feeds.prepare(chat, visible);
    assign();
    post({ type: "watch-state", state: watch.state() });
    // Somebody is looking, so a pause before the next attempt would only be felt.
    if (visible) watch.retryNow();
    if (chat) feeds.join(tab, chat.chatId);
  };

  return {
    receive: (message: TabMessage): void => {
      if (message.type === "want") want(message);
      else drop(message.tab);
    },
    close: (): void => {
      clearTimeout(timer);
      watch.keep(false);
      feeds.assign([], 0);
    },
  };
};

const createWatch = (ports: FeedPorts, onChanged: (chatIds: readonly string[]) => void) => {
  let watch: ReturnType<typeof openWatch> | undefined;
  const open = () =>
    openWatch(ports, (events) =>
      onChanged(events.flatMap((event) => (event.type === "chat.updated" ? [event.chat.id] : []))),
    );
  return {
    /** Opens or closes it, if need be. */
    keep: (needed: boolean): void => {
      if (needed) watch ??= open();
      else {
        watch?.close();
        watch = undefined;
      }
    },
    state: () => watch?.state() ?? ("connecting" as const),
    retryNow: (): void => watch?.retryNow(),
  };
};

const createFeeds = (ports: FeedPorts) => {
  const { post } = ports;
  const feeds = new Map<string, Feed>();
  const usedAt = new Map<string, number>();
  let clock = 0;

  const close = (chatId: string, tabs: readonly Tab[]): void => {
    const feed = feeds.get(chatId);
    feed?.close();
    feeds.delete(chatId);
    for (const { chat } of tabs) {
      if (feed && chat?.chatId === chatId) chat.after = Math.max(chat.after, feed.record.version());
    }
  };
  const touch = (chatId: string): void => {
    usedAt.set(chatId, ++clock);
  };

  return {
    /** The chat was looked at, or has changed. */
    touch,
    /** Gets a chat ready for a tab that may know less of it than others, or tries it again. */
    prepare: ({ chatId, after }: WantedChat, visible: boolean): void => {
      if (visible) touch(chatId);
      const feed = feeds.get(chatId);
      if (feed && (feed.after > after || feed.state() === "failed")) close(chatId, []);
      else if (visible) feed?.retryNow();
    },
    /** Tells a tab what the others have been told of its chat already. */
    join: (tab: string, chatId: string): void => {
      const feed = feeds.get(chatId);
      if (!feed) return;
      post({ type: "chat-joined", tab, chatId, events: feed.record.events() });
      post({ type: "chat-state", chatId, state: feed.state() });
    },
    assign: (tabs: readonly Tab[], hiddenBefore: number): void => {
      const wanted = wantedChats({ tabs, usedAt, hiddenBefore });
      const served = wanted.slice(0, MAX_CHAT_STREAMS);
      for (const chatId of feeds.keys()) {
        if (!served.some((one) => one.chatId === chatId)) close(chatId, tabs);
      }
      for (const { chatId } of wanted.slice(MAX_CHAT_STREAMS)) {
        post({ type: "chat-state", chatId, state: "paused" });
      }
      for (const { chatId, after } of served) {
        if (feeds.has(chatId)) continue;
        feeds.set(chatId, openFeed(chatId, after, ports));
        // It begins behind what each of its tabs knows, so all may listen from here on.
        post({ type: "chat-joined", chatId, events: [] });
      }
    },
  };
};
