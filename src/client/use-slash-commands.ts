import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { McpCommand } from "@/contract/mcp-command";
import { findCommandWord, readCommand } from "@/lib/commands";
import { toProblem } from "./to-problem";
import { useTRPC, useTRPCClient } from "./trpc";

const NO_COMMANDS: McpCommand[] = [];
const NO_NOTICES: readonly string[] = [];

/**
 * Loads the commands that a message may begin with.
 *
 * @param draft the text that is being written: most begin with no slash, and need no commands.
 */
export const useSlashCommands = (draft: string) => {
  const trpc = useTRPC();
  const { data, isLoading, error } = useQuery({
    ...trpc.mcpCommands.list.queryOptions({}),
    enabled: draft.trimStart().startsWith("/"),
  });
  return {
    known: data?.data ?? NO_COMMANDS,
    notices: data?.notices ?? NO_NOTICES,
    /** Why they are not known. */
    problem: error && !data ? toProblem(error).detail : undefined,
    /** True while it is not known whether the text begins with a command; all of them name a server before a colon. */
    isLoading: isLoading && (findCommandWord(draft)?.includes(":") ?? false),
  };
};

/**
 * Returns a function that replaces the command at the beginning of a text by what it stands for. It knows the commands
 * that the composer knew when it let the text be sent. Rejects when the command has no text.
 */
export const useExpandCommand = () => {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return async (text: string): Promise<string> => {
    const list = queryClient.getQueryData(trpc.mcpCommands.list.queryKey({}));
    const written = readCommand(text, list?.data ?? NO_COMMANDS);
    if (!written) return text;
    const { command, arguments: args, rest } = written;
    const found = await client.mcpCommands.run.mutate({ name: command.name, arguments: args });
    return [found.text, rest].filter((part) => part !== "").join("\n\n");
  };
};
