import type { WantedChat } from "./stream-messages";

/** A tab of the browser, as the one that holds the connections knows it. */
export type Tab = { chat: WantedChat | null; hiddenSince: number | undefined };

type WantedInput = {
  tabs: Iterable<Tab>;
  /** When each chat was last looked at or changed, on any scale. */
  usedAt: ReadonlyMap<string, number>;
  /** Chats of tabs that are hidden since before this moment need no stream. */
  hiddenBefore: number;
};

/** The chats that some tab shows, each with the lowest version that one knows; the most needed first. */
export const wantedChats = ({ tabs, usedAt, hiddenBefore }: WantedInput): WantedChat[] => {
  const wanted = new Map<string, WantedChat & { visible: boolean }>();
  for (const { chat, hiddenSince } of tabs) {
    if (!chat || (hiddenSince !== undefined && hiddenSince <= hiddenBefore)) continue;
    const known = wanted.get(chat.chatId);
    wanted.set(chat.chatId, {
      chatId: chat.chatId,
      after: Math.min(chat.after, known?.after ?? chat.after),
      visible: hiddenSince === undefined || known?.visible === true,
    });
  }
  const used = ({ chatId }: WantedChat): number => usedAt.get(chatId) ?? 0;
  return [...wanted.values()]
    .toSorted((a, b) => Number(b.visible) - Number(a.visible) || used(b) - used(a))
    .map(({ chatId, after }) => ({ chatId, after }));
};
