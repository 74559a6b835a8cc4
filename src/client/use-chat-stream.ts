import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Problem } from "@/contract/problem";
import type { StreamEvent } from "@/contract/stream-event";
import { applyEvent } from "./apply-event";
import { browserStream } from "./browser-stream";
import { type ChatView, emptyChatView } from "./chat-view";
import { collectPerFrame } from "./collect-per-frame";
import { problemOf } from "./problem-of";
import type { FeedState } from "./stream-messages";
import { useTRPCClient } from "./trpc";

/** Messages of the newest page and of each older one. */
export const PAGE_SIZE = 50;

export const chatViewKey = (chatId: string) => ["chat-view", chatId] as const;

export type ChatStream = {
  view: ChatView | undefined;
  state: FeedState;
  /** Why the chat cannot be shown. */
  problem: Problem | undefined;
};

/** A chat as it is now: its newest page of history, then whatever its stream tells. */
export const useChatStream = (chatId: string): ChatStream => {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [connection, setConnection] = useState<{ state: FeedState; problem?: Problem }>({
    state: "connecting",
  });
  const { data: view, error } = useQuery({
    queryKey: chatViewKey(chatId),
    queryFn: async (): Promise<ChatView> => {
      // The version comes from before the page, so that the stream tells all that is not in it.
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
    // The stream keeps it fresh.
    staleTime: Infinity,
    structuralSharing: false,
  });
  const isLoaded = view !== undefined;

  // Syncs with the browser's stream.
  useEffect(() => {
    if (!isLoaded) return;
    const key = chatViewKey(chatId);
    const collector = collectPerFrame((events: readonly StreamEvent[]) => {
      queryClient.setQueryData<ChatView>(key, (known) => known && events.reduce(applyEvent, known));
    });
    const stop = browserStream().watchChat(chatId, {
      onEvents: collector.add,
      onState: (state, problem) => {
        setConnection({ state, ...(problem && { problem }) });
        if (state === "failed" && problem?.code === "invalid") startAnew(queryClient, chatId);
      },
      version: () => {
        collector.flush();
        return queryClient.getQueryData<ChatView>(key)?.version ?? 0;
      },
    });
    return () => {
      stop();
      collector.flush();
    };
  }, [chatId, isLoaded, queryClient]);

  const refused = error ? problemOf(error) : undefined;
  const ended = connection.problem?.code === "invalid" ? undefined : connection.problem;
  return { view, state: connection.state, problem: refused ?? ended };
};

/** What the server has is older than what is shown, as after a restored backup. */
const startAnew = (queryClient: QueryClient, chatId: string): void => {
  queryClient.resetQueries({ queryKey: chatViewKey(chatId) }).catch(reportError);
};
