import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "./trpc";
import { useListMutations } from "./use-list-mutations";

/** Loads the agent types of the server, and replaces them. */
export const useAgentTypes = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.config.getAgentTypes.queryOptions({}));
  const mutations = useListMutations(trpc.config.setAgentTypes.mutationOptions(), () =>
    queryClient.invalidateQueries({ queryKey: trpc.config.getAgentTypes.pathKey() }),
  );
  return { query, mutations };
};
