import type { MessageView } from "@/contract/chat-view";
import type { MessageRowData } from "./message-row";

/** Converts messages to rows: marks the ends of turns and dims the rows after an edited message. */
export const toMessageRows = (
  messages: readonly MessageView[],
  editingId: string | undefined,
): MessageRowData[] => {
  const editingIndex = messages.findIndex(({ id }) => id === editingId);
  return messages.map((message, index) => ({
    message,
    isLast: index === messages.length - 1,
    isTurnEnd: message.role !== "assistant" || messages[index + 1]?.role !== "assistant",
    isDimmed: editingIndex !== -1 && index > editingIndex,
  }));
};
