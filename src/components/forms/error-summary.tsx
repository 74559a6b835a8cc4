import type { PendingToolCall } from "@/contract/chat";
import type { FieldError, Problem } from "@/contract/problem";
import { humanize, toSentence } from "@/lib/humanize";
import { Alert } from "@/components/ui/alert";
import { formatFieldError } from "./action-results";

type ErrorSummaryProps = {
  calls: readonly PendingToolCall[];
  getErrors: (toolCallId: string) => readonly FieldError[];
  problem: Problem | undefined;
  /** Errors of the server that belong to no call. */
  otherErrors: readonly FieldError[];
};

/** Lists all errors of the answers, including those that no field can show. */
export const ErrorSummary = ({ calls, getErrors, problem, otherErrors }: ErrorSummaryProps) => {
  const sentences = [
    ...otherErrors.map(({ pointer, message }) => toSentence(`${pointer} ${message}`.trim())),
    ...calls.flatMap(({ tool_call_id, tool_name }) =>
      getErrors(tool_call_id).map((error) => {
        const sentence = toSentence(formatFieldError(error));
        return calls.length === 1 ? sentence : `${humanize(tool_name)}: ${sentence}`;
      }),
    ),
  ];
  // Errors of fields that were changed since are resolved; without any other the alert disappears.
  const isResolved = sentences.length === 0 && (problem?.errors?.length ?? 0) > 0;
  if (isResolved || (sentences.length === 0 && !problem)) return null;
  return (
    <Alert tone="danger" announce="alert" title={problem?.detail ?? "Not sent yet:"}>
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
