import { useMutation, useQueryClient } from "@tanstack/react-query";
import type * as z from "zod";
import type { CreateChatInput } from "@/contract/chat-inputs";
import type { Mentionable } from "@/lib/mentions";
import { addToChoice } from "@/lib/tool-choice";
import { type ChatView, emptyChatView } from "./chat-view";
import { useTRPCClient } from "./trpc";
import { useProblem } from "./use-connection";
import { toChatViewKey } from "./use-chat-stream";
import { useMentions } from "./use-mentionables";
import { useExpandCommand } from "./use-slash-commands";

/** What the server accepts, which it completes with defaults. */
export type NewChat = z.input<typeof CreateChatInput> & { content: string };

/** Creates chats with their first message; each error is a problem that the caller shows. */
export const useCreateChat = (onCreated: (chatId: string) => void) => {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const mentions = useMentions();
  const expandCommand = useExpandCommand();
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: async (input: NewChat) => {
      const mentioned = await mentions.find(input.content);
      const content = await expandCommand(input.content);
      return client.chats.create.mutate({ ...input, ...toChoice(input, mentioned), content });
    },
    onError: mentions.handleError,
  });
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

/** The choice of a new chat with what its first message mentions. */
const toChoice = ({ tools, groups = [] }: NewChat, mentioned: readonly Mentionable[]) => {
  const choice = addToChoice({ tools: tools ?? null, groups }, mentioned);
  return choice && { groups: choice.groups, ...(choice.tools && { tools: choice.tools }) };
};
