import type { PendingToolCall } from "@/contract/chat";
import type { FieldError, Problem } from "@/contract/problem";
import { asSentence } from "@/lib/as-sentence";
import { humanize } from "@/lib/humanize";
import { Alert } from "@/components/ui/alert";
import { problemSentence } from "./action-problems";

type ProblemSummaryProps = {
  calls: readonly PendingToolCall[];
  problemsOf: (toolCallId: string) => readonly FieldError[];
  refusal: Problem | undefined;
  /** What the server said of no field in particular. */
  others: readonly FieldError[];
};

/** All that keeps the answers from being sent, also what no field could show. */
export const ProblemSummary = ({ calls, problemsOf, refusal, others }: ProblemSummaryProps) => {
  const sentences = [
    ...others.map(({ pointer, message }) => asSentence(`${pointer} ${message}`.trim())),
    ...calls.flatMap(({ tool_call_id, tool_name }) =>
      problemsOf(tool_call_id).map((problem) => {
        const sentence = asSentence(problemSentence(problem));
        return calls.length === 1 ? sentence : `${humanize(tool_name)}: ${sentence}`;
      }),
    ),
  ];
  // What the server said of fields that were changed since is settled, unless it said more.
  const isSettled = sentences.length === 0 && (refusal?.errors?.length ?? 0) > 0;
  if (isSettled || (sentences.length === 0 && !refusal)) return null;
  return (
    <Alert tone="danger" announce="alert" title={refusal?.detail ?? "Not sent yet:"}>
      {sentences.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {[...new Set(sentences)].map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </Alert>
  );
};
