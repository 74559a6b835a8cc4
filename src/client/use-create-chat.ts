import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ChatView, emptyChatView } from "./chat-view";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";
import { toChatViewKey } from "./use-chat-stream";
import { restoreDraft } from "./use-draft";

type NewChat = { text: string; modelId: string | null };

/** Creates a chat with its first message; on an error the text returns to the composer. */
export const useCreateChat = (onCreated: (chatId: string) => void) => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending, isSuccess, error } = useMutation(trpc.chats.create.mutationOptions());
  const create = ({ text, modelId }: NewChat): void =>
    mutate(
      { content: text, ...(modelId !== null && { model_id: modelId }) },
      {
        onSuccess: (chat) => {
          // The stream starts at version 0 and brings the rest, so the screen need not load.
          queryClient.setQueryData<ChatView>(toChatViewKey(chat.id), {
            ...emptyChatView,
            chat: { ...chat, queue: [] },
          });
          onCreated(chat.id);
        },
        onError: () => restoreDraft("new", text),
      },
    );
  return {
    create,
    isBusy: isPending || isSuccess,
    errorMessage: error ? toProblem(error).detail : undefined,
  };
};
