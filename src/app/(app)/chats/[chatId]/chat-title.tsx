import type { ChatSummary } from "@/contract/chat";

type ChatTitleProps = { chat: Pick<ChatSummary, "title" | "status"> | undefined };

/** The title of the browser tab; it marks a chat that waits for an answer. */
export const ChatTitle = ({ chat }: ChatTitleProps) => {
  if (!chat) return <title>Parley</title>;
  const prefix = chat.status === "requires_action" ? "● needs you · " : "";
  return <title>{`${prefix}${chat.title} · Parley`}</title>;
};
