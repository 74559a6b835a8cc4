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
import type { ChatSnapshot, ChatSummary, RequiredAction } from "@/contract/chat";
import { countOpenCalls } from "@/contract/chat-status";
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
        <ChatTitle listed={listedChat} view={view} />
        <p role="status" className="flex flex-1 items-center justify-center gap-2 text-muted">
          <Spinner /> Loading chat…
        </p>
      </>
    );
  }
  return (
    <>
      <ChatTitle listed={listedChat} view={view} />
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
  /** The chat as the chat list has it, which may be newer. */
  listed: ChatSummary | undefined;
  view: ChatView | undefined;
};

/** The title of the browser tab; it marks a chat whose calls, or those of an agent of it, wait for a person. */
const ChatTitle = ({ listed, view }: ChatTitleProps) => {
  const chat = findNewest(listed, view?.chat);
  if (!chat) return <title>Parley</title>;
  const prefix = chat.isAsking || view?.childActions.some(isAsking) ? "● needs you · " : "";
  return <title>{`${prefix}${chat.title} · Parley`}</title>;
};

const findNewest = (listed: ChatSummary | undefined, chat: ChatSnapshot | undefined) => {
  if (listed && (!chat || listed.version > chat.version)) {
    const { title, status, needs_you: needsYou } = listed;
    // A chat that rests at a question needs the person, too, but waits for no call.
    return { title, isAsking: status === "requires_action" && needsYou };
  }
  return chat && { title: chat.title, isAsking: isAsking(chat.required_action) };
};

/** Whether calls wait for a person, and not only for the programs that work on them. */
const isAsking = (action: RequiredAction | null): boolean => countOpenCalls(action) > 0;
