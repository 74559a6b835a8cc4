import { useState } from "react";
import { ToolCalls } from "@/components/tool-cards/load-cards";
import { usePartReady } from "@/components/ui/lazy-parts";
import type { MessageView } from "@/contract/chat-view";

/**
 * Keeps new messages back from the first tool call on while the cards load: a card that starts open would move what
 * follows it.
 *
 * @returns the messages to render, and whether there are more.
 */
export const useShownMessages = (messages: readonly MessageView[]) => {
  const [openedSeq] = useState(() => messages.findLast(({ preview }) => !preview)?.seq ?? 0);
  const index = messages.findIndex((message) => message.seq > openedSeq && hasCalls(message));
  const isReady = usePartReady(ToolCalls, index !== -1);
  return index === -1 || isReady
    ? { shown: messages, isHeld: false }
    : { shown: cutBeforeCalls(messages, index), isHeld: true };
};

/** Whether a message has cards. */
export const hasCalls = ({ parts }: Pick<MessageView, "parts">): boolean => parts.some(isCall);

const isCall = ({ type }: MessageView["parts"][number]): boolean => type === "tool_call";

const cutBeforeCalls = (messages: readonly MessageView[], index: number): MessageView[] => {
  const before = messages.slice(0, index);
  const message = messages[index];
  const parts = message?.parts.slice(0, message.parts.findIndex(isCall)) ?? [];
  if (!message || parts.length === 0) return before;
  // What ends a message comes with the rest of it.
  const { id, seq, revision, role, created_at } = message;
  return [...before, { id, seq, revision, role, created_at, parts, preview: true }];
};
