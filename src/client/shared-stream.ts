import { createStreamHub, type StreamHub } from "./stream-hub";
import type { Channel, HubMessage, TabMessage } from "./stream-messages";
import { type ChatListener, createTabFeeds } from "./tab-feeds";
import type { TabLocks } from "./tab-locks";

type SharedStreamPorts = {
  /** This tab's name among all tabs of the browser. */
  tab: string;
  openChannel: (hear: (message: TabMessage | HubMessage) => void) => Channel;
  locks: TabLocks;
  isVisible: () => boolean;
  /** No other tab can be heard, so that each tab needs connections of its own. */
  alone: boolean;
  createHub?: typeof createStreamHub;
};

export type SharedStream = ReturnType<typeof createSharedStream>;

/**
 * The streams as one tab sees them. One tab of the browser leads: it holds the connections and
 * passes on what they tell. When it closes, another goes on from the versions that all tabs know.
 */
export const createSharedStream = (ports: SharedStreamPorts) => {
  const { tab, openChannel, locks, isVisible, alone, createHub = createStreamHub } = ports;
  const feeds = createTabFeeds(tab);
  let hub: StreamHub | undefined;
  /** The others can see this tab, and it has not been closed. */
  let isThere = false;

  const channel = openChannel((message) => {
    if (message.type === "want" || message.type === "bye") hub?.receive(message);
    else hearHub(message);
  });

  const hearHub = (message: HubMessage): void => {
    feeds.hear(message);
    if (message.type === "leading") want();
  };

  const tell = (message: TabMessage): void => {
    if (hub) hub.receive(message);
    else channel.post(message);
  };

  const want = (): void => {
    if (!isThere) return;
    tell({ type: "want", tab, chat: feeds.wanted(), visible: isVisible() });
  };

  const lead = (): void => {
    const post = (message: HubMessage): void => {
      channel.post(message);
      hearHub(message);
    };
    hub = createHub({ post, whenGone: locks.whenTabGone, alone });
    post({ type: "leading" });
  };

  const stopLeading = locks.holdLead(lead);
  locks.holdTab(tab, () => {
    isThere = true;
    want();
  });

  return {
    /** @returns stops watching. A tab shows one chat at a time, so the newest call counts. */
    watchChat: (chatId: string, listener: ChatListener): (() => void) => {
      const stop = feeds.watchChat(chatId, listener);
      want();
      return () => {
        if (stop()) want();
      };
    },
    watchAll: feeds.watchAll,
    /** To be called when the tab is shown or hidden, or the network is back. */
    refresh: want,
    close: (): void => {
      isThere = false;
      tell({ type: "bye", tab });
      hub?.close();
      hub = undefined;
      stopLeading();
      locks.releaseTab(tab);
      channel.close();
    },
  };
};
