import { useInfiniteQuery } from "@tanstack/react-query";
import { useTRPCClient } from "./trpc";

/** Loads the files of a chat each time that they are shown, newest first. */
export const useChatFiles = (chatId: string, areShown: boolean) => {
  const client = useTRPCClient();
  return useInfiniteQuery({
    queryKey: ["chat-files", chatId],
    queryFn: ({ pageParam, signal }) =>
      client.files.list.query(
        { chat_id: chatId, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // The first page has the sums of the last moment.
    select: ({ pages: [first, ...pages] }) =>
      first && { ...first, data: [first, ...pages].flatMap(({ data }) => data) },
    enabled: areShown,
    staleTime: 0,
  });
};
