import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type ChatChanges, readChatChanges } from "@/server/db/chat-reads";
import type { Database } from "@/server/db/database";
import type { RecentChanges } from "@/server/db/recent-changes";
import type { MessageRow } from "@/server/db/rows";
import type { Viewer } from "@/server/db/viewer";
import type { ChatStreamEvent } from "./stream-event";
import { needsWorker } from "./notifications";
import type { PreviewWatch } from "./preview-channel";
import { createPreviewView } from "./preview-view";
import type { ReadSchedule } from "./read-schedule";

type Sources = {
  db: Database;
  chatId: string;
  viewer: Viewer;
  after: number;
  schedule: ReadSchedule;
  watch: PreviewWatch;
  recent: RecentChanges;
};

/** Knows what one client has been told of a chat, and what to tell it next. */
export const createChatFeed = ({ db, chatId, viewer, after, schedule, watch, recent }: Sources) => {
  const view = createPreviewView(watch);
  let version = after;
  let historyVersion = -1;
  let isFirst = true;

  /** What this process has committed, if that is all there is to tell. */
  const recentOf = (atLeast: number): ChatChanges | undefined => {
    const changes = recent.since(chatId, { viewer, after: version, atLeast });
    const isBehind = (watch.current()?.historyVersion ?? 0) > (changes?.chat.historyVersion ?? 0);
    return isFirst || isBehind ? undefined : changes;
  };

  return {
    /** The database knows, or may know, what the client does not. */
    isReadDue: (): boolean => schedule.isDue(version) || view.needsRead(historyVersion),

    /** What has changed in the database; undefined when the chat is gone. */
    read: async (): Promise<ChatStreamEvent[] | undefined> => {
      // A transition of this process is announced before its own statement's answer has arrived.
      if (!isFirst) await yieldToEventLoop();
      const atLeast = schedule.begin();
      const afterRead = view.beforeRead();
      const known = atLeast > version ? recentOf(atLeast) : undefined;
      const changes = known ?? (await readChatChanges(db, { chatId, viewer, after: version }));
      if (!changes) return undefined;
      const { chat, messages, queue, openCalls } = changes;
      const busy = needsWorker(chat.status);
      const previews = afterRead({ ...chat, isBusy: busy, isFirst });
      watch.expect(busy);

      const events: ChatStreamEvent[] = messages.map(toEvent);
      if (isFirst || chat.version > version) events.push({ type: "chat", chat, queue, openCalls });
      events.push(...previews);
      version = chat.version;
      historyVersion = chat.historyVersion;
      if (isFirst) events.push({ type: "caught-up", version });
      isFirst = false;
      return events;
    },

    /** What the client can be told of the preview. */
    news: (): ChatStreamEvent[] => view.news(historyVersion),
  };
};

const toEvent = (message: MessageRow): ChatStreamEvent =>
  message.deleted ? { type: "message-deleted", id: message.id } : { type: "message", message };
