import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { problemOf } from "./problem-of";
import { useTRPC } from "./trpc";

/** The administrator's settings of the advisor; what is saved shows at once. */
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
    saving: isPending,
    saved: isSuccess,
    problem: error ? problemOf(error) : undefined,
  };
};
