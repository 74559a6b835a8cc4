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
import { getBrowserStream } from "./browser-stream";
import { createFrameBatcher } from "./frame-batcher";
import { goToLogin } from "./go-to-login";
import { toProblem } from "./to-problem";
import { useTRPCClient } from "./trpc";
import { deleteAnswerDrafts } from "./use-answer-drafts";
import { deleteDraft } from "./use-draft";
import { deleteReadMark } from "./use-read-marks";

const CHAT_LIST_KEY = "chat-list";

export type ChatListState = {
  chats: readonly ChatSummary[];
  isLoading: boolean;
  error: string | undefined;
  retry: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
};

/** Loads the list of chats page by page and applies the events of the watch stream to it. */
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
    isLoading: query.isPending,
    error: query.isError && !query.data ? toProblem(query.error).detail : undefined,
    retry: () => {
      query.refetch().catch(reportError);
    },
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => {
      query.fetchNextPage().catch(reportError);
    },
  };
};

const useChatWatch = (): void => {
  const queryClient = useQueryClient();
  // Syncs with the browser's shared stream.
  useEffect(() => {
    const batcher = createFrameBatcher((events: readonly WatchEvent[]) => {
      events.forEach((event) => {
        updateLists(queryClient, event);
        if (event.type === "chat.deleted") deleteStoredChat(event.id);
      });
    });
    let wasDisconnected = false;
    return getBrowserStream().subscribeToWatch({
      onEvents: batcher.add,
      onState: (state, problem) => {
        // The server ends the streams of a session that has ended.
        if (problem?.code === "unauthorized") goToLogin();
        // The watch stream has no cursor, so events missed while disconnected need a refetch.
        if (state === "open" && wasDisconnected) {
          queryClient.invalidateQueries({ queryKey: [CHAT_LIST_KEY] }).catch(reportError);
        }
        wasDisconnected = state !== "open";
      },
    });
  }, [queryClient]);
};

/** Deletes what this browser stores about a chat. */
const deleteStoredChat = (chatId: string): void => {
  deleteDraft(chatId);
  deleteAnswerDrafts(chatId);
  deleteReadMark(chatId);
};

type Pages = InfiniteData<ChatPage, string | undefined>;

const updateLists = (queryClient: QueryClient, event: WatchEvent): void => {
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
