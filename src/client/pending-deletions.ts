import { localStore } from "./local-store";

/** How long an action can be undone: enough to read the notice and to reach its button. */
export const UNDO_MS = 10_000;

export const DELETIONS_KEY = "parley.deletions";

/** When the deletion of each chat is to be sent, in milliseconds since 1970, by chat id. */
type PendingDeletions = { [chatId: string]: number };

const isPendingDeletions = (value: unknown): value is PendingDeletions =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((at) => typeof at === "number");

/** @param stored null if there are none; unreadable values count as none. */
export const parseDeletions = (stored: string | null): PendingDeletions => {
  if (stored === null) return {};
  try {
    const value: unknown = JSON.parse(stored);
    return isPendingDeletions(value) ? value : {};
  } catch {
    return {};
  }
};

const readDeletions = (): PendingDeletions => parseDeletions(localStore.get(DELETIONS_KEY));

const writeDeletions = (pending: PendingDeletions): void =>
  localStore.set(DELETIONS_KEY, Object.keys(pending).length > 0 ? JSON.stringify(pending) : null);

/** Removes a deletion: it was undone, carried out or refused. */
export const removeDeletion = (chatId: string): void => {
  const others = Object.entries(readDeletions()).filter(([id]) => id !== chatId);
  writeDeletions(Object.fromEntries(others));
};

export type DeletionQueue = ReturnType<typeof createDeletionQueue>;

/**
 * Holds deletions back while they can be undone. They are stored in the browser, so that a page that is closed or
 * crashes cannot keep a chat that the person has deleted: the next page sends what is left.
 *
 * @param send deletes the chat and then calls `removeDeletion`; it does not throw.
 */
export const createDeletionQueue = (send: (chatId: string) => void) => {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const schedule = (chatId: string, at: number): void => {
    clearTimeout(timers.get(chatId));
    const sendIfPending = (): void => {
      timers.delete(chatId);
      if (chatId in readDeletions()) send(chatId);
    };
    timers.set(chatId, setTimeout(sendIfPending, Math.max(0, at - Date.now())));
  };
  return {
    /** Schedules what other pages have left behind, or are about to send themselves. */
    start: (): void => {
      for (const [chatId, at] of Object.entries(readDeletions())) schedule(chatId, at);
    },
    add: (chatId: string): void => {
      const at = Date.now() + UNDO_MS;
      writeDeletions({ ...readDeletions(), [chatId]: at });
      schedule(chatId, at);
    },
    /** @returns the ids of the chats whose deletions this page would have sent later. */
    takeAll: (): string[] => {
      const chatIds = [...timers.keys()].filter((chatId) => chatId in readDeletions());
      timers.forEach((timer) => clearTimeout(timer));
      timers.clear();
      return chatIds;
    },
  };
};
