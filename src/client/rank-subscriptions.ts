import type { ChatSubscription } from "./stream-messages";

/** What the leader tab knows of a tab. */
export type TabState = { chat: ChatSubscription | null; hiddenSince: number | undefined };

type RankInput = {
  tabs: Iterable<TabState>;
  /** When each chat was last opened or changed, as a counter. */
  usedAt: ReadonlyMap<string, number>;
  /** Tabs hidden at or before this time are ignored, in milliseconds. */
  hiddenBefore: number;
};

/**
 * Returns the subscribed chats, each with the lowest version of its tabs: visible chats first, then
 * the most recently used.
 */
export const rankSubscriptions = ({
  tabs,
  usedAt,
  hiddenBefore,
}: RankInput): ChatSubscription[] => {
  const byChat = new Map<string, ChatSubscription & { isVisible: boolean }>();
  for (const { chat, hiddenSince } of tabs) {
    if (!chat || (hiddenSince !== undefined && hiddenSince <= hiddenBefore)) continue;
    const other = byChat.get(chat.chatId);
    byChat.set(chat.chatId, {
      chatId: chat.chatId,
      after: Math.min(chat.after, other?.after ?? chat.after),
      isVisible: hiddenSince === undefined || other?.isVisible === true,
    });
  }
  const lastUse = ({ chatId }: ChatSubscription): number => usedAt.get(chatId) ?? 0;
  return [...byChat.values()]
    .toSorted((a, b) => Number(b.isVisible) - Number(a.isVisible) || lastUse(b) - lastUse(a))
    .map(({ chatId, after }) => ({ chatId, after }));
};
