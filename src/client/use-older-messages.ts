import { useMutation, useQueryClient } from "@tanstack/react-query";
import { addOlderMessages } from "./apply-event";
import type { ChatView } from "./chat-view";
import { useTRPCClient } from "./trpc";
import { toChatViewKey, PAGE_SIZE } from "./use-chat-stream";

/** Loads the page of messages before the oldest loaded one. */
export const useOlderMessages = (chatId: string): { load: () => void; isLoading: boolean } => {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const key = toChatViewKey(chatId);
  const { mutate, isPending } = useMutation({
    mutationFn: (before: number) =>
      client.messages.list.query({ chat_id: chatId, before, limit: PAGE_SIZE }),
    onSuccess: (page) => {
      queryClient.setQueryData<ChatView>(key, (view) => view && addOlderMessages(view, page));
    },
  });
  const load = (): void => {
    const first = queryClient.getQueryData<ChatView>(key)?.messages[0];
    if (first && !isPending) mutate(first.seq);
  };
  return { load, isLoading: isPending };
};
