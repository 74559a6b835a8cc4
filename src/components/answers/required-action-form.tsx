import { clsx } from "clsx";
import { CircleCheck, MessageCircleQuestionMark } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { OpenCall } from "@/contract/call";
import type { RequiredAction } from "@/contract/chat";
import type { SubmittedToolResult } from "@/contract/call-inputs";
import type { FieldError, Problem } from "@/contract/problem";
import { Alert } from "@/components/ui/alert";
import { focusAnswer } from "@/components/ui/form-errors";
import { Spinner } from "@/components/ui/spinner";
import { useIsHydrated } from "@/components/ui/use-is-hydrated";
import { AbsentPrograms } from "./absent-programs";
import { AnswerForm, type FilledCall } from "./answer-form";
import { isAskedCall } from "./asked-call";
import { ApprovalBatch } from "@/components/approvals/approval-batch";
import {
  type ApprovalDecision,
  ApprovalRequest,
  type RuleOptions,
} from "@/components/approvals/approval-request";
import { Deadline } from "./deadline";
import { ClaimedCalls, type ClaimedCallView } from "./claimed-calls";
import type { Draft, Drafts } from "./draft";

/** The agent that an action is of. */
export type Asker = {
  link: ReactNode;
  /** Which of several it is. */
  position?: string | undefined;
};

type RequiredActionFormProps = {
  action: RequiredAction;
  /** For an action of an agent of the chat, not of the chat itself. */
  asker?: Asker | undefined;
  /** By `tool_call_id`; stored by the page, so that they survive a reload. */
  drafts: Drafts;
  onDraftChange: (toolCallId: string, draft: Draft) => void;
  /** Receives a result for each call that the form asks for. */
  onSubmit: (results: SubmittedToolResult[]) => void;
  onDecide: (decisions: ApprovalDecision[]) => void;
  isSubmitting: boolean;
  /** By the names of tools. */
  ruleOptions?: Readonly<Partial<Record<string, RuleOptions>>> | undefined;
  /** Toolsets of its calls that no program is connected for, and since when. */
  absent?: ComponentProps<typeof AbsentPrograms>["absent"] | undefined;
  /** Why the server rejected the last submission. */
  problem?: Problem | undefined;
  /** The form moves the focus to its text. */
  filledCall?: FilledCall | undefined;
  /** A fixed time instead of the clock. */
  now?: number;
};

/** The form for all tool calls and approvals that a parked chat waits for. */
export const RequiredActionForm = (props: RequiredActionFormProps) => {
  const { tool_calls: calls, approvals } = props.action;
  // The key resets the state of the form for each required action.
  const key = [...calls, ...approvals].map((call) => call.tool_call_id).join("\n");
  return <ActionForm key={key} {...props} />;
};

type AnsweredNoteProps = {
  /** Where the answer came from, after the word "Answered". */
  from: string;
  asker?: Asker | undefined;
};

/** Says who answered in the meantime. */
export const AnsweredNote = ({ from, asker }: AnsweredNoteProps) => (
  <p
    role="status"
    className="flex items-start gap-2 rounded-lg border bg-surface px-3 py-3 text-sm text-muted"
  >
    <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0 text-success" />
    <span className="min-w-0 wrap-anywhere">
      {asker && <>{asker.link}: </>}Answered {from}.
    </span>
  </p>
);

const ActionForm = (props: RequiredActionFormProps) => {
  const { action, asker, isSubmitting, onDecide } = props;
  const { claimed, asked, chosenId, answer } = useClaimedCalls(props);
  const needsPerson = asked.length + action.approvals.length > 0;
  const needed = { asked, claimed, approvals: action.approvals };
  const id = useId();
  const form = useRef<HTMLDivElement>(null);
  const answerAndFocus = (toolCallId: string): void => {
    flushSync(() => answer(toolCallId));
    if (form.current) focusAnswer(form.current, toolCallId);
  };
  const isHydrated = useIsHydrated();
  return (
    <div
      ref={form}
      role="group"
      aria-labelledby={id}
      data-scroll-head
      // The focus moves here when the form before it is gone.
      tabIndex={asker ? -1 : undefined}
      // What is entered before React sees it would be lost.
      inert={!isHydrated}
      // Clips without a scroll container, in which nothing would stay visible.
      className={clsx(
        "min-w-0 overflow-clip rounded-xl border bg-raised",
        needsPerson && "border-warning/40",
      )}
    >
      <Headline {...props} id={id} text={formatHeadline(needed)} needsPerson={needsPerson} />
      {props.problem !== undefined && action.tool_calls.length === 0 && (
        <div className="p-4 pb-0">
          <Alert tone="danger" announce="alert" title="The decision was not taken">
            {props.problem.detail}
          </Alert>
        </div>
      )}
      {action.approvals.length > 0 && <Approvals {...props} />}
      {action.approvals.length > 1 && (
        <ApprovalBatch approvals={action.approvals} onDecide={onDecide} isDeciding={isSubmitting} />
      )}
      {claimed.length > 0 && (
        <ClaimedCalls calls={claimed} onAnswer={answerAndFocus} isDisabled={isSubmitting} />
      )}
      <AbsentPrograms absent={props.absent ?? {}} />
      {asked.length > 0 && (
        <AnswerForm
          {...props}
          // What it has of calls that are not in it any more, such as their errors, goes with it.
          key={asked.map((call) => call.tool_call_id).join("\n")}
          calls={asked}
          firstCallId={chosenId}
        />
      )}
    </div>
  );
};

