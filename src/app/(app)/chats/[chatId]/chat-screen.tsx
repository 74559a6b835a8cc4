"use client";
import { useEffect } from "react";
import { useShell } from "@/app/(app)/shell-context";
import { useChatStream } from "@/client/use-chat-stream";
import { useSeen } from "@/client/use-seen";
import { Spinner } from "@/components/ui/spinner";
import { ChatTitle } from "./chat-title";
import { MissingChat } from "./missing-chat";
import { OpenChat } from "./open-chat";

/** One chat: what its stream tells, and what can be done in it. */
export const ChatScreen = ({ chatId }: { chatId: string }) => {
  const { view, state, problem } = useChatStream(chatId);
  const { listed } = useShell();
  useMarkSeen(chatId, view?.version);
  if (problem) return <MissingChat problem={problem} />;
  if (!view?.chat) {
    return (
      <>
        <ChatTitle chat={listed} />
        <p role="status" className="flex flex-1 items-center justify-center gap-2 text-muted">
          <Spinner /> Loading chat…
        </p>
      </>
    );
  }
  const isListNewer = listed !== undefined && listed.version > view.chat.version;
  return (
    <>
      <ChatTitle chat={isListNewer ? listed : view.chat} />
      <OpenChat view={view} chat={view.chat} connected={state !== "reconnecting"} />
    </>
  );
};

const useMarkSeen = (chatId: string, version: number | undefined): void => {
  const { markSeen } = useSeen();
  // Syncs with what the browser keeps: what is on a visible screen has been seen.
  useEffect(() => {
    if (version === undefined) return;
    const mark = (): void => {
      if (document.visibilityState === "visible") markSeen(chatId, version);
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [chatId, version, markSeen]);
};
