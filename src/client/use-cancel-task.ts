import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "./trpc";

/** Cancels a task; the effect arrives by the chat's stream. */
export const useCancelTask = () => {
  const trpc = useTRPC();
  const { mutate } = useMutation(trpc.tasks.cancel.mutationOptions());
  return {
    cancelTask: (taskId: string): void => mutate({ task_id: taskId }),
  };
};
