import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Group } from "@/contract/group";
import type { Tool } from "@/contract/tool";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";

/** Loads the groups of the server with all tools that they may have, and replaces them. */
export const useGroups = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...trpc.config.getGroups.queryOptions({}),
    select: ({ groups }: { groups: Group[] }) => groups,
  });
  const tools = useQuery({
    ...trpc.tools.list.queryOptions({}),
    select: ({ data }: { data: Tool[] }) => data,
  });
  const reload = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.config.getGroups.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.groups.list.pathKey() }),
    ]);
  const save = useMutation(trpc.config.setGroups.mutationOptions({ onSuccess: reload }));
  const removal = useMutation(trpc.config.setGroups.mutationOptions({ onSettled: reload }));
  return {
    query,
    tools,
    save: (groups: Group[], onSaved: () => void): void =>
      save.mutate({ groups }, { onSuccess: onSaved }),
    /** Until the saved groups are loaded, as all are saved at once. */
    isSaving: save.isPending || removal.isPending,
    saveProblem: save.error ? toProblem(save.error) : undefined,
    forgetSave: save.reset,
    remove: (groups: Group[]): void => removal.mutate({ groups }),
    removalProblem: removal.error ? toProblem(removal.error) : undefined,
  };
};
