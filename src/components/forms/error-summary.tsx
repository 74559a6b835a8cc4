import type { PendingToolCall } from "@/contract/chat";
import type { FieldError, Problem } from "@/contract/problem";
import { humanize, toSentence } from "@/lib/humanize";
import { Alert } from "@/components/ui/alert";
import { formatFieldError } from "./action-results";
import { toFormSchema } from "./form-schema";

type ErrorSummaryProps = {
  calls: readonly PendingToolCall[];
  getErrors: (toolCallId: string) => readonly FieldError[];
  problem: Problem | undefined;
  /** Errors of the server that belong to no call. */
  otherErrors: readonly FieldError[];
  /** Shows the field of an error. */
  onSelect: (toolCallId: string, pointer: string) => void;
};

/** Lists all errors of the answers, including those that no field can show, as links to their fields. */
export const ErrorSummary = (props: ErrorSummaryProps) => {
  const { calls, getErrors, problem, otherErrors, onSelect } = props;
  const links = calls.flatMap((call, index) =>
    getErrors(call.tool_call_id).map((error) => ({
      id: call.tool_call_id,
      pointer: error.pointer,
      text: toErrorText(call, error, calls.length === 1 ? undefined : index + 1),
    })),
  );
  const count = links.length + otherErrors.length;
  // Errors of fields that were changed since are resolved; without any other the alert disappears.
  const isResolved = count === 0 && (problem?.errors?.length ?? 0) > 0;
  if (isResolved || (count === 0 && !problem)) return null;
  return (
    <Alert tone="danger" announce="alert" title={toTitle(props, links.length > 0)}>
      {count > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {otherErrors.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>{toSentence(`${pointer} ${message}`.trim())}</li>
          ))}
          {links.map(({ id, pointer, text }) => (
            <li key={`${id} ${text}`}>
              <button
                type="button"
                onClick={() => onSelect(id, pointer)}
                className="rounded-sm text-left align-top wrap-anywhere underline underline-offset-2 pointer-coarse:py-1"
              >
                {text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
};

/** The text of the server names the calls by their ids, so fields that are named themselves come without it. */
const toTitle = (
  { problem, otherErrors }: Pick<ErrorSummaryProps, "problem" | "otherErrors">,
  hasLinks: boolean,
): string => {
  if (!problem) return "Not sent yet:";
  return hasLinks && otherErrors.length === 0 ? "The answer was refused:" : problem.detail;
};

const toErrorText = (
  { tool_name: name, output_schema: schema }: PendingToolCall,
  error: FieldError,
  step: number | undefined,
): string => {
  const sentence = toSentence(formatFieldError(error, toFormSchema(schema)));
  return step === undefined ? sentence : `${step} · ${humanize(name)}: ${sentence}`;
};
