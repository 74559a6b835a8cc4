"use client";
import { useMemo } from "react";
import { type ChatView, toMessageViews } from "@/client/chat-view";
import type { ChatActions } from "@/client/use-chat-actions";
import { useOlderMessages } from "@/client/use-older-messages";
import { toChatActivity } from "@/components/chat/chat-activity";
import { MessageList } from "@/components/chat/message-list";
import type { MessageActions } from "@/components/chat/message-row";
import { StatusLine } from "@/components/chat/status-line";
import { type ChatSnapshot, isBusy } from "@/contract/chat";
import type { MessageView, PartView } from "@/contract/chat-view";
import { ActionToAnswer } from "./action-to-answer";

type ChatTimelineProps = {
  view: ChatView;
  chat: ChatSnapshot;
  isConnected: boolean;
  actions: ChatActions;
  editingId: string | undefined;
  onEditingChange: (messageId: string | undefined) => void;
};

/** The messages, followed by the required action and the status line. */
export const ChatTimeline = (props: ChatTimelineProps) => {
  const { view, chat, isConnected, actions } = props;
  const older = useOlderMessages(chat.id);
  const messages = toMessageViews(view);
  const isChatBusy = isBusy(chat.status);
  const rowActions = useRowActions(props, !isChatBusy && !chat.archived);
  const activity = toChatActivity({
    chat,
    isConnected,
    isAnswering: messages.at(-1)?.preview === true,
    runningTools: findRunningTools(messages),
    since: chat.updated_at,
  });
  return (
    <MessageList
      messages={messages}
      actions={rowActions}
      isTurnRunning={isChatBusy && chat.status !== "requires_action"}
      hasOlder={view.hasOlder}
      isLoadingOlder={older.isLoading}
      onLoadOlder={older.load}
    >
      <div className="grid gap-3">
        <ActionToAnswer view={view} chat={chat} />
        <StatusLine
          activity={activity}
          onRetry={actions.regenerate}
          isRetrying={actions.isRegenerating}
        />
      </div>
    </MessageList>
  );
};

/** Returns the same object until an action changes, so that only the streaming row renders again. */
const useRowActions = (
  { actions, editingId, onEditingChange }: ChatTimelineProps,
  canChange: boolean,
): MessageActions => {
  const { edit, regenerate, isSavingEdit } = actions;
  return useMemo(() => {
    return {
      editingId,
      isSavingEdit,
      onEditStart: canChange ? onEditingChange : undefined,
      onEditCancel: () => onEditingChange(undefined),
      onEditSave: edit,
      onRegenerate: canChange ? regenerate : undefined,
    };
  }, [canChange, edit, editingId, onEditingChange, regenerate, isSavingEdit]);
};

const findRunningTools = (messages: readonly MessageView[]): string[] => {
  const parts: readonly PartView[] = messages.at(-1)?.parts ?? [];
  return parts.flatMap((part) =>
    part.type === "tool_call" && part.state === "running" ? [part.tool_name] : [],
  );
};
