import type { Problem } from "@/contract/problem";
import type { StreamEvent, WatchEvent } from "@/contract/stream-event";
import type { ConnectionState } from "./stream-connection";
import { createStreamHub, type StreamHub } from "./stream-hub";
import type { Channel, FeedState, HubMessage, TabMessage } from "./stream-messages";
import type { TabLocks } from "./tab-locks";

export type ChatListener = {
  /** In order, beginning behind the version that was given. */
  onEvents: (events: readonly StreamEvent[]) => void;
  onState: (state: FeedState, problem?: Problem) => void;
  /** The newest version that the listener knows; asked when the stream moves to another tab. */
  version: () => number;
};

export type WatchListener = {
  onEvents: (events: readonly WatchEvent[]) => void;
  onState: (state: ConnectionState, problem?: Problem) => void;
};

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

type Watched = { chatId: string; listener: ChatListener; joined: boolean };

export type SharedStream = ReturnType<typeof createSharedStream>;

/**
 * The streams as one tab sees them. One tab of the browser leads: it holds the connections and
 * passes on what they tell. When it closes, another goes on from the versions that all tabs know.
 */
export const createSharedStream = (ports: SharedStreamPorts) => {
  const { tab, openChannel, locks, isVisible, alone, createHub = createStreamHub } = ports;
  let watched: Watched | undefined;
  const watchers = new Set<WatchListener>();
  let watchState: ConnectionState = "connecting";
  let hub: StreamHub | undefined;
  let isKnown = false;

  const hearHub = (message: HubMessage): void => {
    switch (message.type) {
      case "leading":
        if (watched) watched.joined = false;
        want();
        return;
      case "chat-joined":
        if (watched?.chatId !== message.chatId || message.tab !== tab) return;
        watched.joined = true;
        watched.listener.onEvents(message.events);
        return;
      case "chat-events":
        if (watched?.chatId !== message.chatId || !watched.joined) return;
        watched.listener.onEvents(message.events);
        return;
      case "chat-state":
        if (watched?.chatId !== message.chatId) return;
        watched.listener.onState(message.state, message.problem);
        return;
      case "watch-events":
        watchers.forEach(({ onEvents }) => onEvents(message.events));
        return;
      case "watch-state":
        if (watchState === message.state) return;
        watchState = message.state;
        watchers.forEach(({ onState }) => onState(message.state, message.problem));
        return;
    }
  };

  const channel = openChannel((message) => {
    if (message.type === "want" || message.type === "bye") hub?.receive(message);
    else hearHub(message);
  });

  const tell = (message: TabMessage): void => {
    if (hub) hub.receive(message);
    else channel.post(message);
  };

  const want = (): void => {
    if (!isKnown) return;
    const chat = watched && { chatId: watched.chatId, after: watched.listener.version() };
    tell({ type: "want", tab, chat: chat ?? null, visible: isVisible() });
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
    isKnown = true;
    want();
  });

  return {
    /** @returns stops watching. A tab shows one chat at a time, so the newest call counts. */
    watchChat: (chatId: string, listener: ChatListener): (() => void) => {
      const mine: Watched = { chatId, listener, joined: false };
      watched = mine;
      want();
      return () => {
        if (watched !== mine) return;
        watched = undefined;
        want();
      };
    },
    watchAll: (listener: WatchListener): (() => void) => {
      watchers.add(listener);
      listener.onState(watchState);
      return () => watchers.delete(listener);
    },
    /** To be called when the tab is shown or hidden, or the network is back. */
    refresh: want,
    close: (): void => {
      tell({ type: "bye", tab });
      hub?.close();
      hub = undefined;
      stopLeading();
      locks.releaseTab(tab);
      channel.close();
    },
  };
};
