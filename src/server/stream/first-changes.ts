import pLimit from "p-limit";
import { type ChatChanges, readChangesPage } from "@/server/db/sql/reads/chat-reads";
import type { Database } from "@/server/db/connection/database";
import type { MessageRow } from "@/server/db/chats/rows";
import type { Viewer } from "@/server/db/chats/viewer";

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
export const createFirstChanges = ({ db, chatId, viewer, after }: FirstChangesDeps) => {
  /** Where the next page begins. */
  let afterSeq = 0;
  let knownVersion = after;
  /** The version of the first page. If that of the last page differs, the chat has changed in between. */
  let firstVersion: number | undefined;

  return async (): Promise<ChatChanges | MessageRow[] | undefined> => {
    for (;;) {
      const range = { after: knownVersion, afterSeq, tasksAfter: after };
      const read = () => readChangesPage(db, { chatId, viewer, ...range });
      const page = await (afterSeq === 0 ? read() : pageLimit(read));
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
