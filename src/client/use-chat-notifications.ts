import { useEffect, useEffectEvent } from "react";
import type { ChatSummary } from "@/contract/chat";

/** What the service worker stores with a notification: see public/service-worker.js. */
type NotificationData = { path: string; kind: string };

/**
 * Closes notifications of the chat that the page shows, and those of chats that do not need the person any more, as these
 * were answered elsewhere. Says to the service worker what the page shows.
 *
 * @param waitingChats undefined until they are known.
 */
export const useChatNotifications = (
  activeChatId: string | undefined,
  waitingChats: readonly Pick<ChatSummary, "id" | "parent_chat_id">[] | undefined,
): void => {
  // An agent's question is shown, and notified of, with the chat that has started the agent.
  const waitingIds = waitingChats
    ?.flatMap(({ id, parent_chat_id: parentId }) => [id, parentId ?? id])
    .join(" ");
  const close = useEffectEvent(() => {
    if (document.visibilityState !== "visible") return;
    closeNotifications(({ path, kind }) => {
      const chatId = path.slice("/chats/".length);
      if (chatId === activeChatId) return true;
      return kind === "needs_you" && waitingIds?.includes(chatId) === false;
    }).catch(() => undefined);
  });
  // Syncs with the notifications of the browser, now and when the page is shown.
  useEffect(() => {
    close();
    document.addEventListener("visibilitychange", close);
    return () => document.removeEventListener("visibilitychange", close);
  }, [activeChatId, waitingIds]);
  // Syncs with the service worker, which shows no notification of a chat that is in sight.
  useEffect(() => {
    if (!hasServiceWorkers()) return;
    navigator.serviceWorker.addEventListener("message", answerWorker);
    return () => navigator.serviceWorker.removeEventListener("message", answerWorker);
  }, []);
};

/** Browsers without them, and pages that were not opened by https, have no such property. */
const hasServiceWorkers = (): boolean => "serviceWorker" in navigator;

const answerWorker = ({ data, ports }: MessageEvent<{ type: string }>): void => {
  if (data.type === "get-path") ports[0]?.postMessage(window.location.pathname);
};

const closeNotifications = async (isOver: (data: NotificationData) => boolean): Promise<void> => {
  if (!hasServiceWorkers()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) {
    if (isOver(notification.data as NotificationData)) notification.close();
  }
};
