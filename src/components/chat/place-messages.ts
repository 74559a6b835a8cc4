import type { MessageView } from "@/contract/chat-view";
import type { PlacedMessage } from "./message-row";

/** Finds where turns end, and what lies after the message being edited. */
export const placeMessages = (
  messages: readonly MessageView[],
  editingId: string | undefined,
): PlacedMessage[] => {
  const editing = messages.findIndex(({ id }) => id === editingId);
  return messages.map((message, index) => ({
    message,
    isLast: index === messages.length - 1,
    endsTurn: message.role !== "assistant" || messages[index + 1]?.role !== "assistant",
    dimmed: editing !== -1 && index > editing,
  }));
};
