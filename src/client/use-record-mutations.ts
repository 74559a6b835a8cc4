import { useMutation, type UseMutationOptions } from "@tanstack/react-query";
import { useProblem } from "./use-connection";

type Call<Input, Output> = Pick<
  UseMutationOptions<Output, unknown, Input>,
  "mutationFn" | "mutationKey"
>;

type RecordCalls<Create, Update, Delete, Output> = {
  create: Call<Create, Output>;
  update: Call<Update, Output>;
  delete: Call<Delete, unknown>;
  /** Loads what the page shows of the records. */
  reload: () => Promise<unknown>;
};

/**
 * Adds, changes and deletes records of the settings. What a form saves and what a row changes at once have a problem
 * each, which is shown at its place.
 */
export const useRecordMutations = <Create, Update, Delete, Output>({
  reload,
  ...calls
}: RecordCalls<Create, Update, Delete, Output>) => {
  // The inputs of forms may have secrets, so they are not cached.
  const saving = { onSuccess: reload, gcTime: 0 };
  const creation = useMutation({ ...calls.create, ...saving });
  const update = useMutation({ ...calls.update, ...saving });
  const change = useMutation({ ...calls.update, onSettled: reload });
  const deletion = useMutation({ ...calls.delete, onSettled: reload });
  const saveError = creation.error ?? update.error;
  const changeError = change.error ?? deletion.error;
  return {
    onCreate: (input: Create, onSaved: (saved: Output) => void): void =>
      creation.mutate(input, { onSuccess: onSaved }),
    onUpdate: (input: Update, onSaved: (saved: Output) => void): void =>
      update.mutate(input, { onSuccess: onSaved }),
    isSaving: creation.isPending || update.isPending,
    saveProblem: useProblem(saveError),
    onCloseForm: (): void => {
      creation.reset();
      update.reset();
    },
    /** Changes a record outside of its form. */
    onChange: (input: Update): void => change.mutate(input),
    onDelete: (input: Delete): void => deletion.mutate(input),
    changeProblem: useProblem(changeError),
  };
};
