import { isDeepStrictEqual } from "node:util";
import { MAX_MESSAGE_BYTES } from "@/server/mcp/server-transport";

/** A server that lists without end is given up. */
const MAX_PAGES = 200;
/** Entries of all pages, far more than are offered. */
const MAX_ENTRIES = 10_000;

type Page<Entry> = { entries: readonly Entry[]; nextCursor?: string | undefined };

/**
 * Lists what a server has of something, page by page and within limits.
 *
 * @param what the name of the entries, in the plural.
 * @throws {Error} a sentence for a list that is too long, or what reading a page rejects with.
 */
export const listAllPages = async <Entry>(
  what: string,
  readPage: (cursor: string | undefined) => Promise<Page<Entry>>,
): Promise<readonly Entry[]> => {
  const all: Entry[] = [];
  let bytes = 0;
  let previous: Page<Entry> = { entries: [] };
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { nextCursor: cursor } = previous;
    const page = await readPage(cursor);
    // Some servers do not know cursors, and send the same page for each.
    if (cursor !== undefined && isDeepStrictEqual(page, previous)) return all;
    bytes += Buffer.byteLength(JSON.stringify(page.entries));
    if (bytes > MAX_MESSAGE_BYTES || all.length + page.entries.length > MAX_ENTRIES) {
      throw new Error(
        `The server lists more than ${MAX_ENTRIES} ${what}, or more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB of them.`,
      );
    }
    for (const entry of page.entries) all.push(entry);
    if (page.nextCursor === undefined) return all;
    previous = page;
  }
  throw new Error(`The server lists its ${what} in more than ${MAX_PAGES} pages.`);
};
