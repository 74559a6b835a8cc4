import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { DiscoveredModels, Model, ModelTestResult } from "@/contract/model";
import type {
  CreateModelInput,
  DiscoverModelsInput,
  UpdateModelInput,
} from "@/contract/model-inputs";
import { toSentence } from "@/lib/humanize";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";
import { useRecordMutations } from "./use-record-mutations";

/** A test of a model; without a result while it runs. */
type ModelTest = { result: ModelTestResult | undefined; makesDefault: boolean };

const toFailedTest = (error: unknown): ModelTestResult => ({
  ok: false,
  message: toProblem(error).detail,
  duration_ms: 0,
});

const toFailedList = (error: unknown): DiscoveredModels => {
  const { detail, errors = [] } = toProblem(error);
  return { ok: false, message: toSentence(errors[0]?.message ?? detail), data: [] };
};

/** Loads all models of the server, and adds, changes, tests and deletes them. */
export const useModelSettings = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(
    trpc.models.list.queryOptions({ all: true }, { select: ({ data }) => data }),
  );
  // With every list of models, that of the chats' picker too.
  const reload = () => queryClient.invalidateQueries({ queryKey: trpc.models.list.pathKey() });
  const { onCreate, onUpdate, onDelete, ...mutations } = useRecordMutations({
    create: trpc.models.create.mutationOptions(),
    update: trpc.models.update.mutationOptions(),
    delete: trpc.models.delete.mutationOptions(),
    reload,
  });
  const [trials, setTrials] = useState<Record<string, ModelTest>>({});
  const { mutateAsync: callModel } = useMutation(trpc.models.test.mutationOptions());
  // The input may have a key, so it is not cached.
  const { mutateAsync: discover } = useMutation({
    ...trpc.models.discover.mutationOptions(),
    gcTime: 0,
  });
  /** @param makesDefault only a model that answers becomes the default, even if the page is left meanwhile. */
  const test = async (model_id: string, makesDefault: boolean): Promise<void> => {
    const setResult = (result: ModelTestResult | undefined): void =>
      setTrials((previous) => ({ ...previous, [model_id]: { result, makesDefault } }));
    setResult(undefined);
    const result = await callModel({ model_id }).catch(toFailedTest);
    if (result.ok && makesDefault) mutations.onChange({ model_id, is_default: true });
    setResult(result);
  };
  const testSaved =
    (makesDefault: boolean, onSaved: () => void) =>
    ({ id }: Model): void => {
      onSaved();
      test(id, makesDefault).catch(reportError);
    };
  return {
    query,
    ...mutations,
    trials,
    onTry: (model_id: string): void => {
      test(model_id, false).catch(reportError);
    },
    onCreate: ({ is_default, ...input }: CreateModelInput, onSaved: () => void): void =>
      onCreate({ ...input, is_default: false }, testSaved(is_default, onSaved)),
    onUpdate: ({ is_default = false, ...input }: UpdateModelInput, onSaved: () => void): void =>
      onUpdate(input, testSaved(is_default, onSaved)),
    onDiscover: (input: DiscoverModelsInput): Promise<DiscoveredModels> =>
      discover(input).catch(toFailedList),
    onDelete: (model_id: string): void => onDelete({ model_id }),
  };
};
