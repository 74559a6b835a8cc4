import type { Viewer } from "@/server/db/chats/viewer";
import { shutdown } from "./shutdown";
import type { WatchStreamEvent } from "./stream-event";
import type { ChatChange, ViewerFeeds } from "./viewer-feed";
import { createWaker } from "./waker";

export type WatchStreamOptions = { feeds: ViewerFeeds; viewer: Viewer; signal: AbortSignal };

/**
 * Streams the changes of the viewer's chats from now on, starting with the actions that are required
 * already, so that a program that connects late misses none. Several changes of one chat may become
 * one event. Ends when the signal aborts, the server stops, or changes may have been missed: the client
 * then connects again and lists its chats.
 *
 * @throws {Error} when the database is gone.
 */
export async function* streamWatchEvents({
  feeds,
  viewer,
  signal,
}: WatchStreamOptions): AsyncGenerator<WatchStreamEvent, void> {
  const waker = createWaker();
  let pending = new Map<string, ChatChange>();
  const end = Promise.withResolvers<undefined>();
  // After an abort nothing awaits this promise, and its rejection would be unhandled.
  end.promise.catch(() => undefined);
  let hasEnded = false;
  const unsubscribe = feeds.subscribe(viewer, {
    onChange: (change) => {
      pending.set(change.chatId, mergeChanges(pending.get(change.chatId), change));
      waker.wake();
    },
    onEnd: (error) => {
      hasEnded = true;
      if (error === undefined) end.resolve(undefined);
      else end.reject(error);
      waker.wake();
    },
  });
  const signals = [signal, shutdown.signal];
  for (const stop of signals) stop.addEventListener("abort", waker.wake);
  try {
    while (!signals.some(({ aborted }) => aborted)) {
      const changes = pending;
      pending = new Map();
      for (const change of changes.values()) yield* toEvents(change);
      if (pending.size > 0) continue;
      if (hasEnded) return await end.promise;
      await waker.sleep();
    }
  } finally {
    for (const stop of signals) stop.removeEventListener("abort", waker.wake);
    unsubscribe();
  }
}

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
