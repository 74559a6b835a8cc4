import { Check, SendHorizontal } from "lucide-react";
import { clsx } from "clsx";
import {
  type ComponentProps,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import type { AnswerableCall } from "@/contract/call";
import type { SubmittedToolResult } from "@/contract/call-inputs";
import type { FieldError, Problem } from "@/contract/problem";
import { humanize } from "@/lib/humanize";
import { Button } from "@/components/ui/button";
import { errorsByCall, toToolResults, type ValidatedResults } from "./action-results";
import { CallAnswer } from "./call-answer";
import { createDraft, type Draft, type Drafts, findDraft, toFormCall } from "./draft";
import { ErrorSummary } from "./error-summary";
import { focusAnswer, focusFirstInvalidField } from "@/components/ui/form-errors";
import { isComposing } from "@/components/ui/text-focus";
import { type Refusal, RefusalButtons } from "@/components/questions/question-refusal";

/** A call whose answer was just filled from elsewhere; a new object for each time. */
export type FilledCall = { id: string };

type AnswerFormProps = {
  calls: readonly AnswerableCall[];
  drafts: Drafts;
  onDraftChange: (toolCallId: string, draft: Draft) => void;
  onSubmit: (results: SubmittedToolResult[]) => void;
  isSubmitting: boolean;
  problem?: Problem | undefined;
  /** The form moves the focus to its text. */
  filledCall?: FilledCall | undefined;
  /** The call that is shown first; else the first one without an answer. */
  firstCallId?: string | undefined;
};

/** The answers to some tool calls of a step, one call at a time. */
export const AnswerForm = (props: AnswerFormProps) => {
  const { drafts, isSubmitting, problem, filledCall } = props;
  const calls = props.calls.map(toFormCall);
  const form = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  const validated = toToolResults(calls, drafts);
  const errors = useErrors(props, { calls, validated, attempts });
  const steps = useSteps(calls, { ...props, validated, getErrors: errors.get });
  useFormFocus(form, { attempts, problem, filledCall });
  const goTo = (toolCallId: string, pointer = ""): void => {
    flushSync(() => steps.select(toolCallId));
    if (form.current) focusAnswer(form.current, toolCallId, pointer);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSubmitting) return;
    if (validated.errors.size === 0) return props.onSubmit(validated.results);
    steps.showFirst(validated.errors);
    setAttempts(attempts + 1);
  };
  const call = calls[steps.current];
  if (!call) return null;
  const refuse = (refusal: Refusal): void => {
    const { draft, results } = toRefusal(refusal, { call, calls, drafts });
    errors.change(call.tool_call_id, draft);
    if (calls.length === 1) props.onSubmit(results.results);
    else steps.showFirst(results.errors);
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      onKeyDown={handleKeyDown}
      // The errors and the buttons stay visible, and must not cover the focused field.
      className="[&_:is(input,textarea,select,fieldset)]:scroll-mb-20 has-[>div>[role=alert]]:[&_:is(input,textarea,select,fieldset)]:scroll-mt-[40dvh]"
    >
      <StickyErrors
        calls={calls}
        problem={problem}
        getErrors={errors.get}
        otherErrors={errors.others}
        onSelect={goTo}
      />
      {calls.length > 1 && (
        <Steps calls={calls} current={steps.current} errors={validated.errors} onSelect={goTo} />
      )}
      <CallAnswer
        key={call.tool_call_id}
        call={call}
        draft={findDraft(call, drafts)}
        onChange={(draft) => errors.change(call.tool_call_id, draft)}
        errors={errors.get(call.tool_call_id)}
        disabled={isSubmitting}
      />
      <Buttons calls={calls} current={steps.current} onSelect={goTo} isBusy={isSubmitting}>
        {call.elicitation && <RefusalButtons onRefuse={refuse} isDisabled={isSubmitting} />}
      </Buttons>
    </form>
  );
};

const StickyErrors = (props: ComponentProps<typeof ErrorSummary>) => (
  <div className="sticky top-0 z-10 max-h-[35dvh] overflow-y-auto border-b bg-raised p-3 empty:hidden short:static short:max-h-none">
    <ErrorSummary {...props} />
  </div>
);

type ToRefuse = { call: AnswerableCall; calls: readonly AnswerableCall[]; drafts: Drafts };

/** What a person has entered stays in the draft. */
const toRefusal = (refusal: Refusal, { call, calls, drafts }: ToRefuse) => {
  const draft = { ...(findDraft(call, drafts) ?? createDraft(call)), isError: false, refusal };
  return { draft, results: toToolResults(calls, { ...drafts, [call.tool_call_id]: draft }) };
};

type Focus = Pick<AnswerFormProps, "problem" | "filledCall"> & { attempts: number };

const useFormFocus = (
  form: RefObject<HTMLFormElement | null>,
  { attempts, problem, filledCall }: Focus,
): void => {
  // Syncs with the focus of the browser: an invalid answer moves it to the first invalid field.
  useEffect(() => {
    if (form.current && (attempts > 0 || problem)) focusFirstInvalidField(form.current);
  }, [form, attempts, problem]);
  // Syncs with the focus of the browser: the person reads the filled answer before sending it.
  useEffect(() => {
    if (form.current && filledCall) focusAnswer(form.current, filledCall.id);
  }, [form, filledCall]);
};

