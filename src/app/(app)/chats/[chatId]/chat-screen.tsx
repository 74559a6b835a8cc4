"use client";
import { useEffect } from "react";
import { useShell } from "@/app/(app)/shell-context";
import { useChatStream } from "@/client/use-chat-stream";
import { useReadMarks } from "@/client/use-read-marks";
import { Spinner } from "@/components/ui/spinner";
import type { ChatSummary } from "@/contract/chat";
import { MissingChat } from "./missing-chat";
import { OpenChat } from "./open-chat";

/** One chat, kept up to date by its stream. */
export const ChatScreen = ({ chatId }: { chatId: string }) => {
  const { view, state, problem } = useChatStream(chatId);
  const { listedChat } = useShell();
  useMarkRead(chatId, view?.version);
  if (problem) return <MissingChat problem={problem} />;
  if (!view?.chat) {
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
      <ChatTitle chat={isListNewer ? listedChat : view.chat} />
      <OpenChat view={view} chat={view.chat} isConnected={state !== "reconnecting"} />
    </>
  );
};

type ChatTitleProps = { chat: Pick<ChatSummary, "title" | "status"> | undefined };

/** The title of the browser tab; it marks a chat that waits for an answer. */
const ChatTitle = ({ chat }: ChatTitleProps) => {
  if (!chat) return <title>Parley</title>;
  const prefix = chat.status === "requires_action" ? "● needs you · " : "";
  return <title>{`${prefix}${chat.title} · Parley`}</title>;
};

const useMarkRead = (chatId: string, version: number | undefined): void => {
  const { markRead } = useReadMarks();
  // Syncs with the local store: the version on a visible page counts as read.
  useEffect(() => {
    if (version === undefined) return;
    const mark = (): void => {
      if (document.visibilityState === "visible") markRead(chatId, version);
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [chatId, version, markRead]);
};
