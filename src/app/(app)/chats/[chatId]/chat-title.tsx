import type { ChatSummary } from "@/contract/chat";

type ChatTitleProps = { chat: Pick<ChatSummary, "title" | "status"> | undefined };

/** The browser tab's title; it tells when the chat waits for its reader. */
export const ChatTitle = ({ chat }: ChatTitleProps) => {
  if (!chat) return <title>Parley</title>;
  const mark = chat.status === "requires_action" ? "● needs you · " : "";
  return <title>{`${mark}${chat.title} · Parley`}</title>;
};
