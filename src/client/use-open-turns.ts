import { useCallback, useState } from "react";

/** Whether the work of a turn is open, by the `seq` of its first message. */
type OpenTurns = Readonly<Partial<Record<number, boolean>>>;

/** By the ids of chats: what the person has opened or closed stays so until the page is loaded again. */
const openTurnsByChat = new Map<string, OpenTurns>();

/** @param chatId does not change. */
export const useOpenTurns = (chatId: string) => {
  const [openTurns, setOpenTurns] = useState<OpenTurns>(() => openTurnsByChat.get(chatId) ?? {});
  const toggle = useCallback(
    (seq: number, isOpen: boolean): void => {
      const next = { ...openTurnsByChat.get(chatId), [seq]: isOpen };
      openTurnsByChat.set(chatId, next);
      setOpenTurns(next);
    },
    [chatId],
  );
  return [openTurns, toggle] as const;
};
