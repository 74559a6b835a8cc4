import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "./trpc";
import { useProblem } from "./use-connection";
import { useTools } from "./use-tools";

/** Loads the tools of the server, and sets how they are offered. */
export const useToolModes = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useTools();
  const { mutate, variables, isPending, error } = useMutation(
    trpc.tools.setMode.mutationOptions({
      // While it is awaited the change counts as being saved, so the control does not jump back.
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.tools.list.queryKey({}) }),
    }),
  );
  return {
    query,
    setMode: mutate,
    change: variables,
    isSaving: isPending,
    problem: useProblem(error),
  };
};
