import {
  type QueryKey,
  useMutation,
  type UseMutationOptions,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from "@tanstack/react-query";
import { useProblem } from "./use-connection";

/** Loads and saves a setting that is one value; a save updates the loaded value. */
export const useSetting = <Value, Failure, Key extends QueryKey>(
  reading: UseQueryOptions<Value, Failure, Value, Key>,
  writing: Pick<UseMutationOptions<Value, unknown, Value>, "mutationFn" | "mutationKey">,
) => {
  const queryClient = useQueryClient();
  const query = useQuery(reading);
  const { mutate, isPending, isSuccess, error } = useMutation({
    ...writing,
    onSuccess: (value) => queryClient.setQueryData<Value>(reading.queryKey, value),
  });
  return {
    query,
    onSave: (value: Value): void => mutate(value),
    isSaving: isPending,
    isSaved: isSuccess,
    problem: useProblem(error),
  };
};
