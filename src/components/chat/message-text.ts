import type { MessageView } from "@/contract/chat-view";

/** Returns the text parts of a message, without tool calls and reasoning. */
export const toMessageText = ({ parts }: Pick<MessageView, "parts">): string =>
  parts
    .flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []))
    .join("\n\n");
