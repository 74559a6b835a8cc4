import { useMutation } from "@tanstack/react-query";
import type { Chat } from "@/contract/chat";
import { useTRPC, useTRPCClient } from "./trpc";
import { useCommandProblem } from "./use-command-problem";

type QueueRemoval = { chat_id: string; queued_id: string; onRemoved: (() => void) | undefined };

/** The commands of a chat's queue. */
export const useQueueActions = ({ id: chatId, status }: Pick<Chat, "id" | "status">) => {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const promote = useMutation(trpc.queue.promote.mutationOptions());
  const remove = useMutation({
    mutationFn: async ({ onRemoved, ...input }: QueueRemoval) => {
      await client.queue.delete.mutate(input);
      // The callbacks of `mutate` are not called after the page was left.
      onRemoved?.();
    },
  });
  /** Clears the error of earlier commands before a new one. */
  const startCommand = (queuedId: string) => {
    promote.reset();
    remove.reset();
    return { chat_id: chatId, queued_id: queuedId };
  };
  const toAction = (variables: object): "send-now" | "steer" | "remove" => {
    if (running !== promote) return "remove";
    return "behavior" in variables && variables.behavior === "steer" ? "steer" : "send-now";
  };
  const running = promote.isPending ? promote : remove.isPending ? remove : undefined;
  const problem = useCommandProblem(promote.error ?? remove.error, status === "requires_action");
  return {
    /** @param cancelCalls the open calls that the person has agreed to cancel. */
    promote: (queuedId: string, cancelCalls: string[]): void =>
      promote.mutate({ ...startCommand(queuedId), cancel_calls: cancelCalls }),
    /** Lets the message enter the turn that runs. */
    steer: (queuedId: string): void =>
      promote.mutate({ ...startCommand(queuedId), behavior: "steer" }),
    remove: (queuedId: string, onRemoved?: () => void): void =>
      remove.mutate({ ...startCommand(queuedId), onRemoved }),
    /** The command in progress and its message. */
    pendingAction: running?.variables && {
      id: running.variables.queued_id,
      action: toAction(running.variables),
    },
    errorMessage: problem?.detail,
  };
};
