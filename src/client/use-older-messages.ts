import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { MAX_PAGE_SIZE } from "@/contract/limits";
import { addOlderMessages } from "./apply-event";
import type { ChatView } from "./chat-view";
import { PAGE_SIZE } from "./page-size";
import { useTRPCClient } from "./trpc";
import { toChatViewKey } from "./use-chat-stream";

/** Loads the messages before the oldest loaded one. */
export const useOlderMessages = (chatId: string) => {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const key = toChatViewKey(chatId);
  const loadPage = async (limit: number): Promise<ChatView | undefined> => {
    const before = queryClient.getQueryData<ChatView>(key)?.loadedFrom;
    if (before === undefined) return undefined;
    const page = await client.messages.list.query({ chat_id: chatId, before, limit });
    return queryClient.setQueryData<ChatView>(key, (view) => view && addOlderMessages(view, page));
  };
  /** The `seq` up to which messages are loaded, which may become smaller meanwhile. */
  const goal = useRef(Infinity);
  const { mutate, isPending, isError } = useMutation({
    mutationFn: async (): Promise<void> => {
      let view: ChatView | undefined;
      do view = await loadPage(goal.current === Infinity ? PAGE_SIZE : MAX_PAGE_SIZE);
      while (view?.hasOlder && view.loadedFrom > goal.current);
    },
  });
  return {
    /** @param until loads all pages up to the one with this `seq`; without it, one page. */
    load: (until = Infinity): void => {
      goal.current = isPending ? Math.min(goal.current, until) : until;
      if (!isPending) mutate();
    },
    isLoading: isPending,
    hasFailed: isError,
  };
};
