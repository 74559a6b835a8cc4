import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { UNDO_MS } from "./pending-deletions";
import { useTRPC } from "./trpc";
import { useProblem } from "./use-connection";
import { useDeletions } from "./use-deletions";

/** What was done last, and how to undo it. */
export type UndoableAction = { message: string; chatTitle: string; undo: () => void };

/** The commands of the chat list. Their effects arrive by the watch stream. */
export const useListActions = (onDeleted: (chatId: string) => void) => {
  const trpc = useTRPC();
  const update = useMutation(trpc.chats.update.mutationOptions());
  const reading = useMutation(trpc.chats.markAllRead.mutationOptions());
  const { pendingIds, finish, ...deletions } = useDeletions();
  const [lastAction, setLastAction] = useLastAction();
  const problem = useProblem(update.error ?? reading.error ?? deletions.error);
  const setArchived = (id: string, archived: boolean, onSuccess?: () => void): void =>
    update.mutate({ chat_id: id, archived }, { ...(onSuccess && { onSuccess }) });
  return {
    pin: (id: string, pinned: boolean): void => update.mutate({ chat_id: id, pinned }),
    rename: (id: string, title: string): void => update.mutate({ chat_id: id, title }),
    archive: (id: string, archived: boolean, title: string): void =>
      setArchived(id, archived, () =>
        setLastAction({
          message: archived ? "Chat archived." : "Chat restored.",
          chatTitle: title,
          undo: () => setArchived(id, !archived),
        }),
      ),
    remove: (id: string, title: string): void => {
      deletions.remove(id);
      setLastAction({
        message: "Deleting the chat, its messages and its files.",
        chatTitle: title,
        undo: () => deletions.undo(id),
      });
      onDeleted(id);
    },
    markAllRead: (): void => reading.mutate({}),
    pendingIds,
    finishDeletions: finish,
    lastAction: lastAction && {
      ...lastAction,
      undo: (): void => {
        setLastAction(undefined);
        lastAction.undo();
      },
    },
    errorMessage: problem?.detail,
    dismissError: (): void => {
      update.reset();
      reading.reset();
      deletions.dismissError();
    },
  };
};

const useLastAction = () => {
  const [action, setAction] = useState<UndoableAction>();
  // Syncs with the clock: after this time the action cannot be undone.
  useEffect(() => {
    if (!action) return;
    const timer = setTimeout(() => setAction(undefined), UNDO_MS);
    return () => clearTimeout(timer);
  }, [action]);
  return [action, setAction] as const;
};
