import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ChatView } from "./chat-view";
import { problemOf } from "./problem-of";
import { useTRPC } from "./trpc";
import { restoreDraft } from "./use-draft";
import { chatViewKey } from "./use-chat-stream";
import { applyEvent } from "./apply-event";
import type { Chat } from "@/contract/chat";
import type { BusyBehavior, DecideApprovalsInput, ToolResult } from "@/contract/chat-inputs";

/** What a person can do in a chat. What comes of it is told by the chat's stream. */
export const useChatActions = (chatId: string) => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const chat = { chat_id: chatId };
  /** An answer may come before the stream's event; the newer of both counts. */
  const put = (answer: Chat): void => {
    queryClient.setQueryData<ChatView>(chatViewKey(chatId), (view) =>
      view?.chat
        ? applyEvent(view, { type: "chat", chat: { ...answer, queue: view.chat.queue } })
        : view,
    );
  };
  const send = useMutation(trpc.messages.send.mutationOptions());
  const edit = useMutation(trpc.messages.edit.mutationOptions());
  const regenerate = useMutation(trpc.chats.regenerate.mutationOptions());
  const interrupt = useMutation(trpc.chats.interrupt.mutationOptions({ onSuccess: put }));
  const update = useMutation(trpc.chats.update.mutationOptions({ onSuccess: put }));
  const promote = useMutation(trpc.queue.promote.mutationOptions());
  const removeQueued = useMutation(trpc.queue.delete.mutationOptions());
  const answer = useMutation(trpc.chats.submitToolResults.mutationOptions());
  const decide = useMutation(trpc.chats.decideApprovals.mutationOptions());
  const all = [send, edit, regenerate, interrupt, update, promote, removeQueued];
  const failed = all.find(({ error }) => error !== null);
  const fresh = (): void => all.forEach(({ error, reset }) => error && reset());

  return {
    sending: send.isPending,
    send: (text: string, behavior: BusyBehavior): void => {
      fresh();
      send.mutate(
        { ...chat, content: text, busy_behavior: behavior },
        { onError: () => restoreDraft(chatId, text) },
      );
    },
    savingEdit: edit.isPending,
    edit: (messageId: string, text: string, onSaved: () => void): void => {
      fresh();
      edit.mutate({ ...chat, message_id: messageId, content: text }, { onSuccess: onSaved });
    },
    regenerating: regenerate.isPending,
    regenerate: (): void => {
      fresh();
      regenerate.mutate(chat);
    },
    interrupting: interrupt.isPending,
    interrupt: (): void => {
      fresh();
      if (!interrupt.isPending) interrupt.mutate(chat);
    },
    update: (changes: { title?: string; model_id?: string }): void => {
      fresh();
      update.mutate({ ...chat, ...changes });
    },
    promote: (queuedId: string): void => {
      fresh();
      promote.mutate({ ...chat, queued_id: queuedId });
    },
    removeQueued: (queuedId: string, onRemoved?: () => void): void => {
      fresh();
      removeQueued.mutate(
        { ...chat, queued_id: queuedId },
        { ...(onRemoved && { onSuccess: onRemoved }) },
      );
    },
    acting: queueActing(promote, removeQueued),
    answering: answer.isPending || decide.isPending,
    answer: (results: ToolResult[], { onTaken, onRefused }: Taking): void => {
      answer.mutate({ ...chat, results }, { onSuccess: onTaken, onError: onRefused });
    },
    decide: (
      decisions: DecideApprovalsInput["decisions"],
      { onTaken, onRefused }: Taking,
    ): void => {
      decide.mutate({ ...chat, decisions }, { onSuccess: onTaken, onError: onRefused });
    },
    /** Why the answers to these calls were refused. */
    answerProblem: (toolCallIds: readonly string[]) =>
      refusalOf(toolCallIds, answer.error, answer.variables?.results) ??
      refusalOf(toolCallIds, decide.error, decide.variables?.decisions),
    /** Why the last thing that was tried did not work. */
    failure: failed && problemOf(failed.error).detail,
  };
};

type QueueMutation = { isPending: boolean; variables: { queued_id: string } | undefined };

const queueActing = (promote: QueueMutation, remove: QueueMutation) => {
  const [running, action] = promote.isPending
    ? [promote, "send-now" as const]
    : [remove, "remove" as const];
  return running.isPending && running.variables
    ? { id: running.variables.queued_id, action }
    : undefined;
};

type Taking = { onTaken: () => void; onRefused: () => void };

const refusalOf = (
  toolCallIds: readonly string[],
  error: unknown,
  sent: readonly { tool_call_id: string }[] | undefined,
) =>
  error && sent?.some(({ tool_call_id: id }) => toolCallIds.includes(id))
    ? problemOf(error)
    : undefined;
