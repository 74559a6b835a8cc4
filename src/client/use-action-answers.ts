import { useMutation } from "@tanstack/react-query";
import type { DecideApprovalsInput, SubmittedToolResult } from "@/contract/chat-inputs";
import type { Problem } from "@/contract/problem";
import { problemOf } from "./problem-of";
import { useTRPC } from "./trpc";

type Taking = { onTaken: () => void; onRefused: () => void };

/** Sends what a parked chat waits for. */
export const useActionAnswers = (chatId: string) => {
  const trpc = useTRPC();
  const answer = useMutation(trpc.chats.submitToolResults.mutationOptions());
  const decide = useMutation(trpc.chats.decideApprovals.mutationOptions());
  return {
    sending: answer.isPending || decide.isPending,
    answer: (results: SubmittedToolResult[], { onTaken, onRefused }: Taking): void =>
      answer.mutate({ chat_id: chatId, results }, { onSuccess: onTaken, onError: onRefused }),
    decide: (decisions: DecideApprovalsInput["decisions"], { onTaken, onRefused }: Taking): void =>
      decide.mutate({ chat_id: chatId, decisions }, { onSuccess: onTaken, onError: onRefused }),
    /** Why what was sent for these calls was refused. */
    problemOf: (toolCallIds: readonly string[]): Problem | undefined =>
      refusalOf(toolCallIds, answer.error, answer.variables?.results) ??
      refusalOf(toolCallIds, decide.error, decide.variables?.decisions),
  };
};

const refusalOf = (
  toolCallIds: readonly string[],
  error: unknown,
  sent: readonly { tool_call_id: string }[] | undefined,
): Problem | undefined =>
  error && sent?.some(({ tool_call_id: id }) => toolCallIds.includes(id))
    ? problemOf(error)
    : undefined;