type HeadlineProps = Pick<RequiredActionFormProps, "action" | "asker" | "now"> & {
  id: string;
  text: string;
  needsPerson: boolean;
};

const Headline = ({ id, text, needsPerson, action, asker, now }: HeadlineProps) => (
  <div
    className={clsx(
      "flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b px-4 py-3",
      needsPerson ? "bg-warning-soft" : "bg-surface",
    )}
  >
    <h2
      id={id}
      className={clsx(
        "flex min-w-0 items-center gap-2 text-sm font-semibold",
        needsPerson && "text-warning",
      )}
    >
      {needsPerson ? (
        <MessageCircleQuestionMark aria-hidden size={16} className="shrink-0" />
      ) : (
        <Spinner size={16} />
      )}
      <span className="min-w-0 wrap-anywhere">
        {asker && <>{asker.link} · </>}
        {text}
      </span>
    </h2>
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {asker?.position !== undefined && (
        <span className="text-xs text-muted tabular-nums">{asker.position}</span>
      )}
      <Deadline at={action.deadline_at} {...(now !== undefined && { now })} />
    </span>
  </div>
);

const Approvals = (props: RequiredActionFormProps) => {
  const { action, onDecide, isSubmitting, problem, ruleOptions = {} } = props;
  const [decidedId, setDecidedId] = useState<string>();
  return (
    <div className="divide-y">
      {action.approvals.map((approval) => {
        const { tool_call_id: toolCallId } = approval;
        return (
          <ApprovalRequest
            key={toolCallId}
            approval={approval}
            onDecide={(decision) => {
              setDecidedId(toolCallId);
              onDecide([decision]);
            }}
            errors={decidedId === toolCallId ? findArgumentErrors(problem) : undefined}
            isDeciding={isSubmitting}
            {...ruleOptions[approval.tool_name]}
          />
        );
      })}
    </div>
  );
};

/** Each decision is sent alone, so its errors are those of the first one. */
const ARGUMENTS = "/decisions/0/args";

const findArgumentErrors = (problem: Problem | undefined): FieldError[] | undefined =>
  problem?.errors?.flatMap(({ pointer, message }) =>
    pointer.startsWith(ARGUMENTS) ? [{ pointer: pointer.slice(ARGUMENTS.length), message }] : [],
  );

/** Which calls the form asks for: those that no program works on, and those that the person answers nevertheless. */
const useClaimedCalls = ({ action, drafts }: RequiredActionFormProps) => {
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const isAsked = (call: OpenCall): boolean =>
    isAskedCall(call, drafts) || answered.includes(call.tool_call_id);
  return {
    claimed: action.tool_calls.filter((call): call is ClaimedCallView => !isAsked(call)),
    asked: action.tool_calls.filter(isAsked),
    /** The one that the person has chosen last. */
    chosenId: answered.at(-1),
    answer: (toolCallId: string): void => setAnswered([...answered, toolCallId]),
  };
};

type HeadlineInput = {
  asked: readonly OpenCall[];
  claimed: readonly OpenCall[];
  approvals: RequiredAction["approvals"];
};

const formatHeadline = ({
  asked: { length: answers },
  claimed,
  approvals,
}: HeadlineInput): string => {
  if (answers + approvals.length === 0)
    return claimed.length === 1 ? "A program works on this" : "Programs work on this";
  if (answers === 0) return approvals.length === 1 ? "Approval needed" : "Approvals needed";
  return answers === 1 ? "Your answer is needed" : `${answers} answers are needed`;
};
