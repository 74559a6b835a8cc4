import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "./trpc";
import { useProblem } from "./use-connection";

/** The commands of a chat's queue. */
export const useQueueActions = (chatId: string) => {
  const trpc = useTRPC();
  const promote = useMutation(trpc.queue.promote.mutationOptions());
  const remove = useMutation(trpc.queue.delete.mutationOptions());
  /** Clears the error of earlier commands before a new one. */
  const startCommand = (queuedId: string) => {
    promote.reset();
    remove.reset();
    return { chat_id: chatId, queued_id: queuedId };
  };
  const running = promote.isPending ? promote : remove.isPending ? remove : undefined;
  const problem = useProblem(promote.error ?? remove.error);
  return {
    promote: (queuedId: string): void => promote.mutate(startCommand(queuedId)),
    remove: (queuedId: string, onRemoved?: () => void): void =>
      remove.mutate(startCommand(queuedId), { ...(onRemoved && { onSuccess: onRemoved }) }),
    /** The command in progress and its message. */
    pendingAction: running?.variables && {
      id: running.variables.queued_id,
      action: running === promote ? ("send-now" as const) : ("remove" as const),
    },
    errorMessage: problem?.detail,
  };
};
