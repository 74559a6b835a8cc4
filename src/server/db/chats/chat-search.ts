import type { Database } from "@/server/db/connection/database";
import type { MessagePosition, SearchPosition } from "./list-cursor";
import {
  type ChatSearch,
  findRepeatedChats,
  type MessageMatch,
  type PartRef,
  readSnippets,
  searchMessages,
  searchTitles,
} from "@/server/db/sql/reads/search-reads";

/** A page ends after this time, even with few chats or none. The next page continues. */
const PAGE_MS = 80;
/** Chats that are loaded at once; most searches find fewer. */
const LOAD_SIZE = 100;

type SearchPage<Row> = {
  limit: number;
  /** Where the page begins; undefined at the start of the search. */
  after: SearchPosition | undefined;
  /** Loads the chats that also meet the other conditions of the list. */
  load: (chatIds: string[]) => Promise<Row[]>;
};

/** @param part where a message matches; undefined for a title. */
type Hit = { chatId: string; position: SearchPosition; part?: PartRef };
type Slice = { hits: Hit[]; next: SearchPosition | null };

/**
 * Finds chats by their titles, the last changed first, then by their messages, the newest message first.
 *
 * @returns the chats with the places of their matches, and `next`, where the search continues; null when it has read
 *   everything.
 */
export const searchChats = async <Row extends { id: string }>(
  db: Database,
  search: ChatSearch,
  { limit, after, load }: SearchPage<Row>,
): Promise<{ chats: Row[]; matches: MessageMatch[]; next: SearchPosition | null }> => {
  const endsAt = performance.now() + PAGE_MS;
  const chats = new Map<string, Row>();
  const parts: PartRef[] = [];
  const toPage = async (next: SearchPosition | null) => ({
    chats: [...chats.values()],
    matches: await readSnippets(db, search, parts),
    next,
  });
  /** @returns the last one that was added. */
  const addHits = async (hits: Hit[]): Promise<Hit | undefined> => {
    const unseen = hits.filter(({ chatId }) => !chats.has(chatId));
    const chatIds = await withoutRepeated(db, search, { hits: unseen, after });
    const rows = new Map((await load(chatIds)).map((row) => [row.id, row]));
    let last: Hit | undefined;
    for (const hit of unseen) {
      const row = rows.get(hit.chatId);
      // A chat may match in several slices. The first match is the newest.
      if (!row || chats.has(hit.chatId) || chats.size === limit) continue;
      chats.set(hit.chatId, row);
      if (hit.part) parts.push(hit.part);
      last = hit;
    }
    return last;
  };
  let next: SearchPosition | null | undefined = after;
  do {
    const slice: Slice = await readSlice(db, search, next);
    for (let first = 0; first < slice.hits.length; first += LOAD_SIZE) {
      const last = await addHits(slice.hits.slice(first, first + LOAD_SIZE));
      if (last && chats.size === limit) return toPage(last.position);
    }
    next = slice.next;
  } while (next !== null && performance.now() < endsAt);
  return toPage(next);
};

const readSlice = async (
  db: Database,
  search: ChatSearch,
  position: SearchPosition | undefined,
): Promise<Slice> => {
  if (position && "below" in position) {
    const { hits, next } = await searchMessages(db, search, position.below);
    return {
      hits: hits.map((hit) => ({
        chatId: hit.chatId,
        position: { below: hit.position },
        part: hit,
      })),
      next: next === null ? null : { below: next },
    };
  }
  const { hits, next } = await searchTitles(db, search, position);
  return {
    hits: hits.map((hit) => ({ chatId: hit.id, position: hit })),
    next: next ?? ({ below: null } satisfies MessagePosition),
  };
};

/** @returns the ids of the chats that no earlier page has shown. */
const withoutRepeated = async (
  db: Database,
  search: ChatSearch,
  { hits, after }: { hits: Hit[]; after: SearchPosition | undefined },
): Promise<string[]> => {
  const chatIds = hits.map(({ chatId }) => chatId);
  const position = after && "below" in after ? after.below : null;
  if (position === null || chatIds.length === 0) return chatIds;
  const repeated = await findRepeatedChats(db, search, { chatIds, position });
  return chatIds.filter((chatId) => !repeated.has(chatId));
};
