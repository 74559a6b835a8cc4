import { useMutation } from "@tanstack/react-query";
import type { SubmittedToolResult } from "@/contract/call-inputs";
import type { DecideApprovalsInput } from "@/contract/chat-inputs";
import type { Problem } from "@/contract/problem";
import { useTRPC } from "./trpc";
import { useProblem } from "./use-connection";

type SubmitCallbacks = { onSuccess: () => void; onError: () => void };

/** Submits the tool results and approval decisions that a parked chat waits for. */
export const useActionAnswers = (chatId: string) => {
  const trpc = useTRPC();
  const results = useMutation(trpc.chats.submitToolResults.mutationOptions());
  const decisions = useMutation(trpc.chats.decideApprovals.mutationOptions());
  const resultsProblem = useProblem(results.error);
  const decisionsProblem = useProblem(decisions.error);
  return {
    isSubmitting: results.isPending || decisions.isPending,
    submitResults: (items: SubmittedToolResult[], callbacks: SubmitCallbacks): void =>
      results.mutate({ chat_id: chatId, results: items }, callbacks),
    submitDecisions: (items: DecideApprovalsInput["decisions"], callbacks: SubmitCallbacks): void =>
      decisions.mutate({ chat_id: chatId, decisions: items }, callbacks),
    /** Returns why the last submission for any of these calls was rejected. */
    findProblem: (toolCallIds: readonly string[]): Problem | undefined =>
      toCallProblem(toolCallIds, resultsProblem, results.variables?.results) ??
      toCallProblem(toolCallIds, decisionsProblem, decisions.variables?.decisions),
  };
};

const toCallProblem = (
  toolCallIds: readonly string[],
  problem: Problem | undefined,
  submitted: readonly { tool_call_id: string }[] | undefined,
): Problem | undefined =>
  submitted?.some(({ tool_call_id: id }) => toolCallIds.includes(id)) ? problem : undefined;
