import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import pLimit from "p-limit";
import { type ChatChanges, readChangesPage } from "@/server/db/sql/reads/chat-reads";
import type { Database } from "@/server/db/connection/database";
import type { RecentChanges } from "@/server/db/chats/recent-changes";
import type { MessageRow } from "@/server/db/chats/rows";
import type { Viewer } from "@/server/db/chats/viewer";
import type { ChangeReads } from "./change-reads";
import { WORKER_STATUSES } from "./notifications";
import type { PreviewWatch } from "./preview-relay";
import { createPreviewView } from "./preview-view";
import type { ReadSchedule } from "./read-schedule";
import type { ChatStreamEvent } from "./stream-event";

type ChatFeedDeps = {
  db: Database;
  readChanges: ChangeReads;
  chatId: string;
  viewer: Viewer;
  after: number;
  schedule: ReadSchedule;
  watch: PreviewWatch;
  recent: RecentChanges;
  /** Whether the subscription is older than the chat, so that no change can have been missed. */
  isNew: boolean;
};

/** Tracks what one client knows of a chat. @returns a function that computes the events that it is missing. */
export const createChatFeed = ({
  db,
  readChanges,
  chatId,
  viewer,
  after,
  schedule,
  watch,
  recent,
  isNew,
}: ChatFeedDeps) => {
  const view = createPreviewView(watch);
  let version = after;
  let historyVersion = -1;
  const readFirst = createFirstChanges({ db, chatId, viewer, after });
  /** Until the client has caught up. */
  let isFirst = true;

  /** The changes that this process has committed itself, if they are all that is missing. */
  const findRecent = (atLeast: number): ChatChanges | undefined => {
    const changes = recent.since(chatId, { viewer, after: version, atLeast });
    const isBehind = (watch.channel.log?.historyVersion ?? 0) > (changes?.chat.historyVersion ?? 0);
    return isBehind ? undefined : changes;
  };

  /** Reads the changes in the database, the first ones page by page; undefined when the chat is gone. */
  const read = async (): Promise<ChatStreamEvent[] | undefined> => {
    // A transition of this process is announced before its statement has returned.
    if (!isFirst) await yieldToEventLoop();
    const atLeast = schedule.beginRead();
    const completeRead = view.beginRead();
    const isKnown = isFirst ? isNew : atLeast > version;
    const known = isKnown ? findRecent(atLeast) : undefined;
    const changes =
      known ?? (await (isFirst ? readFirst() : readChanges({ chatId, viewer, after: version })));
    if (!changes) return undefined;
    if (Array.isArray(changes)) return changes.map(toEvent);
    const { messages, tasks, ...current } = changes;
    const { chat } = current;
    const isBusy = WORKER_STATUSES.has(chat.status);
    const previews = completeRead({ ...chat, isBusy, isFirst });
    watch.setBusy(isBusy);

    const events: ChatStreamEvent[] = messages.map(toEvent);
    for (const task of tasks) events.push({ type: "task", task });
    if (isFirst || chat.version > version) events.push({ type: "chat", ...current });
    events.push(...previews);
    version = chat.version;
    historyVersion = chat.historyVersion;
    if (isFirst) events.push({ type: "caught-up", version });
    isFirst = false;
    return events;
  };

  /**
   * Takes the events that the client is missing: the changes, where the database has or may have some that the client does
   * not know, else those of the preview. Undefined when the chat is gone.
   */
  return async (): Promise<ChatStreamEvent[] | undefined> => {
    const isReadDue = isFirst || schedule.isDue(version) || view.needsRead(historyVersion);
    return isReadDue ? read() : view.take(historyVersion);
  };
};

const toEvent = (message: MessageRow): ChatStreamEvent =>
  message.deleted ? { type: "message-deleted", id: message.id } : { type: "message", message };

/** Most pages after the first that are read at the same time, so that many long chats do not hold up other reads. */
const pageLimit = pLimit(2);

type FirstChangesDeps = { db: Database; chatId: string; viewer: Viewer; after: number };

/**
 * Creates a function that reads what a new client is missing page by page, because a long chat is too much for one
 * read.
 *
 * @returns a function that returns messages alone while more follow, then the changes, and undefined when the chat is
 *   gone.
 */
const createFirstChanges = ({ db, chatId, viewer, after }: FirstChangesDeps) => {
  /** Where the next page begins. */
  let afterSeq = 0;
  let knownVersion = after;
  /** The version of the first page. If that of the last page differs, the chat has changed in between. */
  let firstVersion: number | undefined;

  return async (): Promise<ChatChanges | MessageRow[] | undefined> => {
    for (;;) {
      const range = { chatId, viewer, after: knownVersion, afterSeq, tasksAfter: after };
      const page = await (afterSeq === 0
        ? readChangesPage(db, range)
        : pageLimit(readChangesPage, db, range));
      if (!page) return undefined;
      const { chat, messages, hasMore } = page;
      firstVersion ??= chat.version;
      if (hasMore) afterSeq = messages.at(-1)?.seq ?? afterSeq;
      else {
        if (firstVersion === chat.version) return page;
        // What has changed while the pages were read comes after them.
        [knownVersion, afterSeq, firstVersion] = [firstVersion, 0, undefined];
      }
      if (messages.length > 0) return messages;
    }
  };
};
