import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "./trpc";
import { useProblem } from "./use-connection";

const QUERY_KEY = ["approval-rules"];

/** Loads and revokes what the user's chats may always do. */
export const useApprovalRules = () => {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ pageParam, signal }) =>
      client.approvalRules.list.query(pageParam === undefined ? {} : { cursor: pageParam }, {
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
  const revocation = useMutation(
    trpc.approvalRules.revoke.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: QUERY_KEY }),
    }),
  );
  return {
    query,
    revoke: (id: string): void => revocation.mutate({ rule_id: id }),
    revokingId: revocation.isPending ? revocation.variables.rule_id : undefined,
    isRevoked: revocation.isSuccess,
    revokeProblem: useProblem(revocation.error),
  };
};
