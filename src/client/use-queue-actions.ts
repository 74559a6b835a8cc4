import { useMutation } from "@tanstack/react-query";
import { problemOf } from "./problem-of";
import { useTRPC } from "./trpc";

/** What a person can do with messages that wait. */
export const useQueueActions = (chatId: string) => {
  const trpc = useTRPC();
  const promote = useMutation(trpc.queue.promote.mutationOptions());
  const remove = useMutation(trpc.queue.delete.mutationOptions());
  const refOf = (queuedId: string) => {
    promote.reset();
    remove.reset();
    return { chat_id: chatId, queued_id: queuedId };
  };
  const running = promote.isPending ? promote : remove.isPending ? remove : undefined;
  const error = promote.error ?? remove.error;
  return {
    promote: (queuedId: string): void => promote.mutate(refOf(queuedId)),
    remove: (queuedId: string, onRemoved?: () => void): void =>
      remove.mutate(refOf(queuedId), { ...(onRemoved && { onSuccess: onRemoved }) }),
    /** What is being done at the moment. */
    acting: running?.variables && {
      id: running.variables.queued_id,
      action: running === promote ? ("send-now" as const) : ("remove" as const),
    },
    failure: error ? problemOf(error).detail : undefined,
  };
};
