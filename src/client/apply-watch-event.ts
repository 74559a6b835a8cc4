import type { ChatSummary } from "@/contract/chat";
import type { ChatPage } from "@/contract/chat-outputs";
import type { WatchChange } from "@/contract/stream-event";

export type ChatListFilter = { archived: boolean; q: string; needsYou?: true };

/** Returns the loaded pages of a chat list after one more event; the last changed chat first. */
export const applyWatchEvent = (
  pages: readonly ChatPage[],
  event: WatchChange,
  filter: ChatListFilter,
): ChatPage[] => {
  const id = event.type === "chat.deleted" ? event.id : event.chat.id;
  const current = pages.flatMap(({ data }) => data).find((chat) => chat.id === id);
  if (event.type !== "chat.deleted" && current && current.version > event.chat.version) {
    return [...pages];
  }
  const others = pages.map((page) => ({
    ...page,
    data: page.data.filter((chat) => chat.id !== id),
  }));
  if (event.type === "chat.deleted") return others;
  // Temporary chats are only listed while they wait for the person.
  if (filter.needsYou ? !event.chat.needs_you : event.chat.expires_at) return others;
  if (filter.q === "") {
    return event.chat.archived === filter.archived ? insertChat(others, event.chat) : others;
  }
  // Only the server knows whether another chat matches the search, whose results keep their order.
  const match = current?.match && { match: current.match };
  return pages.map((page) => ({
    ...page,
    data: page.data.map((chat) => (chat.id === id ? { ...event.chat, ...match } : chat)),
  }));
};

const insertChat = (pages: readonly ChatPage[], chat: ChatSummary): ChatPage[] => {
  const pageIndex = pages.findIndex(
    ({ data, next_cursor: next }) =>
      next === undefined || data.some((other) => isNewer(chat, other)),
  );
  return pages.map((page, index) => {
    if (index !== pageIndex) return page;
    const position = page.data.findIndex((other) => isNewer(chat, other));
    return {
      ...page,
      data: page.data.toSpliced(position < 0 ? page.data.length : position, 0, chat),
    };
  });
};

const isNewer = (chat: ChatSummary, other: ChatSummary): boolean =>
  chat.updated_at === other.updated_at ? chat.id > other.id : chat.updated_at > other.updated_at;
