import type { RecentChanges } from "@/server/db/chats/recent-changes";
import type { Notifications } from "./notifications";
import type { PreviewRelay } from "./preview-relay";
import { createReadSchedule } from "./read-schedule";
import { createWaker } from "./waker";

type SubscriptionDeps = {
  notifications: Notifications;
  relay: PreviewRelay;
  recent: RecentChanges;
};

export type ChatSubscription = ReturnType<typeof subscribeToChat>;

/** Subscribes to all that happens to a chat, for one stream. */
export const subscribeToChat = (
  { notifications, relay, recent }: SubscriptionDeps,
  chatId: string,
) => {
  const waker = createWaker();
  const schedule = createReadSchedule(waker.wake);
  const unwatch = recent.watch(chatId);
  const unsubscribe = notifications.subscribe(chatId, schedule.handleNotice);
  const watch = relay.watch(chatId, waker.wake);
  let isClosed = false;
  return {
    chatId,
    waker,
    schedule,
    watch,
    /** May be called again. */
    close: (): void => {
      if (isClosed) return;
      isClosed = true;
      unsubscribe();
      unwatch();
      watch.close();
      schedule.close();
    },
  };
};

/** Subscribes to a chat before it is inserted, so that its stream misses nothing and reads nothing that was just written. */
export const createNewChatSubscription = (deps: SubscriptionDeps) => {
  let subscription: ChatSubscription | undefined;
  const close = (): void => {
    subscription?.close();
    subscription = undefined;
  };
  return {
    /** Called with the id of a chat that is about to be inserted; again when that is repeated with another id. */
    open: (chatId: string): void => {
      close();
      subscription = subscribeToChat(deps, chatId);
    },
    /** Hands the subscription over, if it is to this chat. */
    take: (chatId: string): ChatSubscription | undefined => {
      if (subscription?.chatId !== chatId) return undefined;
      const taken = subscription;
      subscription = undefined;
      return taken;
    },
    close,
  };
};

export type NewChatSubscription = ReturnType<typeof createNewChatSubscription>;
