import type { Database } from "@/server/db/connection/database";
import type { ListPosition } from "@/server/db/chats/list-cursor";
import { NEWEST } from "@/server/db/sql/reads/chat-reads";
import { listChatVersions, listParkedChats } from "@/server/db/sql/reads/version-reads";
import { findAttention } from "@/server/db/sql/reads/attention-reads";
import { toViewerKey, type Viewer } from "@/server/db/chats/viewer";
import type { ChangeReads } from "./change-reads";
import { type ChatChange, createKnownChats, type WatchedChat } from "./known-chats";
import type { ChatNotice, Notifications } from "./notifications";
import { createReadSchedule } from "./read-schedule";
import { createWaker } from "./waker";

/** Interval between comparisons of a part of the viewer's chats with what the feed knows of them. */
const CHECK_MS = 30_000;
/** Each comparison reads the newest chats and the next ones in turn, together 30 KB. */
const NEWEST_CHATS = 100;
const NEXT_CHATS = 200;
/** Chats that are read at once: other streams wait for no more of them. */
const READ_AT_ONCE = 20;

export type ViewerFeedSubscriber = {
  onChange: (change: ChatChange) => void;
  /** The feed has ended: with an error, or because changes may have been missed. */
  onEnd: (error?: unknown) => void;
};

export type ViewerFeedSubscription = {
  /** From when on no change is missed. Rejects when the database is gone. */
  started: Promise<void>;
  unsubscribe: () => void;
};

type ReaderDeps = { db: Database; readChanges: ChangeReads; viewer: Viewer };

/** Reads chats, in the order of the ids; undefined for one that is gone. */
const readWatched = async (
  { db, readChanges, viewer }: ReaderDeps,
  chatIds: readonly string[],
): Promise<(WatchedChat | undefined)[]> => {
  const found = await Promise.all(
    chatIds.map((chatId) => readChanges({ chatId, viewer, after: NEWEST })),
  );
  // Later than the chats, as what is unread is of a version that is read.
  const findOf = await findAttention(db, viewer, chatIds);
  return found.map((chat) => chat && { ...chat, attention: findOf(chat.chat.id) });
};

/** Reads what has changed of a viewer's chats. */
const createChangeReader = (deps: ReaderDeps) => {
  const { db, viewer } = deps;
  const known = createKnownChats(viewer);
  const parked = new Map<string, WatchedChat>();
  let changed = new Set<string>();
  /** Where the next check continues; undefined for the newest chat. */
  let checked: ListPosition | undefined;

  const update = (chatId: string, current: WatchedChat | undefined): ChatChange | undefined => {
    if (current?.chat.status === "requires_action") parked.set(chatId, current);
    else parked.delete(chatId);
    return known.update(chatId, current);
  };
  const read = async (chatIds: readonly string[]): Promise<ChatChange[]> => {
    const found = await readWatched(deps, chatIds);
    return chatIds.flatMap((chatId, index) => update(chatId, found[index]) ?? []);
  };
  /** @returns the last chat that was compared; undefined at the end of the list. */
  const checkSlice = async (
    after: ListPosition | undefined,
    limit: number,
  ): Promise<ListPosition | undefined> => {
    const listed = await listChatVersions(db, { viewer, after, limit });
    const last = listed.length === limit ? listed.at(-1) : undefined;
    known.compare(listed, { after, last }).forEach((id) => changed.add(id));
    return last;
  };
  return {
    start: async (): Promise<void> => {
      known.start(await listChatVersions(db, { viewer, after: undefined, limit: NEWEST_CHATS }));
    },
    readParked: async (): Promise<void> => {
      const chatIds = await listParkedChats(db, viewer);
      while (chatIds.length > 0) await read(chatIds.splice(0, READ_AT_ONCE));
    },
    /** @returns whether the notice makes a read necessary. */
    handleNotice: (notice: ChatNotice): boolean => {
      const isChange = !known.isCurrent(notice);
      if (isChange) changed.add(notice.chatId);
      return isChange;
    },
    check: async (): Promise<void> => {
      const newest = await checkSlice(undefined, NEWEST_CHATS);
      if (newest) checked = await checkSlice(checked ?? newest, NEXT_CHATS);
    },
    /** Reads the chats that have changed since the last call, each once. */
    readChanges: async function* (): AsyncGenerator<ChatChange, void> {
      const chatIds = [...changed];
      changed = new Set();
      while (chatIds.length > 0) yield* await read(chatIds.splice(0, READ_AT_ONCE));
    },
    listParked: (): ChatChange[] =>
      [...parked].map(([chatId, current]) => ({
        chatId,
        current,
        isNew: false,
        hasNewVersion: false,
        hasNewAction: true,
      })),
  };
};

