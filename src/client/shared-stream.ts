import { createStreamHub, type StreamHub } from "./stream-hub";
import type { Channel, HubMessage, TabMessage } from "./stream-messages";
import { type ChatListener, createTabFeeds } from "./tab-feeds";
import type { TabLocks } from "./tab-locks";

type SharedStreamDeps = {
  /** Unique among all tabs of the browser. */
  tabId: string;
  openChannel: (onMessage: (message: TabMessage | HubMessage) => void) => Channel;
  locks: TabLocks;
  isVisible: () => boolean;
  /** Whether tabs cannot exchange messages, so that each needs its own connections. */
  isIsolated: boolean;
  createHub?: typeof createStreamHub;
};

export type SharedStream = ReturnType<typeof createSharedStream>;

/**
 * Creates one tab's access to the streams that all tabs share. The leader tab holds the connections
 * and forwards their events. When it closes, another tab leads and resumes from the tabs' versions.
 */
export const createSharedStream = (deps: SharedStreamDeps) => {
  const { tabId, openChannel, locks, isVisible, isIsolated, createHub = createStreamHub } = deps;
  const feeds = createTabFeeds(tabId);
  let hub: StreamHub | undefined;
  /** False before the others can see this tab, and after it is closed. */
  let isRegistered = false;

  const channel = openChannel((message) => {
    if (message.type === "subscribe" || message.type === "close") hub?.receive(message);
    else handleHubMessage(message);
  });

  const handleHubMessage = (message: HubMessage): void => {
    feeds.handleMessage(message);
    if (message.type === "leader-changed") sendSubscription();
  };

  const sendToHub = (message: TabMessage): void => {
    if (hub) hub.receive(message);
    else channel.post(message);
  };

  const sendSubscription = (): void => {
    if (!isRegistered) return;
    sendToHub({ type: "subscribe", tabId, chat: feeds.getSubscription(), isVisible: isVisible() });
  };

  const startLeading = (): void => {
    const post = (message: HubMessage): void => {
      channel.post(message);
      handleHubMessage(message);
    };
    hub = createHub({ post, onTabClosed: locks.onTabClosed, isIsolated });
    post({ type: "leader-changed" });
  };

  const stopLeading = locks.requestLeadership(startLeading);
  locks.registerTab(tabId, () => {
    isRegistered = true;
    sendSubscription();
  });

  return {
    /**
     * Subscribes to a chat, in place of the previous one: a tab shows one chat at a time.
     *
     * @returns a function that unsubscribes.
     */
    subscribeToChat: (chatId: string, listener: ChatListener): (() => void) => {
      const unsubscribe = feeds.subscribeToChat(chatId, listener);
      sendSubscription();
      return () => {
        if (unsubscribe()) sendSubscription();
      };
    },
    subscribeToWatch: feeds.subscribeToWatch,
    /** Must be called when the tab is shown or hidden, and when the network is back. */
    refresh: sendSubscription,
    close: (): void => {
      isRegistered = false;
      sendToHub({ type: "close", tabId });
      hub?.close();
      hub = undefined;
      stopLeading();
      locks.unregisterTab(tabId);
      channel.close();
    },
  };
};
