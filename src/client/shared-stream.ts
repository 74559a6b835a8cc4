import { createHubLink, type HubLinkDeps } from "./hub-link";
import type { HubMessage } from "./stream-messages";
import { type ChatListener, createTabFeeds } from "./tab-feeds";

type SharedStreamDeps = HubLinkDeps & {
  /** Unique among all tabs of the browser. */
  tabId: string;
  isVisible: () => boolean;
};

export type SharedStream = ReturnType<typeof createSharedStream>;

/**
 * Creates one tab's access to the streams that all tabs share. The leader tab holds the connections
 * and forwards their events. When it closes, another tab leads and resumes from the tabs' versions.
 */
export const createSharedStream = (deps: SharedStreamDeps) => {
  const { tabId, locks, isVisible } = deps;
  const feeds = createTabFeeds(tabId);
  /** False before the others can see this tab, and after it is closed. */
  let isRegistered = false;

  const sendSubscription = (): void => {
    if (!isRegistered) return;
    link.send({ type: "subscribe", tabId, chat: feeds.getSubscription(), isVisible: isVisible() });
  };
  const handleHubMessage = (message: HubMessage): void => {
    feeds.handleMessage(message);
    if (message.type === "leader-changed") sendSubscription();
  };
  const link = createHubLink(deps, handleHubMessage);
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
      link.send({ type: "close", tabId });
      link.close();
      locks.unregisterTab(tabId);
    },
  };
};
