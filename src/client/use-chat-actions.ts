import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Chat } from "@/contract/chat";
import type { BusyBehavior } from "@/contract/chat-inputs";
import { applyEvent } from "./apply-event";
import type { ChatView } from "./chat-view";
import { problemOf } from "./problem-of";
import { useTRPC } from "./trpc";
import { chatViewKey } from "./use-chat-stream";
import { restoreDraft } from "./use-draft";

export type ChatActions = ReturnType<typeof useChatActions>;

/** What a person can do in a chat. What comes of it is told by the chat's stream. */
export const useChatActions = (chatId: string) => {
  const mutations = useChatMutations(chatId);
  const { send, edit, regenerate, interrupt, update } = mutations;
  const chat = { chat_id: chatId };
  const all = Object.values(mutations);
  const failed = all.find(({ error }) => error !== null);
  /** What failed before is settled by the next try of anything. */
  const afresh =
    <Args extends unknown[]>(run: (...args: Args) => void) =>
    (...args: Args): void => {
      for (const { error, reset } of all) if (error !== null) reset();
      run(...args);
    };

  return {
    sending: send.isPending,
    send: afresh((text: string, behavior: BusyBehavior) =>
      send.mutate(
        { ...chat, content: text, busy_behavior: behavior },
        { onError: () => restoreDraft(chatId, text) },
      ),
    ),
    savingEdit: edit.isPending,
    edit: afresh((messageId: string, text: string, onSaved: () => void) =>
      edit.mutate({ ...chat, message_id: messageId, content: text }, { onSuccess: onSaved }),
    ),
    regenerating: regenerate.isPending,
    regenerate: afresh(() => regenerate.mutate(chat)),
    interrupt: afresh(() => {
      if (!interrupt.isPending) interrupt.mutate(chat);
    }),
    update: afresh((changes: { title?: string; model_id?: string }) =>
      update.mutate({ ...chat, ...changes }),
    ),
    /** Why the last thing that was tried did not work. */
    failure: failed && problemOf(failed.error).detail,
  };
};

const useChatMutations = (chatId: string) => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  /** An answer may come before the stream's event; the newer of both counts. */
  const put = (answer: Chat): void => {
    queryClient.setQueryData<ChatView>(chatViewKey(chatId), (view) =>
      view?.chat
        ? applyEvent(view, { type: "chat", chat: { ...answer, queue: view.chat.queue } })
        : view,
    );
  };
  return {
    send: useMutation(trpc.messages.send.mutationOptions()),
    edit: useMutation(trpc.messages.edit.mutationOptions()),
    regenerate: useMutation(trpc.chats.regenerate.mutationOptions()),
    interrupt: useMutation(trpc.chats.interrupt.mutationOptions({ onSuccess: put })),
    update: useMutation(trpc.chats.update.mutationOptions({ onSuccess: put })),
  };
};
