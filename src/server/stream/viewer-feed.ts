import type { Database } from "@/server/db/connection/database";
import type { ListPosition } from "@/server/db/chats/list-cursor";
import { type ChatWithCalls, readChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import {
  listChatVersions,
  type ListedVersion,
  listParkedChats,
} from "@/server/db/sql/reads/version-reads";
import { type Attention, findAttention } from "@/server/db/sql/reads/attention-reads";
import { seesAll, toViewerKey, type Viewer } from "@/server/db/chats/viewer";
import type { ChatNotice, Notifications } from "./notifications";
import { createReadSchedule } from "./read-schedule";
import { createWaker } from "./waker";

/** Interval between comparisons of a part of the viewer's chats with what the feed knows of them. */
const CHECK_MS = 30_000;
/** Each comparison reads the newest chats and the next ones in turn, together 30 KB. */
const NEWEST_CHATS = 100;
const NEXT_CHATS = 200;

/** A chat, and what of it the viewer should look at. */
export type WatchedChat = ChatWithCalls & { attention: Attention };

/** What has changed of a chat since the subscriber took its last change. */
export type ChatChange = {
  chatId: string;
  /** Undefined when the chat is deleted. */
  current: WatchedChat | undefined;
  isNew: boolean;
  /** Also when the viewer has read the chat. */
  hasNewVersion: boolean;
  /** The open calls of the parked chat have changed. */
  hasNewAction: boolean;
};

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

type KnownChat = {
  version: number;
  updatedAt: Date;
  /** The open calls of a parked chat; "" when it is not parked. */
  action: string;
  /** Undefined until the chat is read. */
  isUnread?: boolean;
};

/** What is known of a viewer's chats, and which of them have changed. */
const createKnownChats = (viewer: Viewer) => {
  const known = new Map<string, KnownChat>();
  const deletedIds = new Set<string>();
  /** When the last change before the feed was made. */
  let startedAt = new Date(0);

  const learn = (chats: readonly ListedVersion[]): void => {
    for (const { id, version, updatedAt } of chats)
      if (!known.has(id)) known.set(id, { version, updatedAt, action: "" });
  };
  return {
    /** @param newest the newest chats as the feed begins. */
    start: (newest: readonly ListedVersion[]): void => {
      startedAt = newest[0]?.updatedAt ?? startedAt;
      learn(newest);
    },
    isCurrent: ({ chatId, version, status }: ChatNotice): boolean =>
      status !== "deleted" && status !== "read" && (known.get(chatId)?.version ?? 0) >= version,
    /** @returns the ids of chats that have changed, or are missing between two places of the list. */
    compare: (
      listed: readonly ListedVersion[],
      { after, last }: { after: ListPosition | undefined; last: ListPosition | undefined },
    ): string[] => {
      const ids = new Set(listed.map(({ id }) => id));
      const missing = [...known].flatMap(([id, { updatedAt }]) => {
        const chat = { id, updatedAt };
        const isBetween = (!after || isOlder(chat, after)) && (!last || isOlder(last, chat));
        return isBetween && !ids.has(id) ? [id] : [];
      });
      const isChanged = ({ id, version, updatedAt }: ListedVersion): boolean => {
        const before = known.get(id);
        return before ? before.version < version : updatedAt > startedAt;
      };
      const changed = listed.filter(isChanged);
      learn(listed.filter((chat) => !isChanged(chat)));
      return [...missing, ...changed.map(({ id }) => id)];
    },
    /** Takes what was read of a chat. @returns undefined when its deletion is known. */
    update: (chatId: string, current: WatchedChat | undefined): ChatChange | undefined => {
      const before = known.get(chatId);
      if (!current) {
        known.delete(chatId);
        // It may be a chat of the owner that the viewer could never read.
        if (!before && !seesAll(viewer)) return undefined;
        if (deletedIds.has(chatId)) return undefined;
        deletedIds.add(chatId);
        return { chatId, current, isNew: false, hasNewVersion: true, hasNewAction: false };
      }
      const { version, updatedAt, createdAt } = current.chat;
      const action = toActionKey(current);
      const { isUnread } = current.attention;
      known.set(chatId, { version, updatedAt, action, isUnread });
      return {
        chatId,
        current,
        isNew: !before && createdAt > startedAt,
        hasNewVersion: (before?.version ?? 0) < version || before?.isUnread !== isUnread,
        hasNewAction: action !== "" && action !== before?.action,
      };
    },
  };
};

/** Reads what has changed of a viewer's chats. */
const createChangeReader = (db: Database, viewer: Viewer) => {
  const known = createKnownChats(viewer);
  const parked = new Map<string, WatchedChat>();
  let changed = new Set<string>();
  /** Where the next check continues; undefined for the newest chat. */
  let checked: ListPosition | undefined;

  const read = async (chatId: string): Promise<ChatChange | undefined> => {
    const found = await readChatWithCalls(db, { chatId, viewer });
    const current = found && {
      ...found,
      attention: (await findAttention(db, viewer, [chatId]))(chatId),
    };
    if (current?.chat.status === "requires_action") parked.set(chatId, current);
    else parked.delete(chatId);
    return known.update(chatId, current);
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
      for (const chatId of await listParkedChats(db, viewer)) await read(chatId);
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
      const chatIds = changed;
      changed = new Set();
      for (const chatId of chatIds) {
        const change = await read(chatId);
        if (change) yield change;
      }
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
const createViewerFeed = ({ db, viewer, notifications, checkMs = CHECK_MS }: ViewerFeedDeps) => {
  const reader = createChangeReader(db, viewer);
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

/** Whether a chat comes after the other one in the list. */
const isOlder = (chat: ListPosition, other: ListPosition): boolean => {
  const difference = chat.updatedAt.getTime() - other.updatedAt.getTime();
  return difference === 0 ? chat.id < other.id : difference < 0;
};

const toActionKey = ({ chat, openCalls }: ChatWithCalls): string =>
  chat.status === "requires_action"
    ? openCalls
        .map(({ messageId, toolCallId, state }) => `${state} ${messageId} ${toolCallId}`)
        .join("\n")
    : "";

type ViewerFeedsDeps = { db: Database; notifications: Notifications; checkMs?: number };

export type ViewerFeeds = ReturnType<typeof createViewerFeeds>;

/** The feeds of a process: one for each viewer who watches. */
export const createViewerFeeds = ({ db, notifications, checkMs }: ViewerFeedsDeps) => {
  const feeds = new Map<string, ViewerFeed>();
  return {
    /** Subscribes to all changes of the viewer's chats, after those that are parked already. */
    subscribe: (viewer: Viewer, subscriber: ViewerFeedSubscriber): ViewerFeedSubscription => {
      const key = toViewerKey(viewer);
      let feed = feeds.get(key);
      if (!feed || feed.isClosed()) {
        feed = createViewerFeed({ db, viewer, notifications, checkMs });
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
