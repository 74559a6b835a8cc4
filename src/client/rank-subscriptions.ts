import type { ChatSubscription } from "./stream-messages";

/** What the hub knows of a tab. */
export type TabState = {
  chat: ChatSubscription | null;
  isVisible: boolean;
  /** When the tab was last known to be visible, in milliseconds. A tab that has crashed looks hidden from then on. */
  visibleAt: number;
};

type RankInput = {
  tabs: Iterable<TabState>;
  /** When each chat was last opened or changed, as a counter. */
  usedAt: ReadonlyMap<string, number>;
};

/**
 * Returns the subscribed chats, each with the lowest version of its tabs: visible chats first, then
 * the most recently used.
 */
export const rankSubscriptions = ({ tabs, usedAt }: RankInput): ChatSubscription[] => {
  const byChat = new Map<string, ChatSubscription & { isVisible: boolean }>();
  for (const { chat, isVisible } of tabs) {
    if (!chat) continue;
    const other = byChat.get(chat.chatId);
    byChat.set(chat.chatId, {
      chatId: chat.chatId,
      after: Math.min(chat.after, other?.after ?? chat.after),
      isVisible: isVisible || other?.isVisible === true,
    });
  }
  const lastUse = ({ chatId }: ChatSubscription): number => usedAt.get(chatId) ?? 0;
  return [...byChat.values()]
    .toSorted((a, b) => Number(b.isVisible) - Number(a.isVisible) || lastUse(b) - lastUse(a))
    .map(({ chatId, after }) => ({ chatId, after }));
};
