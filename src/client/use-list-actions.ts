import { useMutation } from "@tanstack/react-query";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";

/** The commands of the chat list. Their effects arrive by the watch stream. */
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
    errorMessage: error ? toProblem(error).detail : undefined,
    dismissError: (): void => {
      update.reset();
      remove.reset();
    },
  };
};
