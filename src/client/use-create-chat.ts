import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ChatView, emptyChatView } from "./chat-view";
import { problemOf } from "./problem-of";
import { useTRPC } from "./trpc";
import { chatViewKey } from "./use-chat-stream";
import { restoreDraft } from "./use-draft";

type NewChat = { text: string; modelId: string | null };

/** Starts a chat with its first message; a text that was not taken goes back to the composer. */
export const useCreateChat = (onCreated: (chatId: string) => void) => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending, isSuccess, error } = useMutation(trpc.chats.create.mutationOptions());
  const create = ({ text, modelId }: NewChat): void =>
    mutate(
      { content: text, ...(modelId !== null && { model_id: modelId }) },
      {
        onSuccess: (chat) => {
          // Its stream tells the rest from the beginning, so the screen has nothing to load.
          queryClient.setQueryData<ChatView>(chatViewKey(chat.id), {
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
    busy: isPending || isSuccess,
    error: error ? problemOf(error).detail : undefined,
  };
};
