import type { Database } from "@/server/db/database";
import type { Viewer } from "@/server/db/viewer";
import type { WatchStreamEvent } from "./stream-event";
import { notifications as notificationsOf, type Notifications } from "./notifications";
import { createOwnerFeed } from "./owner-feed";
import { createReadSchedule } from "./read-schedule";
import { shutdown } from "./shutdown";
import { createWaker } from "./waker";

/** Deletions that nobody heard of are found within this time. */
const CHECK_MS = 30_000;

export type WatchStreamOptions = {
  db: Database;
  viewer: Viewer;
  signal: AbortSignal;
  notifications?: Notifications;
  checkMs?: number;
};

/**
 * What happens to the viewer's chats from now on, beginning with the actions that are required
 * already, so that a program that comes late misses none. Several changes of one chat may be told
 * as one. Ends when the signal aborts or the server stops.
 *
 * @throws {Error} when the database is gone.
 */
export async function* streamWatchEvents(
  input: WatchStreamOptions,
): AsyncGenerator<WatchStreamEvent, void> {
  const { db, viewer, signal, notifications = notificationsOf(db), checkMs = CHECK_MS } = input;
  const waker = createWaker();
  const schedule = createReadSchedule(waker.wake);
  const feed = createOwnerFeed({ db, viewer });
  const unsubscribe = notifications.subscribeViewer(viewer, (notice) => {
    if (feed.hear(notice)) schedule.hear(notice);
  });
  const check = setInterval(() => {
    feed.hear(undefined);
    schedule.hear(undefined);
  }, checkMs).unref();
  const signals = [signal, shutdown.signal];
  for (const stop of signals) stop.addEventListener("abort", waker.wake);
  try {
    await notifications.ready();
    while (!signals.some(({ aborted }) => aborted)) {
      if (!schedule.isDue(0)) {
        await waker.sleep();
        continue;
      }
      schedule.begin();
      yield* await feed.read();
    }
  } finally {
    for (const stop of signals) stop.removeEventListener("abort", waker.wake);
    unsubscribe();
    clearInterval(check);
    schedule.close();
  }
}
