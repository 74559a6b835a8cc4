import { CircleCheck, MessageCircleQuestionMark, SendHorizontal } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { RequiredAction } from "@/contract/chat";
import type { SubmittedToolResult } from "@/contract/chat-inputs";
import type { FieldError, Problem } from "@/contract/problem";
import { Button } from "@/components/ui/button";
import { errorsByCall, toToolResults } from "./action-results";
import { type ApprovalDecision, ApprovalRequest } from "./approval-request";
import { CallAnswer } from "./call-answer";
import { Deadline } from "./deadline";
import type { Draft, Drafts } from "./draft";
import { ErrorSummary } from "./error-summary";
import { focusFirstInvalidField } from "./form-errors";

type RequiredActionFormProps = {
  action: RequiredAction;
  /** By `tool_call_id`; stored by the page, so that they survive a reload. */
  drafts: Drafts;
  onDraftChange: (toolCallId: string, draft: Draft) => void;
  /** Receives one result per call, because the server accepts all or none. */
  onSubmit: (results: SubmittedToolResult[]) => void;
  onDecide: (decisions: ApprovalDecision[]) => void;
  isSubmitting: boolean;
  /** Why the server rejected the last submission. */
  problem?: Problem | undefined;
  /** Who answered in the meantime; a name for display. */
  closedBy?: string | undefined;
  /** A fixed time instead of the clock. */
  now?: number;
};

/** The form for all tool calls and approvals that a parked chat waits for. */
export const RequiredActionForm = (props: RequiredActionFormProps) => {
  const { action, closedBy, drafts } = props;
  const ids = [...action.tool_calls, ...action.approvals].map((call) => call.tool_call_id);
  if (closedBy !== undefined) {
    return <ClosedNote by={closedBy} hasUnsentDraft={ids.some((id) => id in drafts)} />;
  }
  // The key resets the state of the form for each required action.
  return <ActionForm key={ids.join("\n")} {...props} />;
};

const ClosedNote = ({ by, hasUnsentDraft }: { by: string; hasUnsentDraft: boolean }) => (
  <p
    role="status"
    className="flex items-start gap-2 rounded-lg border bg-surface px-3 py-2.5 text-sm text-muted"
  >
    <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0 text-success" />
    <span>
      Answered by {by}.{hasUnsentDraft && " Your draft was not sent."}
    </span>
  </p>
);

const ActionForm = (props: RequiredActionFormProps) => {
  const { action, isSubmitting, onDecide } = props;
  const id = useId();
  return (
    <div
      role="group"
      aria-labelledby={id}
      className="min-w-0 overflow-hidden rounded-xl border border-accent/40 bg-raised"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b bg-accent-soft px-4 py-2.5">
        <h2
          id={id}
          className="flex min-w-0 items-center gap-2 text-sm font-semibold text-accent-strong"
        >
          <MessageCircleQuestionMark aria-hidden size={16} className="shrink-0" />
          {formatHeadline(action)}
        </h2>
        <Deadline at={action.deadline_at} {...(props.now !== undefined && { now: props.now })} />
      </header>
      {action.approvals.length > 0 && (
        <div className="divide-y">
          {action.approvals.map((approval) => (
            <ApprovalRequest
              key={approval.tool_call_id}
              approval={approval}
              onDecide={(decision) => onDecide([decision])}
              isDeciding={isSubmitting}
            />
          ))}
        </div>
      )}
      {action.tool_calls.length > 0 && <AnswerForm {...props} />}
    </div>
  );
};

const formatHeadline = ({ tool_calls: { length: answers }, approvals }: RequiredAction): string => {
  if (answers === 0) return approvals.length === 1 ? "Approval needed" : "Approvals needed";
  return answers === 1 ? "Your answer is needed" : `${answers} answers are needed`;
};

const AnswerForm = (props: RequiredActionFormProps) => {
  const { action, drafts, onDraftChange, onSubmit, isSubmitting, problem } = props;
  const { tool_calls: calls } = action;
  const form = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  // An error of the server is shown until its answer is changed.
  const [dismissedProblems, setDismissedProblems] = useState<{
    [toolCallId: string]: Problem | undefined;
  }>({});
  const validated = toToolResults(calls, drafts);
  const serverErrors = errorsByCall(calls, problem);
  // Syncs with the focus of the browser: an invalid answer moves it to the first invalid field.
  useEffect(() => {
    if (form.current && (attempts > 0 || problem)) focusFirstInvalidField(form.current);
  }, [attempts, problem]);

  const getErrors = (toolCallId: string): readonly FieldError[] => {
    const ownErrors = attempts > 0 ? validated.errors.get(toolCallId) : undefined;
    if (ownErrors) return ownErrors;
    const isStale = problem !== undefined && dismissedProblems[toolCallId] === problem;
    return isStale ? NO_ERRORS : (serverErrors.byCall.get(toolCallId) ?? NO_ERRORS);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSubmitting) return;
    if (validated.errors.size === 0) onSubmit(validated.results);
    else setAttempts(attempts + 1);
  };
  const change = (toolCallId: string, draft: Draft) => {
    setDismissedProblems({ ...dismissedProblems, [toolCallId]: problem });
    onDraftChange(toolCallId, draft);
  };
  return (
    <form ref={form} noValidate onSubmit={submit} onKeyDown={handleKeyDown}>
      <div className="divide-y">
        {calls.map((call) => (
          <CallAnswer
            key={call.tool_call_id}
            call={call}
            draft={drafts[call.tool_call_id]}
            onChange={(draft) => change(call.tool_call_id, draft)}
            errors={getErrors(call.tool_call_id)}
            disabled={isSubmitting}
          />
        ))}
      </div>
      <footer className="grid gap-3 border-t bg-surface px-4 py-3">
        <ErrorSummary
          calls={calls}
          getErrors={getErrors}
          problem={problem}
          otherErrors={serverErrors.otherErrors}
        />
        <SendAnswers count={calls.length} isBusy={isSubmitting} />
      </footer>
    </form>
  );
};

const NO_ERRORS: readonly FieldError[] = [];

const SendAnswers = ({ count, isBusy }: { count: number; isBusy: boolean }) => (
  <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
    {count > 1 && <p className="text-xs text-muted">All are sent together.</p>}
    <Button
      type="submit"
      variant="primary"
      isBusy={isBusy}
      icon={<SendHorizontal aria-hidden size={15} />}
    >
      {count === 1 ? "Send answer" : `Send ${count} answers`}
    </Button>
  </div>
);

const handleKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
};
