import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { forgetFreshKey, keepFreshKey } from "./fresh-key";
import { useTRPC } from "./trpc";
import { useProblem } from "./use-connection";

/** Loads, creates and revokes the API keys of the user. */
export const useApiKeys = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.apiKeys.list.queryOptions({}, { select: ({ data }) => data }));
  const reload = () => queryClient.invalidateQueries({ queryKey: trpc.apiKeys.list.queryKey({}) });
  const creation = useMutation(
    // The result has the text of the key, so it is not cached.
    trpc.apiKeys.create.mutationOptions({
      onSuccess: (key) => {
        keepFreshKey(key);
        return reload();
      },
      gcTime: 0,
    }),
  );
  const revocation = useMutation(
    trpc.apiKeys.revoke.mutationOptions({
      onSuccess: (_, { key_id }) => forgetFreshKey(key_id),
      onSettled: reload,
    }),
  );
  return {
    query,
    create: creation.mutate,
    isCreating: creation.isPending,
    createProblem: useProblem(creation.error),
    /** The key that was just created, until it is forgotten. */
    createdKey: creation.data,
    forgetCreated: creation.reset,
    revoke: (id: string): void => revocation.mutate({ key_id: id }),
    revokingId: revocation.isPending ? revocation.variables.key_id : undefined,
    isRevoked: revocation.isSuccess,
    revokeProblem: useProblem(revocation.error),
  };
};