type UsedErrors = {
  calls: readonly AnswerableCall[];
  validated: ValidatedResults;
  attempts: number;
};

/** The errors to show: those of a failed attempt to send, and those of the server until an answer is changed. */
const useErrors = (
  { onDraftChange, problem }: AnswerFormProps,
  { calls, validated, attempts }: UsedErrors,
) => {
  const [dismissedProblems, setDismissedProblems] = useState<{
    [toolCallId: string]: Problem | undefined;
  }>({});
  const serverErrors = errorsByCall(calls, problem);
  return {
    others: serverErrors.otherErrors,
    get: (toolCallId: string): readonly FieldError[] => {
      const ownErrors = attempts > 0 ? validated.errors.get(toolCallId) : undefined;
      if (ownErrors) return ownErrors;
      const isStale = problem !== undefined && dismissedProblems[toolCallId] === problem;
      return isStale ? NO_ERRORS : (serverErrors.byCall.get(toolCallId) ?? NO_ERRORS);
    },
    change: (toolCallId: string, draft: Draft): void => {
      setDismissedProblems({ ...dismissedProblems, [toolCallId]: problem });
      onDraftChange(toolCallId, draft);
    },
  };
};

const NO_ERRORS: readonly FieldError[] = [];

type StepInput = Pick<AnswerFormProps, "problem" | "filledCall" | "firstCallId"> & {
  validated: ValidatedResults;
  getErrors: (toolCallId: string) => readonly FieldError[];
};

/** The call that is shown. */
const useSteps = (calls: readonly AnswerableCall[], input: StepInput) => {
  const { validated, getErrors, problem, filledCall, firstCallId } = input;
  const [current, setCurrent] = useState(() => {
    const ids = calls.map(({ tool_call_id: id }) => id);
    const first =
      ids.find((id) => id === firstCallId) ?? ids.find((id) => validated.errors.has(id));
    return first === undefined ? 0 : ids.indexOf(first);
  });
  const [seen, setSeen] = useState({ problem, filledCall });
  const show = (hasProblem: (toolCallId: string) => boolean): void => {
    const index = calls.findIndex(({ tool_call_id: id }) => hasProblem(id));
    if (index >= 0) setCurrent(index);
  };
  if (seen.problem !== problem || seen.filledCall !== filledCall) {
    setSeen({ problem, filledCall });
    if (seen.filledCall !== filledCall) show((id) => id === filledCall?.id);
    else show((id) => getErrors(id).length > 0);
  }
  return {
    current,
    select: (toolCallId: string): void => show((id) => id === toolCallId),
    /** Stays at the current call if it has errors. */
    showFirst: (errors: ReadonlyMap<string, unknown>): void => {
      if (!errors.has(calls[current]?.tool_call_id ?? "")) show((id) => errors.has(id));
    },
  };
};

type StepsProps = {
  calls: readonly AnswerableCall[];
  current: number;
  /** By `tool_call_id`; a call without errors is filled in. */
  errors: ReadonlyMap<string, unknown>;
  onSelect: (toolCallId: string) => void;
};

const Steps = ({ calls, current, errors, onSelect }: StepsProps) => (
  <nav
    aria-label="Answers"
    className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b px-4 py-2"
  >
    <p aria-live="polite" className="text-xs font-medium text-muted tabular-nums">
      {current + 1} of {calls.length}
    </p>
    <ol className="flex flex-wrap gap-1">
      {calls.map(({ tool_call_id: id, tool_name: name }, index) => (
        <li key={id}>
          <button
            type="button"
            aria-current={index === current ? "step" : undefined}
            aria-label={`Answer ${index + 1}: ${humanize(name)}${errors.has(id) ? "" : ", filled in"}`}
            onClick={() => onSelect(id)}
            className={clsx(
              "grid size-7 place-items-center rounded-md border text-xs font-medium tabular-nums transition-colors pointer-coarse:size-10",
              index === current
                ? "border-accent bg-accent-soft text-accent-strong"
                : "border-border text-muted hover:bg-hover",
            )}
          >
            {errors.has(id) ? index + 1 : <Check aria-hidden size={13} />}
          </button>
        </li>
      ))}
    </ol>
  </nav>
);

type ButtonsProps = Omit<StepsProps, "errors"> & { isBusy: boolean; children?: ReactNode };

/** The buttons stay at the lower edge of the view while the form is longer than it. */
const Buttons = ({ calls, current, isBusy, onSelect, children }: ButtonsProps) => {
  const previous = calls[current - 1];
  const next = calls[current + 1];
  return (
    <footer className="sticky bottom-0 z-10 flex flex-wrap items-center justify-end gap-2 border-t bg-surface px-4 py-3 short:static">
      {children}
      {previous && (
        <Button variant="ghost" onClick={() => onSelect(previous.tool_call_id)}>
          Back
        </Button>
      )}
      {next && (
        <Button variant="primary" onClick={() => onSelect(next.tool_call_id)}>
          Next
        </Button>
      )}
      <Button
        type="submit"
        variant={next ? "secondary" : "primary"}
        isBusy={isBusy}
        icon={<SendHorizontal aria-hidden size={15} />}
      >
        {calls.length === 1 ? "Send answer" : `Send ${calls.length} answers`}
      </Button>
    </footer>
  );
};

const handleKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || isComposing(event)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
};
