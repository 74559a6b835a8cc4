import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Model, ModelTestResult } from "@/contract/model";
import type { CreateModelInput, UpdateModelInput } from "@/contract/model-inputs";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";

/** Loads all models of the server, and adds, changes, tests and deletes them. */
export const useModelSettings = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(
    trpc.models.list.queryOptions({ all: true }, { select: ({ data }) => data }),
  );
  // With every list of models, that of the chats' picker too.
  const reload = () => queryClient.invalidateQueries({ queryKey: trpc.models.list.pathKey() });
  const [tests, setTests] = useState<Record<string, { result: ModelTestResult | undefined }>>({});
  const { mutate: mutateTest } = useMutation(trpc.models.test.mutationOptions());
  const test = (model_id: string): void => {
    const setResult = (result: ModelTestResult | undefined): void =>
      setTests((previous) => ({ ...previous, [model_id]: { result } }));
    setResult(undefined);
    mutateTest(
      { model_id },
      {
        onSuccess: setResult,
        onError: (error) =>
          setResult({ ok: false, message: toProblem(error).detail, duration_ms: 0 }),
      },
    );
  };
  // The inputs have a key, so that they are not cached.
  const options = { onSuccess: reload, gcTime: 0 };
  const creation = useMutation(trpc.models.create.mutationOptions(options));
  const update = useMutation(trpc.models.update.mutationOptions(options));
  const change = useMutation(trpc.models.update.mutationOptions({ onSettled: reload }));
  const deletion = useMutation(trpc.models.delete.mutationOptions({ onSettled: reload }));
  const testSaved = (onSaved: () => void) => ({
    onSuccess: ({ id }: Model): void => {
      onSaved();
      test(id);
    },
  });
  const saveError = creation.error ?? update.error;
  const changeError = change.error ?? deletion.error;
  return {
    query,
    tests,
    test,
    create: (input: CreateModelInput, onSaved: () => void): void =>
      creation.mutate(input, testSaved(onSaved)),
    update: (input: UpdateModelInput, onSaved: () => void): void =>
      update.mutate(input, testSaved(onSaved)),
    isSaving: creation.isPending || update.isPending,
    saveProblem: saveError ? toProblem(saveError) : undefined,
    forgetSave: (): void => {
      creation.reset();
      update.reset();
    },
    change: change.mutate,
    remove: (model_id: string): void => deletion.mutate({ model_id }),
    changeProblem: changeError ? toProblem(changeError) : undefined,
  };
};
