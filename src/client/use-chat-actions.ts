import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
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
  const { send, edit, regenerate } = mutations;
  const failed = Object.values(mutations).find(({ error }) => error !== null);
  return {
    ...useCommands(chatId, mutations),
    sending: send.isPending,
    savingEdit: edit.isPending,
    regenerating: regenerate.isPending,
    /** Why the last thing that was tried did not work. */
    failure: failed && problemOf(failed.error).detail,
  };
};

/** The same functions at each render, so that rows need not be drawn again with every token. */
const useCommands = (chatId: string, mutations: ReturnType<typeof useChatMutations>) => {
  const { mutate: send, reset: resetSend } = mutations.send;
  const { mutate: edit, reset: resetEdit } = mutations.edit;
  const { mutate: regenerate, reset: resetRegenerate } = mutations.regenerate;
  const { mutate: interrupt, reset: resetInterrupt } = mutations.interrupt;
  const { mutate: update, reset: resetUpdate } = mutations.update;
  const resets = useStable([resetSend, resetEdit, resetRegenerate, resetInterrupt, resetUpdate]);
  return useMemo(() => {
    /** What failed before is settled by the next try of anything. */
    const chat = () => {
      resets.forEach((reset) => reset());
      return { chat_id: chatId };
    };
    return {
      send: (text: string, behavior: BusyBehavior): void =>
        send({ ...chat(), content: text, busy_behavior: behavior }),
      edit: (messageId: string, text: string): void =>
        edit({ ...chat(), message_id: messageId, content: text }),
      regenerate: (): void => regenerate(chat()),
      interrupt: (): void => interrupt(chat()),
      update: (changes: { title?: string; model_id?: string }): void =>
        update({ ...chat(), ...changes }),
    };
  }, [chatId, resets, send, edit, regenerate, interrupt, update]);
};

/** The same array while its items are. */
const useStable = <Item>(items: readonly Item[]): readonly Item[] => {
  const [kept, setKept] = useState(items);
  if (kept.length === items.length && kept.every((item, index) => item === items[index]))
    return kept;
  setKept(items);
  return items;
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
    send: useMutation(
      trpc.messages.send.mutationOptions({
        onError: (_error, { content }) => {
          if (typeof content === "string") restoreDraft(chatId, content);
        },
      }),
    ),
    edit: useMutation(trpc.messages.edit.mutationOptions()),
    regenerate: useMutation(trpc.chats.regenerate.mutationOptions()),
    interrupt: useMutation(trpc.chats.interrupt.mutationOptions({ onSuccess: put })),
    update: useMutation(trpc.chats.update.mutationOptions({ onSuccess: put })),
  };
};
