import { useInfiniteQuery } from "@tanstack/react-query";
import type { FoundMessage } from "@/contract/message";
import { isUnreachable, toProblem } from "./to-problem";
import { useTRPCClient } from "./trpc";

/** A search goes on until it has so many messages, or all: more than a person goes through one by one. */
const MIN_FOUND = 500;

/** Finds the messages of a chat that have a text, the newest first. */
export const useFoundMessages = (chatId: string, q: string) => {
  const client = useTRPCClient();
  const query = useInfiniteQuery({
    queryKey: ["found-messages", chatId, q],
    queryFn: async ({ pageParam, signal }) => {
      const data: FoundMessage[] = [];
      let before = pageParam;
      do {
        const page = await client.messages.search.query(
          { chat_id: chatId, q, ...(before !== undefined && { before }) },
          { signal },
        );
        data.push(...page.data);
        before = page.next_before ?? undefined;
      } while (before !== undefined && data.length < MIN_FOUND);
      return { data, before };
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ before }) => before,
    enabled: q !== "",
    // What is found stays while a person goes through it; it is looked for again with each text.
    staleTime: Infinity,
    gcTime: 0,
  });
  const reason = query.error ?? (isUnreachable(query.failureReason) ? query.failureReason : null);
  return {
    messages: query.data?.pages.flatMap(({ data }) => data) ?? [],
    isLoading: query.isFetching,
    error: reason === null ? undefined : toProblem(reason).detail,
    hasMore: query.hasNextPage,
    /** @returns all that are found by then. */
    loadMore: async (): Promise<readonly FoundMessage[]> => {
      const { data } = await query.fetchNextPage();
      return data?.pages.flatMap((page) => page.data) ?? [];
    },
  };
};
