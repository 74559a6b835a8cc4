import type { Problem } from "@/contract/problem";
import type { ChatEvent, WatchChange } from "@/contract/stream-event";
import type { ConnectionState } from "./stream-connection";
import type { ChatMessage, ChatSubscription, FeedState, HubMessage } from "./stream-messages";

export type ChatListener = {
  /** Called with events in order, starting after the version of the subscription. */
  onEvents: (events: readonly ChatEvent[]) => void;
  onState: (state: FeedState, problem?: Problem) => void;
  /** Returns the newest version that the listener has; a new hub resumes from it. */
  getVersion: () => number;
};

type WatchListener = {
  onEvents: (events: readonly WatchChange[]) => void;
  onState: (state: ConnectionState, problem?: Problem) => void;
};

type ChatSubscriber = { chatId: string; listener: ChatListener; isSynced: boolean };

/** Dispatches the hub's messages to the listeners of this tab. */
export const createTabFeeds = () => {
  let subscriber: ChatSubscriber | undefined;
  const watchListeners = new Set<WatchListener>();
  let watchState: ConnectionState = "connecting";

  return {
    handleMessage: (message: HubMessage): void => {
      switch (message.type) {
        case "pong":
          return;
        case "watch-events":
          watchListeners.forEach(({ onEvents }) => onEvents(message.events));
          return;
        case "watch-state":
          if (watchState === message.state) return;
          watchState = message.state;
          watchListeners.forEach(({ onState }) => onState(message.state, message.problem));
          return;
        case "chat-replay":
        case "chat-events":
        case "chat-state":
          if (subscriber?.chatId === message.chatId) handleChatMessage(subscriber, message);
          return;
      }
    },
    /** Must be called before the tab subscribes at another hub. */
    handleHubChange: (): void => {
      if (subscriber) subscriber.isSynced = false;
    },
    getSubscription: (): ChatSubscription | null =>
      subscriber ? { chatId: subscriber.chatId, after: subscriber.listener.getVersion() } : null,
    /** @returns a function that unsubscribes; it returns false if another call did so before. */
    subscribeToChat: (chatId: string, listener: ChatListener): (() => boolean) => {
      const added: ChatSubscriber = { chatId, listener, isSynced: false };
      subscriber = added;
      return () => {
        if (subscriber !== added) return false;
        subscriber = undefined;
        return true;
      };
    },
    /** @returns a function that unsubscribes. */
    subscribeToWatch: (listener: WatchListener): (() => void) => {
      watchListeners.add(listener);
      listener.onState(watchState);
      return () => watchListeners.delete(listener);
    },
  };
};

const handleChatMessage = (subscriber: ChatSubscriber, message: ChatMessage): void => {
  const { listener } = subscriber;
  switch (message.type) {
    case "chat-replay":
      subscriber.isSynced = true;
      listener.onEvents(message.events);
      return;
    case "chat-events":
      // Without the replay, earlier events would be missing.
      if (subscriber.isSynced) listener.onEvents(message.events);
      return;
    case "chat-state":
      listener.onState(message.state, message.problem);
      return;
  }
};
