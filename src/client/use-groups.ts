import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { GroupsConfig } from "@/contract/group";
import type { Tool } from "@/contract/tool";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";

/** Loads the groups of the server with all tools that they may have, and replaces them. */
export const useGroups = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.config.getGroups.queryOptions({}));
  const tools = useQuery({
    ...trpc.tools.list.queryOptions({}),
    select: ({ data }: { data: Tool[] }) => data,
  });
  const reload = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.config.getGroups.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.groups.list.pathKey() }),
    ]);
  // Also after a failure, which may be a conflict with a newer version.
  const options = trpc.config.setGroups.mutationOptions({ onSettled: reload });
  const save = useMutation(options);
  const removal = useMutation(options);
  return {
    query,
    tools,
    save: (config: GroupsConfig, onSaved: () => void): void =>
      save.mutate(config, { onSuccess: onSaved }),
    /** Until the saved groups are loaded, as all are saved at once. */
    isSaving: save.isPending || removal.isPending,
    saveProblem: save.error ? toProblem(save.error) : undefined,
    forgetSave: save.reset,
    remove: (config: GroupsConfig): void => removal.mutate(config),
    removalProblem: removal.error ? toProblem(removal.error) : undefined,
  };
};
