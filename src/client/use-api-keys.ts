import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";

/** Loads, creates and revokes the API keys of the user. */
export const useApiKeys = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.apiKeys.list.queryOptions({}, { select: ({ data }) => data }));
  const reload = () => queryClient.invalidateQueries({ queryKey: trpc.apiKeys.list.queryKey({}) });
  const creation = useMutation(
    // The result has the text of the key, so it is not cached.
    trpc.apiKeys.create.mutationOptions({ onSuccess: reload, gcTime: 0 }),
  );
  const revocation = useMutation(trpc.apiKeys.revoke.mutationOptions({ onSettled: reload }));
  return {
    query,
    create: creation.mutate,
    isCreating: creation.isPending,
    createProblem: creation.error ? toProblem(creation.error) : undefined,
    /** The key that was just created, until it is forgotten. */
    createdKey: creation.data,
    forgetCreated: creation.reset,
    revoke: (id: string): void => revocation.mutate({ key_id: id }),
    revokingId: revocation.isPending ? revocation.variables.key_id : undefined,
    isRevoked: revocation.isSuccess,
    revokeProblem: revocation.error ? toProblem(revocation.error) : undefined,
  };
};
