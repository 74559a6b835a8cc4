import { useMutation } from "@tanstack/react-query";
import type { SubmittedToolResult } from "@/contract/call-inputs";
import type { RequiredAction } from "@/contract/chat";
import type { DecideApprovalsInput } from "@/contract/chat-inputs";
import type { Problem } from "@/contract/problem";
import { useTRPC } from "./trpc";
import { useProblem } from "./use-connection";

/** Results of all open calls of a step are stored together, those of some one by one. */
type SubmittedResults = { items: SubmittedToolResult[]; action: RequiredAction };

const isStep = ({ items, action }: SubmittedResults): boolean =>
  items.length === action.tool_calls.length;

type SubmitCallbacks = { onSuccess: () => void; onError: () => void };

/** Submits the tool results and approval decisions that a parked chat waits for. */
export const useActionAnswers = (chatId: string) => {
  const trpc = useTRPC();
  const step = useMutation(trpc.chats.submitToolResults.mutationOptions());
  const single = useMutation(trpc.toolCalls.submitResult.mutationOptions());
  const results = useMutation({
    mutationFn: async ({ items, action }: SubmittedResults) => {
      if (isStep({ items, action })) return step.mutateAsync({ chat_id: chatId, results: items });
      for (const item of items) await single.mutateAsync({ ...item, chat_id: chatId });
    },
  });
  const decisions = useMutation(trpc.chats.decideApprovals.mutationOptions());
  const resultsProblem = useProblem(results.error);
  const decisionsProblem = useProblem(decisions.error);
  return {
    isSubmitting: results.isPending || decisions.isPending,
    submitResults: (submitted: SubmittedResults, callbacks: SubmitCallbacks): void =>
      results.mutate(submitted, callbacks),
    submitDecisions: (items: DecideApprovalsInput["decisions"], callbacks: SubmitCallbacks): void =>
      decisions.mutate({ chat_id: chatId, decisions: items }, callbacks),
    /** Returns why the last submission for any of these calls was rejected. */
    findProblem: (toolCallIds: readonly string[]): Problem | undefined =>
      toCallProblem(
        toolCallIds,
        results.variables && isStep(results.variables)
          ? resultsProblem
          : placeInForm(resultsProblem),
        results.variables?.items,
      ) ?? toCallProblem(toolCallIds, decisionsProblem, decisions.variables?.decisions),
  };
};

/** Of results that are sent one by one, the first that the form still has was refused. */
const placeInForm = (problem: Problem | undefined): Problem | undefined =>
  problem && {
    ...problem,
    errors: problem.errors?.map((error) => ({
      ...error,
      pointer: `/results/0${error.pointer}`,
    })),
  };

const toCallProblem = (
  toolCallIds: readonly string[],
  problem: Problem | undefined,
  submitted: readonly { tool_call_id: string }[] | undefined,
): Problem | undefined =>
  submitted?.some(({ tool_call_id: id }) => toolCallIds.includes(id)) ? problem : undefined;
