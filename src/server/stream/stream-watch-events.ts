import type { Viewer } from "@/server/db/chats/viewer";
import type { WatchStreamEvent } from "./stream-event";
import type { ChatChange } from "./known-chats";
import type { ViewerFeeds } from "./viewer-feed";
import { createWaker } from "./waker";

export type WatchStreamOptions = { feeds: ViewerFeeds; viewer: Viewer; signal: AbortSignal };

/**
 * Streams the changes of the viewer's chats from the moment that it resolves, starting with the actions that are
 * required already, so that a program that connects late misses none. Several changes of one chat may become
 * one event. Ends when the signal aborts, or changes may have been missed: the client then connects again and lists
 * its chats.
 *
 * @throws {Error} when the database is gone; the stream does, too.
 */
export const streamWatchEvents = async ({
  feeds,
  viewer,
  signal,
}: WatchStreamOptions): Promise<AsyncGenerator<WatchStreamEvent, void>> => {
  const changes = collectChanges(feeds, viewer);
  // A generator that nobody reads would not unsubscribe.
  signal.addEventListener("abort", changes.close, { once: true });
  if (signal.aborted) changes.close();
  await changes.started;
  return readEvents(changes, signal);
};

async function* readEvents(
  changes: CollectedChanges,
  signal: AbortSignal,
): AsyncGenerator<WatchStreamEvent, void> {
  try {
    while (!signal.aborted) {
      const taken = changes.take();
      for (const change of taken) yield* toEvents(change);
      if (taken.length === 0 && !(await changes.wait())) return;
    }
  } finally {
    signal.removeEventListener("abort", changes.close);
    changes.close();
  }
}

type CollectedChanges = ReturnType<typeof collectChanges>;

/** Collects the changes of a viewer's chats, those of one chat as one, until they are taken. */
const collectChanges = (feeds: ViewerFeeds, viewer: Viewer) => {
  const waker = createWaker();
  let pending = new Map<string, ChatChange>();
  let hasEnded = false;
  const end = Promise.withResolvers<false>();
  // After an abort nothing awaits this promise, and its rejection would be unhandled.
  end.promise.catch(() => undefined);
  const { started, unsubscribe } = feeds.subscribe(viewer, {
    onChange: (change) => {
      pending.set(change.chatId, mergeChanges(pending.get(change.chatId), change));
      waker.wake();
    },
    onEnd: (error) => {
      hasEnded = true;
      if (error === undefined) end.resolve(false);
      else end.reject(error);
      waker.wake();
    },
  });
  return {
    started,
    take: (): ChatChange[] => {
      const taken = [...pending.values()];
      pending = new Map();
      return taken;
    },
    /** @returns false when there are no more changes. @throws what ended the feed. */
    wait: async (): Promise<boolean> => {
      if (pending.size === 0 && !hasEnded) await waker.sleep();
      return pending.size === 0 && hasEnded ? end.promise : true;
    },
    close: (): void => {
      unsubscribe();
      waker.wake();
    },
  };
};

const mergeChanges = (earlier: ChatChange | undefined, later: ChatChange): ChatChange => ({
  ...later,
  isNew: later.isNew || (earlier?.isNew ?? false),
  hasNewVersion: later.hasNewVersion || (earlier?.hasNewVersion ?? false),
  hasNewAction: later.hasNewAction || (earlier?.hasNewAction ?? false),
});

const toEvents = ({ chatId, current, ...change }: ChatChange): WatchStreamEvent[] => {
  // A client that never got the chat gets no event of its deletion.
  if (!current) return change.isNew ? [] : [{ type: "chat.deleted", id: chatId }];
  const { openCalls, attention } = current;
  const chat = { ...current.chat, ...attention };
  const events: WatchStreamEvent[] = [];
  if (change.isNew) events.push({ type: "chat.created", chat });
  else if (change.hasNewVersion) events.push({ type: "chat.updated", chat });
  if (change.hasNewAction && chat.status === "requires_action") {
    events.push({ type: "chat.action_required", chat, openCalls });
  }
  return events;
};
