import { createHubLink, type HubLinkDeps } from "./hub-link";
import { type ChatListener, createTabFeeds } from "./tab-feeds";

type SharedStreamDeps = HubLinkDeps & { isVisible: () => boolean };

export type SharedStream = ReturnType<typeof createSharedStream>;

/**
 * Creates one tab's access to the streams that all tabs share. A hub holds the connections and sends
 * their events to the tabs; a new hub resumes from the tabs' versions.
 */
export const createSharedStream = ({ isVisible, ...hubs }: SharedStreamDeps) => {
  const feeds = createTabFeeds();
  const sendSubscription = (): void =>
    link.send({ type: "subscribe", chat: feeds.getSubscription(), isVisible: isVisible() });
  const link = createHubLink(hubs, feeds.handleMessage, () => {
    feeds.handleHubChange();
    sendSubscription();
  });
  sendSubscription();

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
    close: link.close,
  };
};
