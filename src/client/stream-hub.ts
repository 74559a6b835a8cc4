import { type ChatFeed, type FeedDeps, openChatFeed, openWatchFeed } from "./hub-feeds";
import { rankSubscriptions, type TabState } from "./rank-subscriptions";
import type { ChatSubscription, SubscriptionMessage } from "./stream-messages";

/**
 * Chats streamed at once. With the watch stream this leaves half of the six connections that a
 * browser opens to one host over HTTP/1.1.
 */
const MAX_CHAT_STREAMS = 2;
/** How long a hidden tab keeps its stream, so that switching tabs does not reconnect. */
const HIDDEN_MS = 60_000;

type HubDeps = FeedDeps & {
  /** Calls back once the tab is closed or has crashed. */
  onTabClosed: (tabId: string, callback: () => void) => void;
  /** Whether each tab has its own connections; a hidden tab must then close them at once. */
  isIsolated?: boolean;
};

export type StreamHub = ReturnType<typeof createStreamHub>;

/** Creates the hub of the leader tab: it holds the connections and posts their events to all tabs. */
export const createStreamHub = (deps: HubDeps) => {
  const { post, onTabClosed, isIsolated = false } = deps;
  const tabs = new Map<string, TabState>();
  const chatFeeds = createChatFeeds(deps);
  const watchFeed = createWatchFeed(deps, (chatIds) => {
    chatIds.forEach(chatFeeds.touch);
    assignConnections();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;

  const assignConnections = (): void => {
    clearTimeout(timer);
    const states = [...tabs.values()];
    const hasHiddenTab = states.some(({ hiddenSince }) => hiddenSince !== undefined);
    const hasVisibleTab = states.some(({ hiddenSince }) => hiddenSince === undefined);
    watchFeed.setOpen(!isIsolated || hasVisibleTab);
    chatFeeds.assign(states, Date.now() - (isIsolated ? 0 : HIDDEN_MS));
    if (hasHiddenTab && !isIsolated) timer = setTimeout(assignConnections, HIDDEN_MS);
  };

  const removeTab = (tabId: string): void => {
    if (tabs.delete(tabId)) assignConnections();
  };

  const handleSubscribe = (message: Extract<SubscriptionMessage, { type: "subscribe" }>): void => {
    const { tabId, chat, isVisible } = message;
    const previous = tabs.get(tabId);
    if (!previous) onTabClosed(tabId, () => removeTab(tabId));
    const hiddenSince = isVisible ? undefined : (previous?.hiddenSince ?? Date.now());
    tabs.set(tabId, { chat: chat && { ...chat }, hiddenSince });
    if (chat) chatFeeds.prepare(chat, isVisible);
    assignConnections();
    post({ type: "watch-state", state: watchFeed.getState() });
    // A visible tab does not wait for the end of a retry delay.
    if (isVisible) watchFeed.retryNow();
    if (chat) chatFeeds.replay(tabId, chat.chatId);
  };

  return {
    receive: (message: SubscriptionMessage): void => {
      if (message.type === "subscribe") handleSubscribe(message);
      else removeTab(message.tabId);
    },
    close: (): void => {
      clearTimeout(timer);
      watchFeed.setOpen(false);
      chatFeeds.assign([], 0);
    },
  };
};

const createWatchFeed = (deps: FeedDeps, onChanged: (chatIds: readonly string[]) => void) => {
  let feed: ReturnType<typeof openWatchFeed> | undefined;
  const open = () =>
    openWatchFeed(deps, (events) =>
      onChanged(events.flatMap((event) => (event.type === "chat.updated" ? [event.chat.id] : []))),
    );
  return {
    setOpen: (isOpen: boolean): void => {
      if (isOpen) feed ??= open();
      else {
        feed?.close();
        feed = undefined;
      }
    },
    getState: () => feed?.getState() ?? ("connecting" as const),
    retryNow: (): void => feed?.retryNow(),
  };
};

const createChatFeeds = (deps: FeedDeps) => {
  const { post } = deps;
  const feeds = new Map<string, ChatFeed>();
  const usedAt = new Map<string, number>();
  let useCount = 0;

  /** Closes a feed; its tabs then subscribe from the version that the feed has reached. */
  const close = (chatId: string, tabs: readonly TabState[]): void => {
    const feed = feeds.get(chatId);
    feed?.close();
    feeds.delete(chatId);
    for (const { chat } of tabs) {
      if (feed && chat?.chatId === chatId) chat.after = Math.max(chat.after, feed.log.getVersion());
    }
  };
  const touch = (chatId: string): void => {
    usedAt.set(chatId, ++useCount);
  };

  return {
    /** Marks a chat as the most recently used. */
    touch,
    /** Closes a feed that failed or began after the tab's version, so that it is opened anew. */
    prepare: ({ chatId, after }: ChatSubscription, isVisible: boolean): void => {
      if (isVisible) touch(chatId);
      const feed = feeds.get(chatId);
      if (feed && (feed.after > after || feed.getState() === "failed")) close(chatId, []);
      else if (isVisible) feed?.retryNow();
    },
    /** Sends a tab the events that the feed has posted before. */
    replay: (tabId: string, chatId: string): void => {
      const feed = feeds.get(chatId);
      if (!feed) return;
      post({ type: "chat-replay", tabId, chatId, events: feed.log.getEvents() });
      post({ type: "chat-state", chatId, state: feed.getState() });
    },
    /** Opens the feeds of the highest ranked chats, closes the others and reports them as paused. */
    assign: (tabs: readonly TabState[], hiddenBefore: number): void => {
      const ranked = rankSubscriptions({ tabs, usedAt, hiddenBefore });
      const active = ranked.slice(0, MAX_CHAT_STREAMS);
      for (const chatId of feeds.keys()) {
        if (!active.some((subscription) => subscription.chatId === chatId)) close(chatId, tabs);
      }
      for (const { chatId } of ranked.slice(MAX_CHAT_STREAMS)) {
        post({ type: "chat-state", chatId, state: "paused" });
      }
      for (const { chatId, after } of active) {
        if (feeds.has(chatId)) continue;
        feeds.set(chatId, openChatFeed(chatId, after, deps));
        // The feed begins at the lowest version of its tabs, so no tab needs a replay.
        post({ type: "chat-replay", chatId, events: [] });
      }
    },
  };
};
