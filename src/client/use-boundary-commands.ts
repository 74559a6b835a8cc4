import { useMutation } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTRPC } from "./trpc";

/** What changes from where the model reads a chat. */
export const useBoundaryMutations = () => {
  const trpc = useTRPC();
  return {
    compact: useMutation(trpc.chats.compact.mutationOptions()),
    clear: useMutation(trpc.chats.clear.mutationOptions()),
    undo: useMutation(trpc.messages.undo.mutationOptions()),
  };
};

/** Returns the same function on each render. It takes what is done before each command. */
export const useBoundaryCommands = (mutations: ReturnType<typeof useBoundaryMutations>) => {
  const { mutate: compact } = mutations.compact;
  const { mutate: clear } = mutations.clear;
  const { mutate: undo } = mutations.undo;
  return useCallback(
    (startCommand: () => { chat_id: string }) => ({
      /** @param instructions what the summary has to keep in particular; "" for nothing. */
      compact: (instructions: string, onSuccess?: () => void): void =>
        compact(
          { ...startCommand(), ...(instructions !== "" && { instructions }) },
          onSuccess && { onSuccess },
        ),
      clearContext: (onSuccess?: () => void): void =>
        clear(startCommand(), onSuccess && { onSuccess }),
      undoBoundary: (messageId: string): void => undo({ ...startCommand(), message_id: messageId }),
    }),
    [compact, clear, undo],
  );
};
