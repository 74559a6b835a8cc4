import type { ChatSummary } from "@/contract/chat";
import type { ChatPage } from "@/contract/chat-outputs";
import type { WatchEvent } from "@/contract/stream-event";

export type ChatListFilter = { archived: boolean; q: string };

/** The loaded pages of a list after one more event; the last changed chat comes first. */
export const applyWatchEvent = (
  pages: readonly ChatPage[],
  event: WatchEvent,
  filter: ChatListFilter,
): ChatPage[] => {
  const id = event.type === "chat.deleted" ? event.id : event.chat.id;
  const known = pages.flatMap(({ data }) => data).find((chat) => chat.id === id);
  if (event.type !== "chat.deleted" && known && known.version > event.chat.version) {
    return [...pages];
  }
  const others = pages.map((page) => ({
    ...page,
    data: page.data.filter((chat) => chat.id !== id),
  }));
  if (event.type === "chat.deleted" || event.chat.archived !== filter.archived) return others;
  // Only the server knows what a search finds.
  if (filter.q !== "" && !known) return others;
  return withChat(others, event.chat);
};

const withChat = (pages: readonly ChatPage[], chat: ChatSummary): ChatPage[] => {
  const at = pages.findIndex(
    ({ data, next_cursor: next }) =>
      next === undefined || data.some((other) => isAfter(chat, other)),
  );
  return pages.map((page, index) => {
    if (index !== at) return page;
    const place = page.data.findIndex((other) => isAfter(chat, other));
    return { ...page, data: page.data.toSpliced(place < 0 ? page.data.length : place, 0, chat) };
  });
};

const isAfter = (chat: ChatSummary, other: ChatSummary): boolean =>
  chat.updated_at === other.updated_at ? chat.id > other.id : chat.updated_at > other.updated_at;
