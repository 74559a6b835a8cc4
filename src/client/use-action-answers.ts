import { useMutation } from "@tanstack/react-query";
import type { DecideApprovalsInput, SubmittedToolResult } from "@/contract/chat-inputs";
import type { Problem } from "@/contract/problem";
import { toProblem } from "./to-problem";
import { useTRPC } from "./trpc";

type SubmitCallbacks = { onSuccess: () => void; onError: () => void };

/** Submits the tool results and approval decisions that a parked chat waits for. */
export const useActionAnswers = (chatId: string) => {
  const trpc = useTRPC();
  const results = useMutation(trpc.chats.submitToolResults.mutationOptions());
  const decisions = useMutation(trpc.chats.decideApprovals.mutationOptions());
  return {
    isSubmitting: results.isPending || decisions.isPending,
    submitResults: (items: SubmittedToolResult[], callbacks: SubmitCallbacks): void =>
      results.mutate({ chat_id: chatId, results: items }, callbacks),
    submitDecisions: (items: DecideApprovalsInput["decisions"], callbacks: SubmitCallbacks): void =>
      decisions.mutate({ chat_id: chatId, decisions: items }, callbacks),
    /** Returns why the last submission for any of these calls was rejected. */
    findProblem: (toolCallIds: readonly string[]): Problem | undefined =>
      toCallProblem(toolCallIds, results.error, results.variables?.results) ??
      toCallProblem(toolCallIds, decisions.error, decisions.variables?.decisions),
  };
};

const toCallProblem = (
  toolCallIds: readonly string[],
  error: unknown,
  submitted: readonly { tool_call_id: string }[] | undefined,
): Problem | undefined =>
  error && submitted?.some(({ tool_call_id: id }) => toolCallIds.includes(id))
    ? toProblem(error)
    : undefined;
