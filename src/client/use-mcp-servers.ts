import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { McpServer, McpServerInput } from "@/contract/mcp-server";
import type { Problem } from "@/contract/problem";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";
import { useRecordMutations } from "./use-record-mutations";
import { useTrials } from "./use-trials";

/** A state changes without a message to the page; that of a server that is connecting changes soon. */
const REFRESH_MS = 15_000;
const CONNECTING_REFRESH_MS = 1_000;

const findInterval = (servers: readonly McpServer[] = []): number =>
  servers.some(({ state }) => state === "connecting") ? CONNECTING_REFRESH_MS : REFRESH_MS;

/** Loads the MCP servers with their states, and adds, changes, tests and deletes them. */
export const useMcpServers = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(
    trpc.mcpServers.list.queryOptions(
      {},
      {
        select: ({ data }) => data,
        refetchInterval: ({ state }) => findInterval(state.data?.data),
      },
    ),
  );
  const reload = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.mcpServers.list.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.tools.list.pathKey() }),
    ]);
  const { onDelete, ...mutations } = useRecordMutations({
    create: trpc.mcpServers.create.mutationOptions(),
    update: trpc.mcpServers.update.mutationOptions(),
    delete: trpc.mcpServers.delete.mutationOptions(),
    reload,
  });
  // The input may have secrets, so it is not cached.
  const addition = useMutation({
    ...trpc.mcpServers.create.mutationOptions(),
    onSuccess: reload,
    gcTime: 0,
  });
  const { trials, start } = useTrials(trpc.mcpServers.test.mutationOptions(), reload);
  return {
    query,
    ...mutations,
    trials,
    onTry: (server_id: string): void => start(server_id, { server_id }),
    onImport: async (server: McpServerInput): Promise<Problem | undefined> => {
      try {
        await addition.mutateAsync(server);
        return undefined;
      } catch (error) {
        return toProblem(error);
      }
    },
    onDelete: (server_id: string): void => onDelete({ server_id }),
  };
};
