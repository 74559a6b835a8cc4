import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useStoredValue } from "./local-store";
import {
  createDeletionQueue,
  type DeletionQueue,
  DELETIONS_KEY,
  parseDeletions,
  removeDeletion,
} from "./pending-deletions";
import { toProblem } from "./to-problem";
import { useTRPCClient } from "./trpc";
import { updateLists } from "./use-chat-list";

/** Chats that are no longer shown, though the server still has them. */
export const usePendingIds = (): ReadonlySet<string> => {
  const [stored] = useStoredValue(DELETIONS_KEY);
  return useMemo(() => new Set(Object.keys(parseDeletions(stored))), [stored]);
};

/** Deletes chats after the time in which that can be undone (ADR 0050). */
export const useDeletions = () => {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const pendingIds = usePendingIds();
  const [error, setError] = useState<unknown>(null);
  const send = async (chatId: string): Promise<void> => {
    try {
      await client.chats.delete.mutate({ chat_id: chatId });
      // Before the mark is removed, or the chat would be listed until the watch stream says that it is gone.
      updateLists(queryClient, { type: "chat.deleted", id: chatId });
    } catch (failure) {
      // Another page of the browser has sent it.
      if (toProblem(failure).code !== "not_found") setError(failure);
    }
    removeDeletion(chatId);
  };
  const [queue] = useState<DeletionQueue>(() =>
    createDeletionQueue((chatId) => {
      send(chatId).catch(reportError);
    }),
  );
  // Syncs with the browser's store, and with the end of the page.
  useEffect(() => {
    queue.start();
    const sendRest = (): void => queue.takeAll().forEach(sendFromClosingPage);
    window.addEventListener("pagehide", sendRest);
    return () => window.removeEventListener("pagehide", sendRest);
  }, [queue]);
  return {
    pendingIds,
    remove: queue.add,
    undo: removeDeletion,
    /** Sends all that is pending, such as before the session ends. */
    finish: async (): Promise<void> => {
      await Promise.all(queue.takeAll().map(send));
    },
    error,
    dismissError: (): void => setError(null),
  };
};

/** A response cannot be awaited any more. The stored mark stays, so that the next page repeats it. */
const sendFromClosingPage = (chatId: string): void => {
  fetch(`/api/v1/chats/${chatId}`, { method: "DELETE", keepalive: true }).catch(() => undefined);
};
