"use client";
import { useActionAnswers } from "@/client/use-action-answers";
import { AllApprovals } from "@/components/approvals/all-approvals";
import type { BatchCall } from "@/components/approvals/approval-batch";
import type { RequiredAction } from "@/contract/chat";

type ApproveAllProps = {
  chatId: string;
  /** What the chat and its agents wait for; those of agents have their `chat_id`. */
  actions: readonly (RequiredAction & { chat_id?: string })[];
  /** Whether the decisions are on their way, or taken. */
  isSent: boolean;
  /** Receives the actions that are decided on, or none when the decisions were not taken. */
  onSent: (actions: readonly RequiredAction[]) => void;
};

/** Decides on all calls of a chat and its agents in one request. */
const ApproveAll = ({ chatId, actions, isSent, onSent }: ApproveAllProps) => {
  const answers = useActionAnswers(chatId);
  const approvals = actions.flatMap(({ chat_id, approvals: calls }) =>
    calls.map(({ tool_call_id }): BatchCall => {
      return { tool_call_id, ...(chat_id !== undefined && { chat_id }) };
    }),
  );
  return (
    <AllApprovals
      approvals={approvals}
      isDeciding={isSent}
      onDecide={(decisions) => {
        onSent(actions);
        answers.submitDecisions(decisions, {
          onSuccess: () => undefined,
          onError: () => onSent([]),
        });
      }}
      problem={answers.findProblem(approvals.map(({ tool_call_id: id }) => id))}
    />
  );
};

export default ApproveAll;
