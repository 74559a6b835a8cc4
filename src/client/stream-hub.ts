import { type ChatFeed, type FeedDeps, openChatFeed, openWatchFeed } from "./hub-feeds";
import { rankSubscriptions, type TabState } from "./rank-subscriptions";
import type { ChatSubscription, HubMessage, TabMessage } from "./stream-messages";

/**
 * Chats streamed at once. With the watch stream this leaves half of the six connections that a
 * browser opens to one host over HTTP/1.1.
 */
const MAX_CHAT_STREAMS = 2;
/** How long a hidden tab keeps its stream, so that switching tabs does not reconnect. */
const HIDDEN_MS = 60_000;

type HubOptions = {
  connect?: FeedDeps["connect"];
  /** Whether each tab has a hub of its own; a hidden tab must then close its connections at once. */
  isIsolated?: boolean;
};

type Tab = TabState & { post: (message: HubMessage) => void };

/** What a hub does for one of its tabs. */
export type HubTab = { receive: (message: TabMessage) => void };

/** Creates a hub: it holds the connections of its tabs and posts their events to them. */
export const createStreamHub = ({ connect, isIsolated = false }: HubOptions = {}) => {
  const tabs = new Set<Tab>();
  const post = (message: HubMessage): void => {
    for (const tab of tabs) {
      if (!("chatId" in message) || tab.chat?.chatId === message.chatId) tab.post(message);
    }
  };
  const feedDeps: FeedDeps = { post, ...(connect && { connect }) };
  const chatFeeds = createChatFeeds(feedDeps);
  const watchFeed = createWatchFeed(feedDeps, (chatIds) => {
    chatIds.forEach(chatFeeds.touch);
    assignConnections();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isActive = ({ isVisible, visibleAt }: TabState): boolean =>
    isIsolated ? isVisible : Date.now() - visibleAt < HIDDEN_MS;
  const assignConnections = (): void => {
    clearTimeout(timer);
    const active = [...tabs].filter(isActive);
    watchFeed.setOpen(isIsolated ? active.length > 0 : tabs.size > 0);
    chatFeeds.assign(active, tabs);
    if (active.length > 0 && !isIsolated) timer = setTimeout(assignConnections, HIDDEN_MS);
  };

  const subscribe = (tab: Tab, { chat, isVisible }: Omit<Subscription, "type">): void => {
    tab.chat = chat && { ...chat };
    tab.isVisible = isVisible;
    if (isVisible) tab.visibleAt = Date.now();
    if (chat) chatFeeds.prepare(chat, isVisible);
    // The last one has ended with its session; the tab may be of the next session.
    if (watchFeed.getState() === "failed") watchFeed.setOpen(false);
    assignConnections();
    tab.post({ type: "watch-state", state: watchFeed.getState() });
    // A visible tab does not wait for the end of a retry delay.
    if (isVisible) watchFeed.retryNow();
    if (chat) chatFeeds.replay(tab, chat.chatId);
  };
  const renew = (tab: Tab): void => {
    const wasActive = isActive(tab);
    tab.visibleAt = Date.now();
    if (!wasActive) assignConnections();
    tab.post({ type: "pong" });
  };

  return {
    /** @param postToTab sends a message to the tab. */
    openTab: (postToTab: (message: HubMessage) => void): HubTab => {
      const tab: Tab = { post: postToTab, chat: null, isVisible: false, visibleAt: Date.now() };
      tabs.add(tab);
      return {
        receive: (message) => {
          if (message.type === "subscribe") subscribe(tab, message);
          else if (message.type === "ping") renew(tab);
          else if (tabs.delete(tab)) assignConnections();
        },
      };
    },
  };
};

type Subscription = Extract<TabMessage, { type: "subscribe" }>;

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
  const close = (chatId: string, tabs: Iterable<TabState>): void => {
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
    replay: (tab: Tab, chatId: string): void => {
      const feed = feeds.get(chatId);
      if (!feed) return;
      tab.post({ type: "chat-replay", chatId, events: feed.log.getEvents() });
      tab.post({ type: "chat-state", chatId, state: feed.getState() });
    },
    /**
     * Opens the feeds of the highest ranked chats of the active tabs, closes the others and reports
     * them as paused.
     */
    assign: (activeTabs: readonly TabState[], tabs: Iterable<TabState>): void => {
      const ranked = rankSubscriptions({ tabs: activeTabs, usedAt });
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
