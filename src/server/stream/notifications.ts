import { ChatStatus } from "@/contract/chat";
import { createPoller, type Poller } from "@/lib/poller";
import type { Database } from "@/server/db/connection/database";
import { type ChatVersion, readChatVersions } from "@/server/db/sql/reads/version-reads";
import { isInAudience, type Viewer } from "@/server/db/chats/viewer";

/** The notice of a transition, which is published when it is committed. */
export type ChatNotice = {
  chatId: string;
  /** Undefined for a root chat. */
  parentChatId?: string | undefined;
  version: number;
  /** `read` after a user has marked the chat as read; the chat itself has not changed. */
  status: ChatStatus | "deleted" | "read";
  /** Who may read the chat: see `isInAudience`. */
  audience: string;
};

/**
 * Called at least once for each change, in any order; with undefined when changes may have been
 * missed. A notice is only a hint: read the database before you act on it.
 */
export type NoticeListener = (notice: ChatNotice | undefined) => void;

export type Notifications = {
  /** Resolves once no later commit can be missed. */
  ready: () => Promise<void>;
  /** @returns a function that unsubscribes, as those below do. */
  subscribe: (chatId: string, listener: NoticeListener) => () => void;
  /** Subscribes to the children of a chat. */
  subscribeChildren: (parentChatId: string, listener: NoticeListener) => () => void;
  /** Subscribes to the children of all chats. */
  subscribeAllChildren: (listener: NoticeListener) => () => void;
  /** Subscribes to the chats that the viewer may read. */
  subscribeViewer: (viewer: Viewer, listener: NoticeListener) => () => void;
  /** Subscribes to the chats that need a worker. */
  subscribeWork: (listener: NoticeListener) => () => void;
  /** Subscribes to the chats that are deleted. */
  subscribeDeleted: (listener: NoticeListener) => () => void;
  close: () => Promise<void>;
};

/** Streams are at most this late, even when every notification is lost. */
const POLL_MS = 2_000;
/** How long emitted versions are known: longer than a poll finds a change. */
const EMITTED_MS = 20_000;

/** Statuses of chats that a worker has, or should have. */
export const WORKER_STATUSES: ReadonlySet<ChatNotice["status"]> = new Set([
  "pending",
  "running",
  "interrupting",
]);

/** The listeners of a process by what they subscribe to. */
const createAllListeners = () => {
  const chats = createListeners();
  const children = createListeners();
  const viewers = createViewerListeners();
  const work = createListeners();
  const deleted = createListeners();
  return {
    chats,
    children,
    viewers,
    work,
    deleted,
    emit: (notice: ChatNotice): void => {
      viewers.emit(notice);
      if (notice.status === "read") return;
      chats.emit(notice.chatId, notice);
      if (notice.parentChatId !== undefined) {
        children.emit(notice.parentChatId, notice);
        children.emit("", notice);
      }
      if (WORKER_STATUSES.has(notice.status)) work.emit("", notice);
      if (notice.status === "deleted") deleted.emit("", notice);
    },
    emitGap: (): void =>
      [chats, children, viewers, work, deleted].forEach((each) => each.emitGap()),
  };
};

