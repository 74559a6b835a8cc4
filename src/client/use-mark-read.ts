import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { ChatView } from "./chat-view";
import { useTRPC } from "./trpc";

/** Marks what the visible page shows of a chat as read, for all devices of the person. */
export const useMarkRead = (chatId: string, view: ChatView | undefined): void => {
  const trpc = useTRPC();
  const { mutate } = useMutation(trpc.chats.markRead.mutationOptions());
  /** Rises with each message that is new or has changed, but not with a new title. */
  const revision = Math.max(0, ...(view?.messages ?? []).map((message) => message.revision));
  const mark = useEffectEvent(() => {
    if (document.visibilityState === "visible") mutate({ chat_id: chatId, version: revision });
  });
  // Syncs with the server's read marks, now or when the page is shown.
  useEffect(() => {
    if (revision === 0) return;
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [chatId, revision]);
};
