import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { AutoSubmit, Chat } from "@/contract/chat";
import type { BusyBehavior } from "@/contract/chat-inputs";
import type { Effort } from "@/contract/efforts";
import type { ProviderToolName } from "@/contract/provider-tool";
import type { EditedMessage } from "@/contract/draft-attachment";
import { listMentionedNames } from "@/lib/mentions";
import { listNames, type SentChoice } from "@/lib/tool-choice";
import type { RegenerateChoice } from "@/contract/regenerate-choice";
import { toContent } from "@/contract/to-content";
import { applyEvent } from "./apply-event";
import type { ChatView } from "./chat-view";
import { useTRPC, useTRPCClient } from "./trpc";
import { toChatViewKey } from "./use-chat-stream";
import { createCommands, useCommand } from "./use-command";
import { useCommandProblem } from "./use-command-problem";
import { type Draft, readIgnoredNames, restoreDraft, sendDraft } from "./use-draft";
import { useMentions } from "./use-mentionables";
import { useNavigate } from "./use-navigate";
import { useSendExpanded } from "./use-slash-commands";

type SentEdit = Omit<EditedMessage, "before"> & { ignoredNames: readonly string[] };

export type ChatActions = ReturnType<typeof useChatActions>;

type ChatChanges = Partial<SentChoice> & {
  title?: string;
  model_id?: string;
  reasoning_effort?: Effort | null | undefined;
  provider_tools?: ProviderToolName[] | null | undefined;
  archived?: boolean;
  temporary?: false;
  auto_submit?: Partial<AutoSubmit>;
};

/** The commands of one chat. Their effects arrive by the chat's stream. */
export const useChatActions = ({ id: chatId, status }: Pick<Chat, "id" | "status">) => {
  const mutations = useChatMutations(chatId);
  const { send, edit, regenerate } = mutations;
  const failed = Object.values(mutations).find(({ error }) => error !== null);
  const problem = useCommandProblem(failed?.error, status === "requires_action");
  const actions = useCommands(chatId, mutations);
  return {
    ...actions,
    isSending: send.isPending,
    isSavingEdit: edit.isPending,
    isRegenerating: regenerate.isPending,
    /** The choice of tools that is being saved. */
    pendingChoice: toPendingChoice(mutations.update),
    /** Why the last command failed. */
    errorMessage: problem?.detail,
  };
};

const toPendingChoice = ({
  isPending,
  variables,
}: ReturnType<typeof useChatMutations>["update"]): SentChoice | undefined =>
  isPending && variables.groups !== undefined
    ? { tools: variables.tools ?? null, groups: variables.groups }
    : undefined;

/** Returns the same functions on each render, so that memoized rows do not render on each token. */
const useCommands = (chatId: string, mutations: ReturnType<typeof useChatMutations>) => {
  const { mutate: send } = mutations.send;
  const { mutate: edit } = mutations.edit;
  const { mutate: regenerate } = mutations.regenerate;
  const { mutate: interrupt } = mutations.interrupt;
  const fork = useFork(mutations.fork);
  const { mutate: update } = mutations.update;
  const { mutate: run } = mutations.command;
  const resets = useStableArray(Object.values(mutations).map(({ reset }) => reset));
  return useMemo(() => {
    /** Clears the error of earlier commands before a new one. */
    const startCommand = () => {
      resets.forEach((reset) => reset());
      return { chat_id: chatId };
    };
    return {
      /** @param cancelCalls the open calls that the person has agreed to cancel, as of `interrupt`. */
      send: (
        { text, files }: Required<Pick<Draft, "text" | "files">>,
        behavior: BusyBehavior,
        cancelCalls: string[],
      ): void =>
        send({
          ...startCommand(),
          draft: { text, files, ignoredNames: readIgnoredNames(chatId) },
          busy_behavior: behavior,
          cancel_calls: cancelCalls,
        }),
      /** @param edited.before the text that the person has changed; only names that it does not have are chosen. */
      edit: (messageId: string, { text, before, fileIds }: EditedMessage): void =>
        edit({
          ...startCommand(),
          message_id: messageId,
          edited: { text, fileIds, ignoredNames: listMentionedNames(before) },
        }),
      regenerate: (): void => regenerate(startCommand()),
      /** Answers with another model, or with another effort. */
      regenerateWith: (choice: RegenerateChoice): void =>
        regenerate({ ...startCommand(), ...choice }),
      interrupt: (cancelCalls: string[]): void =>
        interrupt({ ...startCommand(), cancel_calls: cancelCalls }),
      /** Makes a chat that begins with the messages up to this one. */
      fork: (seq: number): void => fork(seq, startCommand),
      update: (changes: ChatChanges): void => update({ ...startCommand(), ...changes }),
      ...createCommands({ run, startCommand }),
    };
  }, [chatId, resets, send, edit, regenerate, interrupt, fork, update, run]);
};

