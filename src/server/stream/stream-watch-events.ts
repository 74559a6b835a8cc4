import type { Database } from "@/server/db/database";
import type { Viewer } from "@/server/db/viewer";
import {
  type ChatNotice,
  notifications as notificationsOf,
  type Notifications,
} from "./notifications";
import { createOwnerFeed } from "./owner-feed";
import { createReadSchedule } from "./read-schedule";
import { shutdown } from "./shutdown";
import type { WatchStreamEvent } from "./stream-event";
import { createWaker } from "./waker";

/** Deletions whose notification was lost are found within this time. */
const CHECK_MS = 30_000;

export type WatchStreamOptions = {
  db: Database;
  viewer: Viewer;
  signal: AbortSignal;
  notifications?: Notifications;
  checkMs?: number;
};

/**
 * Streams the changes of the viewer's chats from now on, starting with the actions that are required
 * already, so that a program that connects late misses none. Several changes of one chat may become
 * one event. Ends when the signal aborts or the server stops.
 *
 * @throws {Error} when the database is gone.
 */
export async function* streamWatchEvents(
  options: WatchStreamOptions,
): AsyncGenerator<WatchStreamEvent, void> {
  const { db, viewer, signal, notifications = notificationsOf(db), checkMs = CHECK_MS } = options;
  const waker = createWaker();
  const schedule = createReadSchedule(waker.wake);
  const feed = createOwnerFeed({ db, viewer });
  const handleNotice = (notice: ChatNotice | undefined): void => {
    if (feed.handleNotice(notice)) schedule.handleNotice(notice);
  };
  const unsubscribe = notifications.subscribeViewer(viewer, handleNotice);
  const check = setInterval(() => handleNotice(undefined), checkMs).unref();
  const signals = [signal, shutdown.signal];
  for (const stop of signals) stop.addEventListener("abort", waker.wake);
  try {
    await notifications.ready();
    while (!signals.some(({ aborted }) => aborted)) {
      if (!schedule.isDue(0)) {
        await waker.sleep();
        continue;
      }
      schedule.beginRead();
      yield* await feed.read();
    }
  } finally {
    for (const stop of signals) stop.removeEventListener("abort", waker.wake);
    unsubscribe();
    clearInterval(check);
    schedule.close();
  }
}
