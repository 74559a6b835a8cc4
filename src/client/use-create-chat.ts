import { useMutation } from "@tanstack/react-query";
import { problemOf } from "./problem-of";
import { useTRPC } from "./trpc";
import { restoreDraft } from "./use-draft";

type NewChat = { text: string; modelId: string | null };

/** Starts a chat with its first message; a text that was not taken goes back to the composer. */
export const useCreateChat = (onCreated: (chatId: string) => void) => {
  const trpc = useTRPC();
  const { mutate, isPending, isSuccess, error } = useMutation(trpc.chats.create.mutationOptions());
  const create = ({ text, modelId }: NewChat): void =>
    mutate(
      { content: text, ...(modelId !== null && { model_id: modelId }) },
      {
        onSuccess: ({ id }) => onCreated(id),
        onError: () => restoreDraft("new", text),
      },
    );
  return {
    create,
    busy: isPending || isSuccess,
    error: error ? problemOf(error).detail : undefined,
  };
};