/** Makes one fork at a time, and opens it unless the person has left the page. */
const useFork = ({ mutate, isPending }: ReturnType<typeof useChatMutations>["fork"]) => {
  const navigate = useNavigate();
  return useCallback(
    (seq: number, startCommand: () => { chat_id: string }): void => {
      if (isPending) return;
      const onSuccess = ({ id }: { id: string }): void => navigate(`/chats/${id}`);
      mutate({ ...startCommand(), after_seq: seq }, { onSuccess });
    },
    [isPending, mutate, navigate],
  );
};

/** Returns the same array as long as its items are the same. */
const useStableArray = <Item>(items: readonly Item[]): readonly Item[] => {
  const [stable, setStable] = useState(items);
  if (stable.length === items.length && stable.every((item, index) => item === items[index]))
    return stable;
  setStable(items);
  return items;
};

/** The input of a call without the content that is made of what the person has written. */
type Without<Call extends (input: never) => unknown> = Omit<
  Parameters<Call>[0],
  "content" | "mentions"
>;

/** The response may arrive before the stream's event; `applyEvent` keeps the newer version. */
const useApplyChat = (chatId: string) => {
  const queryClient = useQueryClient();
  return (chat: Chat): void => {
    queryClient.setQueryData<ChatView>(toChatViewKey(chatId), (view) =>
      view?.chat
        ? applyEvent(view, { type: "chat", chat: { ...chat, queue: view.chat.queue } })
        : view,
    );
  };
};

/** The record of a chat does not have its forks, so that its stream says nothing of them. */
const useAddFork = (chatId: string) => {
  const queryClient = useQueryClient();
  return ({ id, title }: Chat): void => {
    queryClient.setQueryData<ChatView>(
      toChatViewKey(chatId),
      (view) => view && { ...view, forks: [{ id, title }, ...view.forks] },
    );
  };
};

const useChatMutations = (chatId: string) => {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const applyChat = useApplyChat(chatId);
  const addFork = useAddFork(chatId);
  const mentions = useMentions();
  const sendExpanded = useSendExpanded();
  /** What a server has written for a command mentions nothing. */
  const findMentions = async (text: string, ignoredNames: readonly string[]) => {
    const found = await mentions.find(text, ignoredNames);
    return (
      found.length > 0 && {
        mentions: { tools: listNames(found, "tool"), groups: listNames(found, "group") },
      }
    );
  };
  type Sending = Without<typeof client.messages.send.mutate> & { draft: Required<Draft> };
  const sendMessage = ({ draft, ...input }: Sending) =>
    sendDraft(chatId, draft, async (options) => {
      const found = await findMentions(draft.text, draft.ignoredNames);
      return sendExpanded(draft, (content) =>
        client.messages.send.mutate({ ...input, ...found, content }, options),
      );
    });
  // One after another: a message that is sent right after a choice of tools is answered with them.
  const scope = { id: `chat ${chatId}` };
  return {
    send: useMutation({
      scope,
      mutationFn: sendMessage,
      onError: (error, { draft }) => {
        restoreDraft(chatId, draft);
        mentions.handleError(error);
      },
    }),
    edit: useMutation({
      mutationFn: async ({
        edited: { text, fileIds, ignoredNames },
        ...input
      }: Without<typeof client.messages.edit.mutate> & { edited: SentEdit }) =>
        client.messages.edit.mutate({
          ...input,
          ...(await findMentions(text, ignoredNames)),
          content: toContent(text, fileIds),
        }),
      onError: mentions.handleError,
    }),
    regenerate: useMutation(trpc.chats.regenerate.mutationOptions()),
    fork: useMutation(trpc.chats.fork.mutationOptions({ onSuccess: addFork })),
    command: useCommand(),
    interrupt: useMutation(trpc.chats.interrupt.mutationOptions({ onSuccess: applyChat })),
    update: useMutation(
      trpc.chats.update.mutationOptions({
        scope,
        onSuccess: applyChat,
        onError: mentions.handleError,
      }),
    ),
  };
};
