import { useMutation, useQueryClient } from "@tanstack/react-query";
import type * as z from "zod";
import type { CreateChatInput } from "@/contract/chat-inputs";
import type { Artifact } from "@/contract/part";
import type { Mentionable } from "@/lib/mentions";
import { addToChoice } from "@/lib/tool-choice";
import { type ChatView, emptyChatView } from "./chat-view";
import { useTRPCClient } from "./trpc";
import { useProblem } from "./use-connection";
import { toChatViewKey } from "./use-chat-stream";
import { restoreDraft, sendDraft } from "./use-draft";
import { useMentions } from "./use-mentionables";
import { restoreNewChatChoice } from "./use-new-chat-choice";
import { useSendExpanded } from "./use-slash-commands";

/** What the server accepts, which it completes with defaults. */
export type NewChat = z.input<typeof CreateChatInput> & { content: string };

/** `files`: its message was written in the composer, which it returns to if it cannot be sent. */
type ChatCreation = { chat: NewChat; files?: readonly Artifact[] };

/** Creates chats with their first message; each error is a problem that the caller shows. */
export const useCreateChat = (onCreated: (chatId: string) => void) => {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const mentions = useMentions();
  const sendExpanded = useSendExpanded();
  const sendWritten = (chat: NewChat, files: readonly Artifact[]) => {
    const written = { text: chat.content, files };
    return sendDraft("new", written, async (options) => {
      const choice = toChoice(chat, await mentions.find(chat.content));
      return sendExpanded(written, (content) =>
        client.chats.create.mutate({ ...chat, ...choice, content }, options),
      );
    });
  };
  const { mutate, isPending, data, error, reset } = useMutation({
    mutationFn: async ({ chat, files }: ChatCreation) =>
      files ? sendWritten(chat, files) : client.chats.create.mutate(chat),
    // The callbacks of `mutate` are not called after the page was left.
    onError: (failure, { chat, files }) => {
      if (!files) return;
      restoreDraft("new", { text: chat.content, files });
      restoreNewChatChoice(chat);
      mentions.handleError(failure);
    },
  });
  const problem = useProblem(error);
  const start = (creation: ChatCreation): void =>
    mutate(creation, {
      onSuccess: (created) => {
        // The person has changed the message meanwhile.
        if (!created) return;
        const chat = "chat" in created ? created.chat : created;
        // The stream starts at version 0 and brings the rest, so the screen need not load.
        queryClient.setQueryData<ChatView>(toChatViewKey(chat.id), {
          ...emptyChatView,
          chat: { ...chat, queue: [] },
        });
        onCreated(chat.id);
      },
    });
  return {
    /** Creates a chat whose message is sent as it is. */
    create: (chat: NewChat): void => start({ chat }),
    /** Creates a chat whose message may choose tools by mentions and begin with a command. */
    send: (chat: NewChat, files: readonly Artifact[]): void => start({ chat, files }),
    reset,
    isBusy: isPending || data !== undefined,
    problem,
  };
};

/** The choice of a new chat with what its first message mentions. */
const toChoice = ({ tools, groups = [] }: NewChat, mentioned: readonly Mentionable[]) => {
  const choice = addToChoice({ tools: tools ?? null, groups }, mentioned);
  return choice && { groups: choice.groups, ...(choice.tools && { tools: choice.tools }) };
};
