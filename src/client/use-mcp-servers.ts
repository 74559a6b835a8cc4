import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type {
  McpServer,
  McpServerInput,
  McpServerTestResult,
  UpdateMcpServerInput,
} from "@/contract/mcp-server";
import type { Problem } from "@/contract/problem";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";

type Test = { result?: McpServerTestResult; problem?: Problem };

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
  const creation = useMutation(trpc.mcpServers.create.mutationOptions({ onSuccess: reload }));
  const update = useMutation(trpc.mcpServers.update.mutationOptions({ onSuccess: reload }));
  const change = useMutation(trpc.mcpServers.update.mutationOptions({ onSettled: reload }));
  const deletion = useMutation(trpc.mcpServers.delete.mutationOptions({ onSettled: reload }));
  const saveError = creation.error ?? update.error;
  const changeError = change.error ?? deletion.error;
  return {
    query,
    ...useMcpServerTests(reload),
    create: (input: McpServerInput, onSaved: () => void): void =>
      creation.mutate(input, { onSuccess: onSaved }),
    update: (input: UpdateMcpServerInput, onSaved: () => void): void =>
      update.mutate(input, { onSuccess: onSaved }),
    isSaving: creation.isPending || update.isPending,
    saveProblem: saveError ? toProblem(saveError) : undefined,
    forgetSave: (): void => {
      creation.reset();
      update.reset();
    },
    toggle: (input: UpdateMcpServerInput): void => change.mutate(input),
    remove: (serverId: string): void => deletion.mutate({ server_id: serverId }),
    changeProblem: changeError ? toProblem(changeError) : undefined,
  };
};

/** Tests servers, and keeps the last test of each. */
const useMcpServerTests = (onTested: () => Promise<unknown>) => {
  const trpc = useTRPC();
  const [tests, setTests] = useState<Record<string, Test>>({});
  const { mutate } = useMutation(trpc.mcpServers.test.mutationOptions({ onSettled: onTested }));
  const test = (serverId: string): void => {
    const setTest = (next: Test): void =>
      setTests((previous) => ({ ...previous, [serverId]: next }));
    setTest({});
    mutate(
      { server_id: serverId },
      {
        onSuccess: (result) => setTest({ result }),
        onError: (error) => setTest({ problem: toProblem(error) }),
      },
    );
  };
  return { tests, test };
};