type ViewerFeedDeps = {
  db: Database;
  readChanges: ChangeReads;
  viewer: Viewer;
  notifications: Notifications;
  checkMs?: number | undefined;
};

type ViewerFeed = ReturnType<typeof createViewerFeed>;

/**
 * Follows the chats of a viewer for all streams of the process that watch them, so that each change is read
 * once. It never reads all chats: notifications announce the changes, and a check compares the newest chats and
 * the next ones in turn, which finds what was not announced.
 */
const createViewerFeed = ({ notifications, checkMs = CHECK_MS, ...deps }: ViewerFeedDeps) => {
  const { viewer } = deps;
  const reader = createChangeReader(deps);
  const subscribers = new Set<ViewerFeedSubscriber>();
  const waker = createWaker();
  const schedule = createReadSchedule(waker.wake);
  let isCheckDue = false;
  let isClosed = false;

  const close = (error?: unknown): void => {
    if (isClosed) return;
    isClosed = true;
    unsubscribe();
    clearInterval(timer);
    schedule.close();
    waker.wake();
    for (const { onEnd } of subscribers) onEnd(error);
  };
  const unsubscribe = notifications.subscribeViewer(viewer, (notice) => {
    // After a gap, a deleted chat leaves no row to find, so clients list their chats again.
    if (!notice) close();
    else if (reader.handleNotice(notice)) schedule.handleNotice(notice);
  });
  const timer = setInterval(() => {
    isCheckDue = true;
    schedule.handleNotice(undefined);
  }, checkMs).unref();

  const started = notifications.ready().then(reader.start);
  const ready = started.then(reader.readParked);
  const run = async (): Promise<void> => {
    await ready;
    while (!isClosed) {
      if (!schedule.isDue(0)) {
        await waker.sleep();
        continue;
      }
      schedule.beginRead();
      if (isCheckDue) await reader.check();
      isCheckDue = false;
      for await (const change of reader.readChanges())
        for (const { onChange } of subscribers) onChange(change);
    }
  };
  run().catch(close);

  return {
    isClosed: (): boolean => isClosed,
    /** The last subscriber that unsubscribes ends the feed. */
    subscribe: (subscriber: ViewerFeedSubscriber): ViewerFeedSubscription => {
      subscribers.add(subscriber);
      ready.then(
        () => reader.listParked().forEach(subscriber.onChange),
        // `run` reports why the feed could not start.
        () => undefined,
      );
      const unsubscribe = (): void => {
        subscribers.delete(subscriber);
        if (subscribers.size === 0) close();
      };
      return { started, unsubscribe };
    },
  };
};

type ViewerFeedsDeps = Omit<ViewerFeedDeps, "viewer">;

export type ViewerFeeds = ReturnType<typeof createViewerFeeds>;

/** The feeds of a process: one for each viewer who watches. */
export const createViewerFeeds = (deps: ViewerFeedsDeps) => {
  const feeds = new Map<string, ViewerFeed>();
  return {
    /** Subscribes to all changes of the viewer's chats, after those that are parked already. */
    subscribe: (viewer: Viewer, subscriber: ViewerFeedSubscriber): ViewerFeedSubscription => {
      const key = toViewerKey(viewer);
      let feed = feeds.get(key);
      if (!feed || feed.isClosed()) {
        feed = createViewerFeed({ ...deps, viewer });
        feeds.set(key, feed);
      }
      const { subscribe, isClosed } = feed;
      const { started, unsubscribe } = subscribe(subscriber);
      return {
        started,
        unsubscribe: () => {
          unsubscribe();
          if (isClosed() && feeds.get(key) === feed) feeds.delete(key);
        },
      };
    },
  };
};
