import { useQuery } from "@tanstack/react-query";
import type { Message } from "@/contract/message";
import { useTRPC } from "./trpc";

/** A chat has few messages after a call whose answer is looked for. */
const COUNT = 10;

const NO_MESSAGES: readonly Message[] = [];

/** Reads the newest messages of a chat that is not the one of the page, when they are needed. */
export const useNewestMessages = (chatId: string, isNeeded: boolean): readonly Message[] => {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.messages.list.queryOptions(
      { chat_id: chatId, limit: COUNT },
      { enabled: isNeeded, staleTime: 0 },
    ),
  );
  return isNeeded && data ? data.data : NO_MESSAGES;
};
