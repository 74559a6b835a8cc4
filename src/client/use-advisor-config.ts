import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "./trpc";
import { useProblem } from "./use-connection";

/** Loads and saves the administrator's advisor settings; a save updates the loaded settings. */
export const useAdvisorConfig = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.config.getAdvisor.queryOptions({}));
  const { mutate, isPending, isSuccess, error } = useMutation(
    trpc.config.setAdvisor.mutationOptions({
      onSuccess: (config) => queryClient.setQueryData(trpc.config.getAdvisor.queryKey({}), config),
    }),
  );
  return {
    query,
    save: mutate,
    isSaving: isPending,
    isSaved: isSuccess,
    problem: useProblem(error),
  };
};
