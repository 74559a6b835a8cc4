import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { StartingText } from "@/contract/starting-text";
import { toProblem } from "./to-problem";
import { useTRPC, useTRPCClient } from "./trpc";
import { useProblem } from "./use-connection";

const NO_TEXTS: readonly StartingText[] = [];

/**
 * Loads and changes the texts that the person begins chats with.
 *
 * @param rendered those that the server has rendered, shown while they load; none by default.
 */
export const useStartingTexts = (rendered: readonly StartingText[] = NO_TEXTS) => {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { data } = useQuery(
    trpc.startingTexts.list.queryOptions({}, { select: (list) => list.data }),
  );
  const onSettled = () =>
    queryClient.invalidateQueries({ queryKey: trpc.startingTexts.list.queryKey({}) });
  const creation = useMutation(trpc.startingTexts.create.mutationOptions({ onSettled }));
  const removal = useMutation({
    mutationFn: (id: string) =>
      client.startingTexts.delete.mutate({ text_id: id }).catch(ignoreNotFound),
    onSettled,
  });
  const removedId = removal.isPending ? removal.variables : undefined;
  const problem = useProblem(creation.error ?? removal.error);
  return {
    texts: (data ?? rendered).filter(({ id }) => id !== removedId),
    isKeeping: creation.isPending,
    onKeep: (text: string): void => creation.mutate({ text }),
    onRemove: (id: string): void => removal.mutate(id),
    error: problem?.detail,
  };
};

/** Another page of the person has removed it. */
const ignoreNotFound = (error: unknown): void => {
  if (toProblem(error).code !== "not_found") throw error;
};
