import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";
import { useRecordMutations } from "./use-record-mutations";
import { useTrials } from "./use-trials";

/** Loads the recipes of the server, and adds, changes, runs and deletes them. */
export const useRecipes = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.recipes.list.queryOptions({}));
  const reload = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.recipes.list.pathKey() }),
      // They are tools, too.
      queryClient.invalidateQueries({ queryKey: trpc.tools.list.pathKey() }),
    ]);
  const { onDelete, ...mutations } = useRecordMutations({
    create: trpc.recipes.create.mutationOptions(),
    update: trpc.recipes.update.mutationOptions(),
    delete: trpc.recipes.delete.mutationOptions(),
    reload,
  });
  const { trials, start } = useTrials(trpc.recipes.run.mutationOptions());
  const fileReload = useMutation(trpc.recipes.reload.mutationOptions({ onSettled: reload }));
  return {
    query,
    ...mutations,
    onReloadFiles: (): void => fileReload.mutate({}),
    isReloadingFiles: fileReload.isPending,
    reloadProblem: fileReload.error ? toProblem(fileReload.error) : undefined,
    trials,
    onTry: (name: string): void => start(name, { name }),
    onDelete: (name: string): void => onDelete({ name }),
  };
};
