import { Children, type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { AnswerableCall } from "@/contract/call";
import type { FieldError, Problem } from "@/contract/problem";
import { humanize, toSentence } from "@/lib/humanize";
import { Alert } from "@/components/ui/alert";
import { formatFieldError } from "./action-results";
import { toFormSchema } from "@/components/schema-form/to-form-schema";

type ErrorSummaryProps = {
  calls: readonly AnswerableCall[];
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
        <ErrorList>
          {otherErrors.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>{toSentence(`${pointer} ${message}`.trim())}</li>
          ))}
          {links.map(({ id, pointer, text }) => (
            <li key={`${id} ${text}`}>
              <TextButton onClick={() => onSelect(id, pointer)}>{text}</TextButton>
            </li>
          ))}
        </ErrorList>
      )}
    </Alert>
  );
};

/** More would cover the fields of a phone. */
const MAX_SHOWN_ERRORS = 3;

/** The first errors, and a button that shows the others. */
const ErrorList = ({ children }: { children: ReactNode }) => {
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const errors = Children.toArray(children);
  const hiddenCount = isWhole ? 0 : Math.max(0, errors.length - MAX_SHOWN_ERRORS);
  const showAll = (): void => {
    flushSync(() => setWhole(true));
    // The button that had the focus is gone.
    list.current?.children[MAX_SHOWN_ERRORS]?.querySelector("button")?.focus();
  };
  return (
    <>
      <ul ref={list} className="mt-1 list-disc pl-4">
        {errors.slice(0, errors.length - hiddenCount)}
      </ul>
      {hiddenCount > 0 && <TextButton onClick={showAll}>Show {hiddenCount} more</TextButton>}
    </>
  );
};

const TextButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button
    type="button"
    onClick={onClick}
    className="rounded-sm text-left align-top wrap-anywhere underline underline-offset-2 pointer-coarse:py-1"
  >
    {children}
  </button>
);

/** The text of the server names the calls by their ids, so fields that are named themselves come without it. */
const toTitle = (
  { problem, otherErrors }: Pick<ErrorSummaryProps, "problem" | "otherErrors">,
  hasLinks: boolean,
): string => {
  if (!problem) return "Not sent yet:";
  return hasLinks && otherErrors.length === 0 ? "The answer was refused:" : problem.detail;
};

const toErrorText = (
  { tool_name: name, output_schema: schema }: AnswerableCall,
  error: FieldError,
  step: number | undefined,
): string => {
  const sentence = toSentence(formatFieldError(error, toFormSchema(schema)));
  return step === undefined ? sentence : `${step} · ${humanize(name)}: ${sentence}`;
};
