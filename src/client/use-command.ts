import { useMutation } from "@tanstack/react-query";
import { useTRPCClient } from "./trpc";

type Client = ReturnType<typeof useTRPCClient>;

/** Runs commands without a result; the page only shows their failure. */
export const useCommand = () => {
  const client = useTRPCClient();
  return useMutation({
    mutationFn: (command: (client: Client) => Promise<unknown>) => command(client),
  });
};

type CommandDeps = {
  run: ReturnType<typeof useCommand>["mutate"];
  /** What is done before each command. */
  startCommand: () => { chat_id: string };
};

/** The commands that change which messages the model reads of a chat, and one for its tasks. */
export const createCommands = ({ run, startCommand }: CommandDeps) => ({
  /** @param instructions what the summary has to keep in particular; "" for nothing. */
  compact: (instructions: string, onSuccess?: () => void): void => {
    const input = { ...startCommand(), ...(instructions !== "" && { instructions }) };
    run(({ chats }) => chats.compact.mutate(input), onSuccess && { onSuccess });
  },
  clearContext: (onSuccess?: () => void): void => {
    const input = startCommand();
    run(({ chats }) => chats.clear.mutate(input), onSuccess && { onSuccess });
  },
  undoBoundary: (messageId: string): void => {
    const input = { ...startCommand(), message_id: messageId };
    run(({ messages }) => messages.undo.mutate(input));
  },
  /** Brings back what was replaced together with a message. */
  choose: (messageId: string): void => {
    const input = { ...startCommand(), message_id: messageId };
    run(({ messages }) => messages.choose.mutate(input));
  },
  cancelTask: (taskId: string): void => {
    startCommand();
    run(({ tasks }) => tasks.cancel.mutate({ task_id: taskId }));
  },
});
