import type { MessageView } from "@/contract/chat-view";

/** What a message says in words, without its tool calls and reasoning. */
export const messageText = ({ parts }: Pick<MessageView, "parts">): string =>
  parts
    .flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []))
    .join("\n\n");
