import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "./trpc";
import { useListMutations } from "./use-list-mutations";

/** Loads the groups of the server, and replaces them. @param isNeeded false to load them later. */
export const useGroups = ({ isNeeded = true } = {}) => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.config.getGroups.queryOptions({}, { enabled: isNeeded }));
  const mutations = useListMutations(trpc.config.setGroups.mutationOptions(), () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.config.getGroups.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.groups.list.pathKey() }),
    ]),
  );
  return { query, mutations };
};
