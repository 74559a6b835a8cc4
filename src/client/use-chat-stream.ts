import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Problem } from "@/contract/problem";
import type { StreamEvent } from "@/contract/stream-event";
import { applyEvent } from "./apply-event";
import { getBrowserStream } from "./browser-stream";
import { type ChatView, emptyChatView } from "./chat-view";
import { createFrameBatcher } from "./frame-batcher";
import type { FeedState } from "./stream-messages";
import { toProblem } from "./to-problem";
import { useTRPCClient } from "./trpc";

/** Messages per page of history. */
export const PAGE_SIZE = 50;

export const toChatViewKey = (chatId: string) => ["chat-view", chatId] as const;

export type ChatStream = {
  view: ChatView | undefined;
  state: FeedState;
  /** Why the chat cannot be shown. */
  problem: Problem | undefined;
};

/** Loads a chat with its newest page of messages, then applies the events of its stream. */
export const useChatStream = (chatId: string): ChatStream => {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [connection, setConnection] = useState<{ state: FeedState; problem?: Problem }>({
    state: "connecting",
  });
  const { data: view, error } = useQuery({
    queryKey: toChatViewKey(chatId),
    queryFn: async (): Promise<ChatView> => {
      // Read the version before the page: the stream then repeats changes rather than missing any.
      const chat = await client.chats.get.query({ chat_id: chatId });
      const page = await client.messages.list.query({ chat_id: chatId, limit: PAGE_SIZE });
      return {
        ...emptyChatView,
        chat: { ...chat, queue: page.queued },
        messages: page.data,
        hasOlder: page.has_more,
        version: chat.version,
      };
    },
    // Kept up to date by the stream.
    staleTime: Infinity,
    structuralSharing: false,
  });
  const isLoaded = view !== undefined;

  // Syncs with the browser's shared stream.
  useEffect(() => {
    if (!isLoaded) return;
    const key = toChatViewKey(chatId);
    const batcher = createFrameBatcher((events: readonly StreamEvent[]) => {
      queryClient.setQueryData<ChatView>(key, (view) => view && events.reduce(applyEvent, view));
    });
    const unsubscribe = getBrowserStream().subscribeToChat(chatId, {
      onEvents: batcher.add,
      onState: (state, problem) => {
        setConnection({ state, ...(problem && { problem }) });
        if (state === "failed" && problem?.code === "invalid") resetChat(queryClient, chatId);
      },
      getVersion: () => {
        batcher.flush();
        return queryClient.getQueryData<ChatView>(key)?.version ?? 0;
      },
    });
    return () => {
      unsubscribe();
      batcher.flush();
    };
  }, [chatId, isLoaded, queryClient]);

  const loadProblem = error ? toProblem(error) : undefined;
  const streamProblem = connection.problem?.code === "invalid" ? undefined : connection.problem;
  return { view, state: connection.state, problem: loadProblem ?? streamProblem };
};

/** Loads the chat anew: the server has an older version than the page, as after a restored backup. */
const resetChat = (queryClient: QueryClient, chatId: string): void => {
  queryClient.resetQueries({ queryKey: toChatViewKey(chatId) }).catch(reportError);
};
