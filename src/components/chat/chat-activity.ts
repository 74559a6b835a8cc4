import type { Chat } from "@/contract/chat";
import { countOpenCalls } from "@/contract/chat-status";
import type { ChatError, ChatRetry } from "@/contract/chat-error";

/** What a chat is doing, as its status line shows it. */
export type ChatActivity =
  | { kind: "idle" }
  | { kind: "reports"; count: number }
  | { kind: "agents" }
  | { kind: "thinking"; since: string }
  | { kind: "compacting"; part: number; parts: number }
  | { kind: "tools"; names: readonly string[] }
  | { kind: "answering" }
  | { kind: "retrying"; retry: ChatRetry }
  | { kind: "reconnecting" }
  | { kind: "interrupting" }
  | { kind: "requires-action"; calls: number }
  | { kind: "error"; error: ChatError };

type ActivityInput = {
  chat: Pick<
    Chat,
    "status" | "retry" | "last_error" | "required_action" | "waiting_reports" | "compaction"
  >;
  isConnected: boolean;
  /** The call that sums up what came before. */
  compaction?: { part: number; parts: number } | undefined;
  /** Whether the preview of the answer has content. */
  isAnswering: boolean;
  runningTools: readonly string[];
  /** When the current model call began, as ISO date and time. */
  since: string;
};

/**
 * Returns the most important activity: a retry before a lost connection, and a lost connection
 * before the work it interrupted. An idle chat does not show a lost connection.
 */
export const toChatActivity = (input: ActivityInput): ChatActivity => {
  const { status, last_error: error, required_action: action, waiting_reports: count } = input.chat;
  const calls = countOpenCalls(action);
  switch (status) {
    case "waiting":
      return count === 0 ? { kind: "idle" } : { kind: "reports", count };
    case "error":
      return error === null ? { kind: "idle" } : { kind: "error", error };
    case "requires_action":
      // The form of a chat whose calls programs work on says so.
      return calls > 0 ? { kind: "requires-action", calls } : { kind: "idle" };
    case "interrupting":
      return input.isConnected ? { kind: "interrupting" } : { kind: "reconnecting" };
    case "awaiting_agents":
      return { kind: "agents" };
    case "pending":
    case "running":
      return toWorkActivity(input);
  }
};

const toWorkActivity = ({
  chat,
  isConnected,
  isAnswering,
  compaction,
  runningTools,
  since,
}: ActivityInput): ChatActivity => {
  if (chat.retry !== null) return { kind: "retrying", retry: chat.retry };
  if (!isConnected) return { kind: "reconnecting" };
  if (compaction) return { kind: "compacting", ...compaction };
  if (chat.compaction?.status === "requested") return { kind: "compacting", part: 1, parts: 1 };
  if (isAnswering) return { kind: "answering" };
  return runningTools.length > 0
    ? { kind: "tools", names: runningTools }
    : { kind: "thinking", since };
};
