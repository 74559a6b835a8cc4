import { isUuid } from "@/lib/is-uuid";
import type { Database } from "@/server/db/database";
import { recentChanges } from "@/server/db/recent-changes";
import type { Viewer } from "@/server/db/viewer";
import type { ChatStreamEvent } from "./stream-event";
import { createChatFeed } from "./chat-feed";
import { notifications as notificationsOf, type Notifications } from "./notifications";
import type { PreviewRelay } from "./preview";
import { previewRelay } from "./preview-relay";
import { createReadSchedule } from "./read-schedule";
import { shutdown } from "./shutdown";
import { createWaker } from "./waker";

export type ChatStreamOptions = {
  db: Database;
  chatId: string;
  viewer: Viewer;
  /** The chat version up to which the client knows everything; 0 is nothing yet. */
  after: number;
  signal: AbortSignal;
  notifications?: Notifications;
  relay?: PreviewRelay;
};

/**
 * What a client must be told so that it always equals the database, beginning with what it does
 * not know yet; docs/events.md shows the order. Ends when the signal aborts, the chat is gone or
 * not the viewer's to read, or the server stops.
 *
 * Subscribes before it reads, so a change in between is heard and read again rather than missed.
 * Nothing is queued for a client that is slow: it is told the newest state when it asks.
 *
 * @throws {Error} when the database is gone.
 */
export async function* streamChatEvents(
  input: ChatStreamOptions,
): AsyncGenerator<ChatStreamEvent, void> {
  if (!isUuid(input.chatId)) return;
  const { db, signal, notifications = notificationsOf(db), relay = previewRelay(db) } = input;
  // As PostgreSQL writes it, which is how it is announced.
  const chatId = input.chatId.toLowerCase();
  const waker = createWaker();
  const schedule = createReadSchedule(waker.wake);
  const recent = recentChanges(db);
  const unwatch = recent.watch(chatId);
  const unsubscribe = notifications.subscribe(chatId, schedule.hear);
  const watch = relay.watch(chatId, waker.wake);
  const signals = [signal, shutdown.signal];
  for (const stop of signals) stop.addEventListener("abort", waker.wake);
  try {
    await notifications.ready();
    const feed = createChatFeed({ ...input, chatId, schedule, watch, recent });
    while (!signals.some(({ aborted }) => aborted)) {
      const events = feed.isReadDue() ? await feed.read() : feed.news();
      if (events === undefined) return;
      if (events.length > 0) yield* events;
      else await waker.sleep();
    }
  } finally {
    for (const stop of signals) stop.removeEventListener("abort", waker.wake);
    unsubscribe();
    unwatch();
    watch.close();
    schedule.close();
  }
}
