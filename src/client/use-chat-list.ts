import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import type { ChatSummary } from "@/contract/chat";
import type { ChatPage } from "@/contract/chat-outputs";
import { MAX_PAGE_SIZE } from "@/contract/limits";
import type { WatchChange } from "@/contract/stream-event";
import { applyWatchEvent, type ChatListFilter } from "./apply-watch-event";
import { getBrowserStream } from "./browser-stream";
import { deleteStoredChat } from "./delete-stored-chat";
import { createFrameBatcher } from "./frame-batcher";
import { goToLogin } from "./go-to-login";
import { isUnreachable, toProblem } from "./to-problem";
import { useTRPCClient } from "./trpc";

export const CHAT_LIST_KEY = "chat-list";

/** The chats that wait for a person. */
export const WAITING: ChatListFilter = { archived: false, q: "", needsYou: true };

const NEWEST: ChatListFilter = { archived: false, q: "" };

export type ChatListState = {
  chats: readonly ChatSummary[];
  isLoading: boolean;
  error: string | undefined;
  retry: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  hasMoreFailed: boolean;
  loadMore: () => void;
};

/** Loads the list of chats page by page and applies the events of the watch stream to it. */
export const useChatList = (filter: ChatListFilter): ChatListState => {
  const query = useChatPages(filter);
  useChatWatch();
  const error = findLoadError(query);
  return {
    chats: error === undefined ? toChats(query.data) : [],
    isLoading: query.isPending || query.isPlaceholderData,
    error,
    retry: () => {
      query.refetch().catch(reportError);
    },
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    hasMoreFailed: query.isFetchNextPageError,
    loadMore: () => {
      query.fetchNextPage().catch(reportError);
    },
  };
};

const useChatPages = (filter: ChatListFilter) => {
  const client = useTRPCClient();
  return useInfiniteQuery({
    queryKey: [CHAT_LIST_KEY, filter] as const,
    queryFn: ({ pageParam, signal }) => loadPage(client, filter, { cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    // Results of a shorter text, until those of the whole one are there.
    placeholderData: (previous, query) =>
      isNarrower(filter, query?.queryKey[1]) ? previous : undefined,
  });
};

/** The newest chats, whatever the sidebar shows; it keeps them live. Undefined while they load. */
export const useNewestChats = (): readonly ChatSummary[] | undefined => {
  const { data } = useChatPages(NEWEST);
  return data && toChats(data);
};

const toChats = (list: Pick<Pages, "pages"> | undefined): readonly ChatSummary[] =>
  list?.pages.flatMap(({ data }) => data) ?? [];

const isNarrower = ({ q }: ChatListFilter, previous: ChatListFilter | undefined): boolean =>
  previous !== undefined && previous.q !== "" && q.startsWith(previous.q);

/** Why there are no chats of this query. An unreachable server is said at once, while the query is repeated. */
const findLoadError = (query: UseInfiniteQueryResult): string | undefined => {
  if (query.data && !query.isPlaceholderData) return undefined;
  const { error, failureReason } = query;
  const reason = error ?? (isUnreachable(failureReason) ? failureReason : null);
  return reason === null ? undefined : toProblem(reason).detail;
};

/** Loads all chats that wait for the person, however many newer chats there are, and keeps them live. Undefined while they load. */
export const useWaitingChats = (): readonly ChatSummary[] | undefined => {
  const client = useTRPCClient();
  const query = useInfiniteQuery({
    queryKey: [CHAT_LIST_KEY, WAITING] as const,
    queryFn: async (): Promise<ChatPage> => {
      const data: ChatSummary[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.chats.list.query({
          archived: WAITING.archived,
          needs_you: true,
          limit: MAX_PAGE_SIZE,
          ...(cursor !== undefined && { cursor }),
        });
        data.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      return { data };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: () => undefined,
  });
  return query.data && toChats(query.data);
};

/** A search may give pages without chats before the first one that has some. */
const loadPage = async (
  client: ReturnType<typeof useTRPCClient>,
  { archived, q }: ChatListFilter,
  { cursor, signal }: { cursor: string | undefined; signal: AbortSignal },
): Promise<ChatPage> => {
  const page = await client.chats.list.query(
    {
      ...(q === "" ? { archived } : { archived: "any", q }),
      ...(cursor !== undefined && { cursor }),
    },
    { signal },
  );
  return page.data.length > 0 || page.next_cursor === undefined
    ? page
    : loadPage(client, { archived, q }, { cursor: page.next_cursor, signal });
};

const useChatWatch = (): void => {
  const queryClient = useQueryClient();
  // Syncs with the browser's shared stream.
  useEffect(() => {
    const batcher = createFrameBatcher((events: readonly WatchChange[]) => {
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
          // What could not be loaded meanwhile; the browser's own event comes only with a new network.
          queryClient
            .refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" })
            .catch(reportError);
        }
        wasDisconnected = state !== "open";
      },
    });
  }, [queryClient]);
};

type Pages = InfiniteData<ChatPage, string | undefined>;

export const updateLists = (queryClient: QueryClient, event: WatchChange): void => {
  const lists = queryClient.getQueriesData<Pages>({ queryKey: [CHAT_LIST_KEY] });
  for (const [key, list] of lists) {
    const filter = key[1] as ChatListFilter;
    // A load that began before the event may miss a chat, which nothing would add later.
    const isLoading = queryClient.getQueryState(key)?.fetchStatus === "fetching";
    if (isLoading && event.type !== "chat.deleted" && filter.needsYou && event.chat.needs_you) {
      // Invalidating alone would not restart a first load.
      queryClient
        .cancelQueries({ queryKey: key })
        .then(() => queryClient.invalidateQueries({ queryKey: key }))
        .catch(reportError);
    }
    if (!list) continue;
    queryClient.setQueryData<Pages>(key, {
      ...list,
      pages: applyWatchEvent(list.pages, event, filter),
    });
  }
};
