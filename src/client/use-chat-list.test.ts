import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ChatSummary } from "@/contract/chat";
import type { ChatPage } from "@/contract/chat-outputs";
import { CHAT_LIST_KEY, updateLists, WAITING } from "./use-chat-list";

// Browsers have it, and fail a page's test with it.
beforeEach(() => vi.stubGlobal("reportError", vi.fn()));
afterEach(() => vi.unstubAllGlobals());

const parked = {
  id: "a",
  status: "requires_action",
  needs_you: true,
  archived: false,
  version: 2,
} as ChatSummary;

it("a waiting chat that is announced while the list loads is not lost", async () => {
  const queryClient = new QueryClient();
  /** What the server reads: the chat parks after the first read. */
  const reads: ChatSummary[][] = [[], [parked]];
  const started: PromiseWithResolvers<void>[] = [];
  const list = new InfiniteQueryObserver(queryClient, {
    queryKey: [CHAT_LIST_KEY, WAITING],
    queryFn: async (): Promise<ChatPage> => {
      const data = reads[started.length] ?? [];
      const read = Promise.withResolvers<void>();
      started.push(read);
      await read.promise;
      return { data };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: () => undefined,
  });
  const unsubscribe = list.subscribe(() => undefined);
  await expect.poll(() => started.length).toBe(1);
  updateLists(queryClient, { type: "chat.updated", chat: parked });
  started[0]?.resolve();
  await expect.poll(() => started.length).toBe(2);
  started[1]?.resolve();
  await expect.poll(() => list.getCurrentResult().data?.pages[0]?.data).toEqual([parked]);
  expect(reportError).not.toHaveBeenCalled();
  unsubscribe();
  queryClient.clear();
});
