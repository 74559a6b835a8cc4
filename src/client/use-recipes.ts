import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Problem } from "@/contract/problem";
import type { RecipeInput, RecipeRun } from "@/contract/recipe";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";

type Trial = { result?: RecipeRun; problem?: Problem };

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
  const [trials, setTrials] = useState<Record<string, Trial>>({});
  const { mutate: mutateRun } = useMutation(trpc.recipes.run.mutationOptions());
  const run = (name: string): void => {
    const setTrial = (trial: Trial): void =>
      setTrials((previous) => ({ ...previous, [name]: trial }));
    setTrial({});
    mutateRun(
      { name },
      {
        onSuccess: (result) => setTrial({ result }),
        onError: (error) => setTrial({ problem: toProblem(error) }),
      },
    );
  };
  const creation = useMutation(trpc.recipes.create.mutationOptions({ onSuccess: reload }));
  const update = useMutation(trpc.recipes.update.mutationOptions({ onSuccess: reload }));
  const change = useMutation(trpc.recipes.update.mutationOptions({ onSettled: reload }));
  const deletion = useMutation(trpc.recipes.delete.mutationOptions({ onSettled: reload }));
  const fileReload = useMutation(trpc.recipes.reload.mutationOptions({ onSettled: reload }));
  const saveError = creation.error ?? update.error;
  const changeError = change.error ?? deletion.error;
  return {
    query,
    reloadFiles: (): void => fileReload.mutate({}),
    isReloadingFiles: fileReload.isPending,
    reloadProblem: fileReload.error ? toProblem(fileReload.error) : undefined,
    trials,
    run,
    create: (input: RecipeInput, onSaved: () => void): void =>
      creation.mutate(input, { onSuccess: onSaved }),
    update: (input: RecipeInput, onSaved: () => void): void =>
      update.mutate(input, { onSuccess: onSaved }),
    isSaving: creation.isPending || update.isPending,
    saveProblem: saveError ? toProblem(saveError) : undefined,
    forgetSave: (): void => {
      creation.reset();
      update.reset();
    },
    toggle: (input: RecipeInput): void => change.mutate(input),
    remove: (name: string): void => deletion.mutate({ name }),
    changeProblem: changeError ? toProblem(changeError) : undefined,
  };
};
