import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toProblem } from "./to-problem";
import { useTRPC, useTRPCClient } from "./trpc";
import { useProblem } from "./use-connection";

/** Loads and ends the sessions of the user, and changes the password, which ends all others. */
export const useSessions = () => {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.account.sessions.queryOptions({}, { select: ({ data }) => data }));
  const reload = () =>
    queryClient.invalidateQueries({ queryKey: trpc.account.sessions.queryKey({}) });
  const ending = useMutation({
    mutationFn: (ids: readonly string[]) =>
      Promise.all(
        ids.map((id) => client.account.endSession.mutate({ session_id: id }).catch(ignoreNotFound)),
      ),
    onSettled: reload,
  });
  const change = useMutation(
    // The input has the passwords, so it is not cached.
    trpc.account.changePassword.mutationOptions({ onSuccess: reload, gcTime: 0 }),
  );
  return {
    query,
    end: ending.mutate,
    endingIds: ending.isPending ? ending.variables : [],
    isEnded: ending.isSuccess,
    endProblem: useProblem(ending.error),
    changePassword: change.mutate,
    isChangingPassword: change.isPending,
    isPasswordChanged: change.isSuccess,
    passwordProblem: useProblem(change.error),
  };
};

/** A session of the list may have ended since it was loaded. */
const ignoreNotFound = (error: unknown): void => {
  if (toProblem(error).code !== "not_found") throw error;
};
