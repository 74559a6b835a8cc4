import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Content } from "@/contract/content";
import type { McpCommand } from "@/contract/mcp-command";
import type { Artifact } from "@/contract/part";
import { toContent } from "@/contract/to-content";
import { findCommandWord, readCommand, type SlashCommand } from "@/lib/commands";
import { toProblem } from "./to-problem";
import { useTRPC, useTRPCClient } from "./trpc";
import { deleteUpload } from "./upload-file";

const NO_COMMANDS: McpCommand[] = [];
const NO_OWN_COMMANDS: readonly SlashCommand[] = [];
const NO_NOTICES: readonly string[] = [];

/**
 * Loads the commands that a message may begin with.
 *
 * @param draft the text that is being written: most begin with no slash, and need no commands.
 * @param own those of the chat itself.
 */
export const useSlashCommands = (draft: string, own: readonly SlashCommand[] = NO_OWN_COMMANDS) => {
  const trpc = useTRPC();
  const { data, isLoading, error } = useQuery({
    ...trpc.mcpCommands.list.queryOptions({}),
    enabled: draft.trimStart().startsWith("/"),
  });
  return {
    known: useMemo(() => [...own, ...(data?.data ?? NO_COMMANDS)], [own, data]),
    notices: data?.notices ?? NO_NOTICES,
    /** Why they are not known. */
    problem: error && !data ? toProblem(error).detail : undefined,
    /** True while it is not known whether the text begins with a command; all of them name a server before a colon. */
    isLoading: isLoading && (findCommandWord(draft)?.includes(":") ?? false),
  };
};

type WrittenMessage = { text: string; files: readonly Pick<Artifact, "id">[] };

/**
 * Returns a function that sends a message in which the command at the beginning is replaced by what it stands for. It knows
 * the commands that the composer knew when it let the message be sent. Rejects when the command has no content, or as
 * `send` does.
 */
export const useSendExpanded = () => {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const expand = async (text: string): Promise<WrittenMessage> => {
    const list = queryClient.getQueryData(trpc.mcpCommands.list.queryKey({}));
    const written = readCommand(text, list?.data ?? NO_COMMANDS);
    if (!written) return { text, files: [] };
    const { command, arguments: args, rest } = written;
    const found = await client.mcpCommands.run.mutate({ name: command.name, arguments: args });
    const texts = [found.text, rest].filter((part) => part !== "");
    return { text: texts.join("\n\n"), files: found.files };
  };
  return async <Sent>(
    message: WrittenMessage,
    send: (content: Content) => Promise<Sent>,
  ): Promise<Sent> => {
    const { text, files } = await expand(message.text);
    const ids = [...message.files, ...files].map(({ id }) => id);
    try {
      return await send(toContent(text, ids));
    } catch (error) {
      // The command is the draft again, and brings its files anew.
      for (const { id } of files) deleteUpload(id);
      throw error;
    }
  };
};
