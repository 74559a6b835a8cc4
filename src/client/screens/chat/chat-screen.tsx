"use client";
import { useShell } from "@/client/screens/shell/shell-context";
import { useEffect } from "react";
import type { ChatView } from "@/client/chat-view";
import { deleteStoredChat } from "@/client/delete-stored-chat";
import { useChatStream } from "@/client/use-chat-stream";
import { useMarkRead } from "@/client/use-mark-read";
import { hasCalls } from "@/components/chat/use-shown-messages";
import { ToolCalls } from "@/components/tool-cards/load-cards";
import { usePartReady } from "@/components/ui/lazy-parts";
import { Spinner } from "@/components/ui/spinner";
import { useHasBeenTrue } from "@/components/ui/use-has-been-true";
import type { ChatSummary } from "@/contract/chat";
import type { OpenedChat } from "@/contract/chat-outputs";
import { MissingChat } from "./missing-chat";
import { OpenChat } from "./open-chat";

type ChatScreenProps = {
  chatId: string;
  /** The chat as the server has rendered it; the browser loads it if this is absent. */
  opened: OpenedChat | undefined;
};

/** One chat, kept up to date by its stream. */
export const ChatScreen = ({ chatId, opened }: ChatScreenProps) => {
  const { view, state, problem } = useChatStream(chatId, opened);
  const { listedChat } = useShell();
  const canOpen = useCanOpen(view, opened !== undefined);
  useMarkRead(chatId, view);
  const wasShown = useHasBeenTrue(view?.chat !== undefined);
  const isDeleted = wasShown && problem?.code === "not_found";
  // Syncs with the browser's storage: the page may have missed the event that says so.
  useEffect(() => {
    if (isDeleted) deleteStoredChat(chatId);
  }, [isDeleted, chatId]);
  if (problem) return <MissingChat problem={problem} />;
  if (!view?.chat || !canOpen) {
    return (
      <>
        <ChatTitle chat={listedChat} />
        <p role="status" className="flex flex-1 items-center justify-center gap-2 text-muted">
          <Spinner /> Loading chat…
        </p>
      </>
    );
  }
  const isListNewer = listedChat !== undefined && listedChat.version > view.chat.version;
  return (
    <>
      <ChatTitle
        chat={isListNewer ? listedChat : view.chat}
        needsPerson={view.childActions.length > 0}
      />
      <OpenChat view={view} chat={view.chat} isConnected={state !== "reconnecting"} />
    </>
  );
};

/** A chat with tool calls opens with their cards, which would otherwise move each other. */
const useCanOpen = (view: ChatView | undefined, isRendered: boolean): boolean => {
  const needsCards = !isRendered && view?.messages.some(hasCalls) === true;
  const isReady = usePartReady(ToolCalls, needsCards);
  // Calls of an open chat are waited for in its list.
  return useHasBeenTrue(view !== undefined && (isReady || !needsCards));
};

type ChatTitleProps = {
  chat: Pick<ChatSummary, "title" | "status"> | undefined;
  /** Whether agents of the chat wait for an answer. */
  needsPerson?: boolean;
};

/** The title of the browser tab; it marks a chat that waits for an answer, also if an agent of it does. */
const ChatTitle = ({ chat, needsPerson = false }: ChatTitleProps) => {
  if (!chat) return <title>Parley</title>;
  const prefix = needsPerson || chat.status === "requires_action" ? "● needs you · " : "";
  return <title>{`${prefix}${chat.title} · Parley`}</title>;
};
