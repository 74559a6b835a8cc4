import { useMutation, useQueryClient } from "@tanstack/react-query";
import type * as z from "zod";
import type { CreateChatInput } from "@/contract/chat-inputs";
import { type ChatView, emptyChatView } from "./chat-view";
import { useTRPC } from "./trpc";
import { useProblem } from "./use-connection";
import { toChatViewKey } from "./use-chat-stream";

/** What the server accepts, which it completes with defaults. */
export type NewChat = z.input<typeof CreateChatInput>;

/** Creates chats with their first message; each error is a problem that the caller shows. */
export const useCreateChat = (onCreated: (chatId: string) => void) => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending, isSuccess, error, reset } = useMutation(
    trpc.chats.create.mutationOptions(),
  );
  const problem = useProblem(error);
  const create = (input: NewChat, onError?: () => void): void =>
    mutate(input, {
      onSuccess: (chat) => {
        // The stream starts at version 0 and brings the rest, so the screen need not load.
        queryClient.setQueryData<ChatView>(toChatViewKey(chat.id), {
          ...emptyChatView,
          chat: { ...chat, queue: [] },
        });
        onCreated(chat.id);
      },
      ...(onError && { onError }),
    });
  return {
    create,
    reset,
    isBusy: isPending || isSuccess,
    problem,
  };
};
