import { ChatStatus } from "@/contract/chat";
import { CHAT_CHANNEL } from "@/server/db/sql/chat-row";
import type { Database } from "@/server/db/database";
import { readChatVersions } from "@/server/db/version-reads";
import { perDatabase } from "@/server/db/per-database";
import { isInAudience, type Viewer } from "@/server/db/viewer";

/** What every transition announces when it is committed. */
export type ChatNotice = {
  chatId: string;
  version: number;
  status: ChatStatus | "deleted";
  /** Who may read the chat: see `isInAudience`. */
  audience: string;
};

/**
 * Hears of changes, at least once and in any order, and with undefined that something may have
 * changed unheard. A notice is a hint: what it says is in the database.
 */
export type NoticeListener = (notice: ChatNotice | undefined) => void;

export type Notifications = {
  /** Resolves when nothing that is committed from now on is missed. */
  ready: () => Promise<void>;
  /** @returns ends the subscription, as with the two below. */
  subscribe: (chatId: string, listener: NoticeListener) => () => void;
  /** Hears of the chats that the viewer may read. */
  subscribeViewer: (viewer: Viewer, listener: NoticeListener) => () => void;
  /** Hears of chats that need a worker. */
  subscribeWork: (listener: NoticeListener) => () => void;
  close: () => Promise<void>;
};

/** Streams are right within this time even when every notification is lost. */
const POLL_MS = 10_000;

const WITH_WORKER: ReadonlySet<ChatNotice["status"]> = new Set([
  "pending",
  "running",
  "interrupting",
]);

/** True while a worker has the chat, or should have it. */
export const needsWorker = (status: ChatNotice["status"]): boolean => WITH_WORKER.has(status);

export const createNotifications = (db: Database, { pollMs = POLL_MS } = {}): Notifications => {
  const chats = createListeners();
  const viewers = createViewerListeners();
  const work = createListeners();
  let listening: Promise<() => Promise<void>> | undefined;
  let poll: NodeJS.Timeout | undefined;

  const hear = (payload: string): void => {
    const notice = parseNotice(payload);
    if (!notice) return [chats, viewers, work].forEach((listeners) => listeners.tellAll());
    chats.tell(notice.chatId, notice);
    viewers.tell(notice);
    if (needsWorker(notice.status)) work.tell("", notice);
  };
  const listen = (): Promise<unknown> =>
    (listening ??= db.listen(CHAT_CHANNEL, hear).catch((error: unknown) => {
      listening = undefined;
      throw error;
    }));
  const pollChats = async (): Promise<void> => {
    const versions = await readChatVersions(db, chats.keys());
    for (const chatId of chats.keys()) chats.tell(chatId, versions.get(chatId));
  };

  const start = (): Promise<unknown> => {
    poll ??= setInterval(() => {
      // The next poll or notification makes up for one that failed.
      pollChats().catch(() => undefined);
    }, pollMs).unref();
    return listen();
  };
  const starting =
    <Key>(listeners: { add: (key: Key, listener: NoticeListener) => () => void }) =>
    (key: Key, listener: NoticeListener): (() => void) => {
      // Whoever must know that it listens waits for `ready`, which says why it does not.
      start().catch(() => undefined);
      return listeners.add(key, listener);
    };

  return {
    ready: async () => void (await start()),
    subscribe: starting(chats),
    subscribeViewer: starting(viewers),
    subscribeWork: (listener) => starting(work)("", listener),
    close: async () => {
      clearInterval(poll);
      await (
        await listening
      )?.();
    },
  };
};

/** The process's one ear for the database's announcements. */
export const notifications = perDatabase("notifications", (db) => createNotifications(db));

const createListeners = () => {
  const byKey = new Map<string, Set<NoticeListener>>();
  return {
    add: (key: string, listener: NoticeListener): (() => void) => {
      const listeners = byKey.get(key) ?? new Set();
      byKey.set(key, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && byKey.get(key) === listeners) byKey.delete(key);
      };
    },
    keys: (): string[] => [...byKey.keys()],
    tell: (key: string, notice: ChatNotice | undefined): void =>
      byKey.get(key)?.forEach((listener) => listener(notice)),
    tellAll: (): void =>
      byKey.forEach((listeners) => listeners.forEach((listener) => listener(undefined))),
  };
};

const createViewerListeners = () => {
  const entries = new Set<{ viewer: Viewer; listener: NoticeListener }>();
  return {
    add: (viewer: Viewer, listener: NoticeListener): (() => void) => {
      const entry = { viewer, listener };
      entries.add(entry);
      return () => void entries.delete(entry);
    },
    tell: (notice: ChatNotice): void =>
      entries.forEach(({ viewer, listener }) => {
        if (isInAudience(viewer, notice.audience)) listener(notice);
      }),
    tellAll: (): void => entries.forEach(({ listener }) => listener(undefined)),
  };
};

/** @returns undefined for a gap, and for anything else that is not "<chat id> <version> <status> <audience>". */
const parseNotice = (payload: string): ChatNotice | undefined => {
  const [chatId, version, word, ...audience] = payload.split(" ");
  const status = word === "deleted" ? word : ChatStatus.safeParse(word).data;
  if (!chatId || !status || audience.length === 0) return undefined;
  return { chatId, version: Number(version), status, audience: audience.join(" ") };
};