/** Creates the notifications of a process, which subscribe to its database once. */
export const createNotifications = (db: Database, { pollMs = POLL_MS } = {}): Notifications => {
  const { chats, children, viewers, work, deleted, ...all } = createAllListeners();
  const emitted = createEmittedVersions();
  let listening: Promise<() => Promise<void>> | undefined;
  let poll: Poller | undefined;

  const isPolled = (): boolean => chats.isUsed() || children.isUsed() || viewers.isUsed();
  const emit = (notice: ChatNotice): void => {
    // A mark of what was read says nothing of the chat.
    if (notice.status !== "read" && isPolled()) emitted.add(notice);
    all.emit(notice);
  };
  const handlePayload = (payload: string): void => {
    const notice = parseNotice(payload);
    if (notice) emit(notice);
    else all.emitGap();
  };
  const pollChats = async (): Promise<void> => {
    emitted.prune();
    if (!isPolled()) return;
    const chatIds = chats.keys();
    const parentIds = children.keys().filter(Boolean);
    const found = await readChatVersions(db, { chatIds, parentIds, audiences: viewers.users() });
    const notices = new Map(found.map((chat) => [chat.chatId, toNotice(chat)]));
    for (const chatId of chatIds) chats.emit(chatId, notices.get(chatId));
    for (const notice of notices.values()) if (!emitted.has(notice)) emit(notice);
  };

  const start = async (): Promise<void> => {
    // The next poll or notification makes up for a failed one.
    const onError = (): void => undefined;
    poll ??= createPoller({ intervalMs: pollMs, run: pollChats, onError, isBackground: true });
    listening ??= db.changes.subscribe(handlePayload).catch((error: unknown) => {
      listening = undefined;
      throw error;
    });
    await listening;
  };
  const subscribeTo =
    <Key>(listeners: { add: (key: Key, listener: NoticeListener) => () => void }) =>
    (key: Key, listener: NoticeListener): (() => void) => {
      // `ready` reports why listening failed, to those who await it.
      start().catch(() => undefined);
      return listeners.add(key, listener);
    };

  return {
    ready: start,
    subscribe: subscribeTo(chats),
    subscribeChildren: subscribeTo(children),
    subscribeAllChildren: (listener) => subscribeTo(children)("", listener),
    subscribeViewer: subscribeTo(viewers),
    subscribeWork: (listener) => subscribeTo(work)("", listener),
    subscribeDeleted: (listener) => subscribeTo(deleted)("", listener),
    close: async () => {
      await poll?.stop();
      await (
        await listening
      )?.();
    },
  };
};

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
    /** Whether anything but all of them is listened to. */
    isUsed: (): boolean => byKey.size > (byKey.has("") ? 1 : 0),
    emit: (key: string, notice: ChatNotice | undefined): void =>
      byKey.get(key)?.forEach((listener) => listener(notice)),
    emitGap: (): void =>
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
    isUsed: (): boolean => entries.size > 0,
    users: (): string[] => [...new Set([...entries].map(({ viewer }) => viewer.userId))],
    emit: (notice: ChatNotice): void =>
      entries.forEach(({ viewer, listener }) => {
        if (isInAudience(viewer, notice.audience)) listener(notice);
      }),
    emitGap: (): void => entries.forEach(({ listener }) => listener(undefined)),
  };
};

const toNotice = ({ parentChatId, ...chat }: ChatVersion): ChatNotice => ({
  ...chat,
  ...(parentChatId !== null && { parentChatId }),
});

/** The versions of chats whose notices were emitted a short time ago. */
const createEmittedVersions = () => {
  const versions = new Map<string, { version: number; at: number }>();
  return {
    add: ({ chatId, version }: ChatNotice): void => {
      const known = versions.get(chatId)?.version ?? 0;
      versions.delete(chatId);
      versions.set(chatId, { version: Math.max(version, known), at: performance.now() });
    },
    has: ({ chatId, version }: ChatNotice): boolean =>
      (versions.get(chatId)?.version ?? 0) >= version,
    /** Forgets the oldest ones, which come first. */
    prune: (): void => {
      for (const [chatId, { at }] of versions) {
        if (at > performance.now() - EMITTED_MS) return;
        versions.delete(chatId);
      }
    },
  };
};

/** @returns undefined for a gap, and for anything else that is no notice of a chat. */
const parseNotice = (payload: string): ChatNotice | undefined => {
  const [ids = "", version, word, ...audience] = payload.split(" ");
  const [chatId, parentChatId] = ids.split("/");
  const status = word === "deleted" || word === "read" ? word : ChatStatus.safeParse(word).data;
  if (!chatId || !status || audience.length === 0) return undefined;
  return { chatId, parentChatId, version: Number(version), status, audience: audience.join(" ") };
};
