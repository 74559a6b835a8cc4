import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import type { OpenCall } from "@/contract/call";
import { useTRPC } from "./trpc";
import { useProblem } from "./use-connection";

/** How often it is asked whether programs are connected. */
const INTERVAL_MS = 15_000;

/** Loads and removes the toolsets of the user. */
export const useToolsets = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(
    trpc.toolsets.list.queryOptions(
      {},
      { select: ({ data }) => data, refetchInterval: INTERVAL_MS },
    ),
  );
  const removal = useMutation(
    trpc.toolsets.delete.mutationOptions({
      onSettled: () =>
        Promise.all(
          [trpc.toolsets.list.queryKey({}), trpc.tools.list.queryKey({})].map((queryKey) =>
            queryClient.invalidateQueries({ queryKey }),
          ),
        ),
    }),
  );
  return {
    query,
    remove: (name: string): void => removal.mutate({ name }),
    removingName: removal.isPending ? removal.variables.name : undefined,
    isRemoved: removal.isSuccess,
    problem: useProblem(removal.error),
  };
};

/**
 * Finds the toolsets of open calls that no program is connected for.
 *
 * @returns since when, by their names; null for very long.
 */
export const useAbsentToolsets = (
  calls: readonly OpenCall[],
): Readonly<Record<string, string | null>> => {
  const trpc = useTRPC();
  const names = new Set(
    calls.flatMap(({ toolset, claim }) => (toolset === undefined || claim ? [] : [toolset])),
  );
  return useQueries({
    queries: [...names].map((name) =>
      trpc.toolsets.get.queryOptions({ name }, { refetchInterval: INTERVAL_MS, retry: false }),
    ),
    combine: (results) =>
      Object.fromEntries(
        results.flatMap(({ data }) =>
          data?.runners.length === 0 ? [[data.name, data.last_seen_at]] : [],
        ),
      ),
  });
};
