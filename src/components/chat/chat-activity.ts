import type { Chat } from "@/contract/chat";
import type { ChatError, ChatRetry } from "@/contract/chat-error";

/** What a chat is doing right now, in the words of its status line. */
export type ChatActivity =
  | { kind: "idle" }
  | { kind: "thinking"; since: string }
  | { kind: "tools"; names: readonly string[] }
  | { kind: "answering" }
  | { kind: "retrying"; retry: ChatRetry }
  | { kind: "reconnecting" }
  | { kind: "interrupting" }
  | { kind: "needs-you"; calls: number; deadlineAt: string }
  | { kind: "error"; error: ChatError };

type ActivityInput = {
  chat: Pick<Chat, "status" | "retry" | "last_error" | "required_action">;
  connected: boolean;
  /** Whether the message being made already has something to show. */
  answering: boolean;
  runningTools: readonly string[];
  /** When the model was last asked, ISO. */
  since: string;
};

/**
 * The one thing worth saying. A retry tells more than a lost connection, which tells more than what
 * was going on before it; a chat at rest needs no connection to be shown.
 */
export const chatActivity = (input: ActivityInput): ChatActivity => {
  const { status, last_error: error, required_action: action } = input.chat;
  switch (status) {
    case "waiting":
      return { kind: "idle" };
    case "error":
      return error === null ? { kind: "idle" } : { kind: "error", error };
    case "requires_action":
      return action === null ? { kind: "idle" } : needsYou(action);
    case "interrupting":
      return input.connected ? { kind: "interrupting" } : { kind: "reconnecting" };
    case "pending":
    case "running":
      return atWork(input);
  }
};

const atWork = ({
  chat,
  connected,
  answering,
  runningTools,
  since,
}: ActivityInput): ChatActivity => {
  if (chat.retry !== null) return { kind: "retrying", retry: chat.retry };
  if (!connected) return { kind: "reconnecting" };
  if (answering) return { kind: "answering" };
  return runningTools.length > 0
    ? { kind: "tools", names: runningTools }
    : { kind: "thinking", since };
};

const needsYou = (action: NonNullable<Chat["required_action"]>): ChatActivity => ({
  kind: "needs-you",
  calls: action.tool_calls.length + action.approvals.length,
  deadlineAt: action.deadline_at,
});
