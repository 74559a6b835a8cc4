import { useMutation } from "@tanstack/react-query";
import { problemOf } from "./problem-of";
import { useTRPC } from "./trpc";

/** What a person can do with chats in the list; the watch tells what comes of it. */
export const useListActions = (onDeleted: (chatId: string) => void) => {
  const trpc = useTRPC();
  const update = useMutation(trpc.chats.update.mutationOptions());
  const remove = useMutation(trpc.chats.delete.mutationOptions());
  const error = update.error ?? remove.error;
  return {
    pin: (id: string, pinned: boolean): void => update.mutate({ chat_id: id, pinned }),
    rename: (id: string, title: string): void => update.mutate({ chat_id: id, title }),
    archive: (id: string, archived: boolean): void => update.mutate({ chat_id: id, archived }),
    remove: (id: string): void =>
      remove.mutate({ chat_id: id }, { onSuccess: () => onDeleted(id) }),
    failure: error ? problemOf(error).detail : undefined,
    dismiss: (): void => {
      update.reset();
      remove.reset();
    },
  };
};
