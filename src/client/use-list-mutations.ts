import { useMutation, type UseMutationOptions } from "@tanstack/react-query";
import { useProblem } from "./use-connection";

type Replacement<List, Saved> = Pick<
  UseMutationOptions<Saved, unknown, List>,
  "mutationFn" | "mutationKey"
>;

/**
 * Replaces a list of the settings as a whole. What a form saves and what a row removes have a problem each, which is
 * shown at its place.
 *
 * @param reload loads what the page shows of the list.
 */
export const useListMutations = <List, Saved>(
  replacement: Replacement<List, Saved>,
  reload: () => Promise<unknown>,
) => {
  // Also after a failure, which may be a conflict with a newer version.
  const options = { ...replacement, onSettled: reload };
  const save = useMutation(options);
  const removal = useMutation(options);
  return {
    onSave: (list: List, onSaved: () => void): void => save.mutate(list, { onSuccess: onSaved }),
    /** Until the saved list is loaded, as all is saved at once. */
    isSaving: save.isPending || removal.isPending,
    saveProblem: useProblem(save.error),
    onCloseForm: save.reset,
    onRemove: (list: List): void => removal.mutate(list),
    changeProblem: useProblem(removal.error),
  };
};
