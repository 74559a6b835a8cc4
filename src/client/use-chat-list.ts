import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import type { ChatSummary } from "@/contract/chat";
import type { ChatPage } from "@/contract/chat-outputs";
import type { WatchEvent } from "@/contract/stream-event";
import { applyWatchEvent, type ChatListFilter } from "./apply-watch-event";
import { browserStream } from "./browser-stream";
import { collectPerFrame } from "./collect-per-frame";
import { problemOf } from "./problem-of";
import { useTRPCClient } from "./trpc";

const CHAT_LIST_KEY = "chat-list";

export type ChatListState = {
  chats: readonly ChatSummary[];
  loading: boolean;
  error: string | undefined;
  retry: () => void;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
};

/** The chats of the list, kept up to date by what the server tells of them. */
export const useChatList = (filter: ChatListFilter): ChatListState => {
  const client = useTRPCClient();
  const query = useInfiniteQuery({
    queryKey: [CHAT_LIST_KEY, filter] as const,
    queryFn: ({ pageParam }) =>
      client.chats.list.query({
        archived: filter.archived,
        ...(filter.q !== "" && { q: filter.q }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  useChatWatch();
  return {
    chats: query.data?.pages.flatMap(({ data }) => data) ?? [],
    loading: query.isPending,
    error: query.isError && !query.data ? problemOf(query.error).detail : undefined,
    retry: () => {
      query.refetch().catch(reportError);
    },
    hasMore: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => {
      query.fetchNextPage().catch(reportError);
    },
  };
};

const useChatWatch = (): void => {
  const queryClient = useQueryClient();
  // Syncs with the browser's stream.
  useEffect(() => {
    const collector = collectPerFrame((events: readonly WatchEvent[]) => {
      events.forEach((event) => putIntoLists(queryClient, event));
    });
    let wasCut = false;
    return browserStream().watchAll({
      onEvents: collector.add,
      onState: (state) => {
        // The watch has no cursor: what happened while it was away is in the list only.
        if (state === "open" && wasCut) {
          queryClient.invalidateQueries({ queryKey: [CHAT_LIST_KEY] }).catch(reportError);
        }
        wasCut = state !== "open";
      },
    });
  }, [queryClient]);
};

type Pages = InfiniteData<ChatPage, string | undefined>;

const putIntoLists = (queryClient: QueryClient, event: WatchEvent): void => {
  const lists = queryClient.getQueriesData<Pages>({ queryKey: [CHAT_LIST_KEY] });
  for (const [key, list] of lists) {
    const filter = key[1] as ChatListFilter;
    if (!list) continue;
    queryClient.setQueryData<Pages>(key, {
      ...list,
      pages: applyWatchEvent(list.pages, event, filter),
    });
  }
};
