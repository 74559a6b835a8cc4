import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { OpenedChat } from "@/contract/chat-outputs";
import type { Problem } from "@/contract/problem";
import type { ChatEvent } from "@/contract/stream-event";
import { applyEvent } from "./apply-event";
import { getBrowserStream } from "./browser-stream";
import { type ChatView, emptyChatView } from "./chat-view";
import { createFrameBatcher } from "./frame-batcher";
import { PAGE_SIZE } from "./page-size";
import type { FeedState } from "./stream-messages";
import { toProblem } from "./to-problem";
import { useTRPCClient } from "./trpc";

export const toChatViewKey = (chatId: string) => ["chat-view", chatId] as const;

export type ChatStream = {
  view: ChatView | undefined;
  state: FeedState;
  /** Why the chat cannot be shown. */
  problem: Problem | undefined;
};

/**
 * Loads a chat with its newest page of messages, then applies the events of its stream.
 *
 * @param opened the chat as the server has rendered it; it is loaded if this is absent.
 */
export const useChatStream = (chatId: string, opened: OpenedChat | undefined): ChatStream => {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [connection, setConnection] = useState<{ state: FeedState; problem?: Problem }>({
    state: "connecting",
  });
  const { data: view, error } = useQuery({
    queryKey: toChatViewKey(chatId),
    queryFn: async () =>
      toChatView(await client.chats.open.query({ chat_id: chatId, limit: PAGE_SIZE })),
    ...(opened && { initialData: () => toChatView(opened) }),
    // Kept up to date by the stream.
    staleTime: Infinity,
    structuralSharing: false,
  });
  const isLoaded = view !== undefined;

  // Syncs with the browser's shared stream.
  useEffect(() => {
    if (!isLoaded) return;
    const key = toChatViewKey(chatId);
    const batcher = createFrameBatcher((events: readonly ChatEvent[]) => {
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

const toChatView = ({ chat, data, has_more, tasks, agents, ...opened }: OpenedChat): ChatView => ({
  ...emptyChatView,
  chat,
  messages: data,
  hasOlder: has_more,
  loadedFrom: data[0]?.seq ?? 0,
  tasks,
  agents,
  childActions: chat.child_actions,
  origin: opened.origin,
  forks: opened.forks,
  version: chat.version,
});

/** Loads the chat anew: the server has an older version than the page, as after a restored backup. */
const resetChat = (queryClient: QueryClient, chatId: string): void => {
  queryClient.resetQueries({ queryKey: toChatViewKey(chatId) }).catch(reportError);
};
