import type { Problem } from "@/contract/problem";
import type { StreamEvent, WatchEvent } from "@/contract/stream-event";
import type { ConnectionState } from "./stream-connection";
import type { FeedState, HubMessage, WantedChat } from "./stream-messages";

export type ChatListener = {
  /** In order, beginning behind the version that was given. */
  onEvents: (events: readonly StreamEvent[]) => void;
  onState: (state: FeedState, problem?: Problem) => void;
  /** The newest version that the listener knows; asked when the stream moves to another tab. */
  version: () => number;
};

type WatchListener = {
  onEvents: (events: readonly WatchEvent[]) => void;
  onState: (state: ConnectionState, problem?: Problem) => void;
};

type Watched = { chatId: string; listener: ChatListener; joined: boolean };

/** Passes on what is told to all tabs to those of this tab that listen. */
export const createTabFeeds = (tab: string) => {
  let watched: Watched | undefined;
  const watchers = new Set<WatchListener>();
  let watchState: ConnectionState = "connecting";

  return {
    hear: (message: HubMessage): void => {
      switch (message.type) {
        case "leading":
          if (watched) watched.joined = false;
          return;
        case "watch-events":
          watchers.forEach(({ onEvents }) => onEvents(message.events));
          return;
        case "watch-state":
          if (watchState === message.state) return;
          watchState = message.state;
          watchers.forEach(({ onState }) => onState(message.state, message.problem));
          return;
        case "chat-joined":
        case "chat-events":
        case "chat-state":
          if (watched?.chatId === message.chatId) hearChat(tab, watched, message);
          return;
      }
    },
    wanted: (): WantedChat | null =>
      watched ? { chatId: watched.chatId, after: watched.listener.version() } : null,
    /** @returns stops watching, and says whether it had still been watched. */
    watchChat: (chatId: string, listener: ChatListener): (() => boolean) => {
      const mine: Watched = { chatId, listener, joined: false };
      watched = mine;
      return () => {
        if (watched !== mine) return false;
        watched = undefined;
        return true;
      };
    },
    watchAll: (listener: WatchListener): (() => void) => {
      watchers.add(listener);
      listener.onState(watchState);
      return () => watchers.delete(listener);
    },
  };
};

const hearChat = (
  tab: string,
  chat: Watched,
  message: Extract<HubMessage, { chatId: string }>,
): void => {
  const { listener } = chat;
  switch (message.type) {
    case "chat-joined":
      if (message.tab !== undefined && message.tab !== tab) return;
      chat.joined = true;
      listener.onEvents(message.events);
      return;
    case "chat-events":
      // Before this tab has joined, what came earlier is missing.
      if (chat.joined) listener.onEvents(message.events);
      return;
    case "chat-state":
      listener.onState(message.state, message.problem);
      return;
  }
};
