import { Check, CheckCheck, Pencil, X } from "lucide-react";
import { useId, useState } from "react";
import type { PendingApproval } from "@/contract/chat";
import type { DecideApprovalsInput } from "@/contract/chat-inputs";
import type { FieldError } from "@/contract/problem";
import { isJsonObject } from "@/contract/is-json-object";
import { Button } from "@/components/ui/button";
import { lazyParts, usePartReady } from "@/components/ui/lazy-parts";
import { suggestPattern } from "@/lib/command-pattern";
import { ApprovalArguments } from "./approval-arguments";
import { ApprovalCommands } from "./approval-commands";
import { ApprovalCoverage } from "./approval-coverage";
import { ApprovalPattern } from "./approval-pattern";
import { RejectionForm } from "./rejection-form";
import { ToolCallHeading } from "./tool-call-heading";

export type ApprovalDecision = DecideApprovalsInput["decisions"][number];

/** What "always" may cover of the calls of a tool. */
export type RuleOptions = {
  /** The text of the call that "always" may cover by a pattern, if its tool takes patterns. */
  patternKey?: string | undefined;
  /** There is no "always". */
  asksEachTime?: boolean | undefined;
};

type ApprovalRequestProps = RuleOptions & {
  approval: PendingApproval;
  onDecide: (decision: ApprovalDecision) => void;
  isDeciding: boolean;
  /** Why the server did not take the person's arguments; pointers are into them. */
  errors?: readonly FieldError[] | undefined;
};

type Step = "initial" | "editing" | "rejecting" | "approving-always";

const ArgumentsEditor = lazyParts(() => import("./arguments-editor"));

const NO_ERRORS: readonly FieldError[] = [];

/**
 * A tool call that a person approves, as it is, with other arguments, or always, or rejects, also with a reason for the
 * model.
 */
export const ApprovalRequest = (props: ApprovalRequestProps) => {
  const { approval, onDecide, isDeciding } = props;
  const id = useId();
  const { tool_call_id, tool_name, args, approval_scope } = approval;
  const [chosen, setStep] = useState<Step>("initial");
  // The call and the button, which has the focus, stay until the editor is loaded.
  const isReady = usePartReady(ArgumentsEditor, chosen === "editing");
  const step = isReady || chosen !== "editing" ? chosen : "initial";
  const [pressed, setPressed] = useState<Step>("initial");
  const [reason, setReason] = useState("");
  return (
    // A group, as several calls of one tool have the same name, and landmarks must not.
    <div role="group" aria-labelledby={id} className="grid min-w-0 gap-3 p-4">
      <ToolCallHeading id={id} toolName={tool_name} />
      {!showsCallItself(step, props) && (
        <>
          <ApprovalArguments toolName={tool_name} args={args} />
          <ApprovalCommands scope={approval_scope} />
        </>
      )}
      {step !== "initial" && (
        <OpenStep
          {...props}
          step={step}
          reason={reason}
          onReason={setReason}
          onBack={() => setStep("initial")}
        />
      )}
      {step === "initial" && (
        <DecisionButtons
          onApprove={() => onDecide({ tool_call_id, decision: "approve" })}
          onReject={() => onDecide({ tool_call_id, decision: "reject" })}
          onOpen={(next) => {
            setStep(next);
            setPressed(next);
          }}
          focused={pressed}
          canEdit={isJsonObject(args)}
          canBeAlways={props.asksEachTime !== true}
          isDeciding={isDeciding}
        />
      )}
    </div>
  );
};

/** Whether a step shows what the call does, which must not stand on the card twice. */
const showsCallItself = (step: Step, props: ApprovalRequestProps): boolean =>
  step === "editing" ||
  (step === "approving-always" &&
    props.approval.approval_scope !== null &&
    findPatternText(props) === undefined);

/** @returns the command that a pattern can cover. */
const findPatternText = ({ approval, patternKey }: ApprovalRequestProps): string | undefined => {
  const { approval_scope: scope } = approval;
  const text = patternKey !== undefined && isJsonObject(scope) ? scope[patternKey] : undefined;
  return typeof text === "string" && suggestPattern(text) !== undefined ? text : undefined;
};

type OpenStepProps = ApprovalRequestProps & {
  step: Exclude<Step, "initial">;
  /** Kept while another step is open. */
  reason: string;
  onReason: (reason: string) => void;
  onBack: () => void;
};

/** The form of a decision that takes more than one click. */
const OpenStep = (props: OpenStepProps) => {
  const { approval, onDecide, step, errors = NO_ERRORS, reason, onReason, ...rest } = props;
  const { tool_call_id, tool_name, args } = approval;
  switch (step) {
    case "rejecting":
      return (
        <RejectionForm
          {...rest}
          reason={reason}
          onChange={onReason}
          onReject={(trimmed) =>
            onDecide({
              tool_call_id,
              decision: "reject",
              ...(trimmed !== "" && { reason: trimmed }),
            })
          }
        />
      );
    case "editing":
      return (
        <ArgumentsEditor
          {...rest}
          toolName={tool_name}
          args={args}
          errors={errors}
          onApprove={(changed) => onDecide({ tool_call_id, decision: "approve", args: changed })}
        />
      );
    case "approving-always": {
      const command = findPatternText(props);
      return command === undefined ? (
        <ApprovalCoverage
          {...rest}
          approval={approval}
          onApprove={() => onDecide({ tool_call_id, decision: "approve", scope: "chat" })}
        />
      ) : (
        <ApprovalPattern
          {...rest}
          command={command}
          onApprove={(always) => onDecide({ tool_call_id, decision: "approve", ...always })}
        />
      );
    }
  }
};

type DecisionButtonsProps = {
  onApprove: () => void;
  onReject: () => void;
  onOpen: (step: Step) => void;
  /** The step that a person returns from: its button gets the focus. */
  focused: Step;
  canEdit: boolean;
  canBeAlways: boolean;
  isDeciding: boolean;
};

const DecisionButtons = ({
  onApprove,
  onReject,
  onOpen,
  focused,
  canEdit,
  canBeAlways,
  isDeciding,
}: DecisionButtonsProps) => (
  <div className="flex flex-wrap gap-2">
    <Button
      variant="primary"
      isBusy={isDeciding}
      icon={<Check aria-hidden size={16} />}
      onClick={onApprove}
    >
      Approve
    </Button>
    {canEdit && (
      <Button
        autoFocus={focused === "editing"}
        disabled={isDeciding}
        icon={<Pencil aria-hidden size={16} />}
        onClick={() => onOpen("editing")}
      >
        Edit…
      </Button>
    )}
    <Button disabled={isDeciding} icon={<X aria-hidden size={16} />} onClick={onReject}>
      Reject
    </Button>
    <Button
      variant="ghost"
      autoFocus={focused === "rejecting"}
      disabled={isDeciding}
      onClick={() => onOpen("rejecting")}
    >
      Reject with a reason…
    </Button>
    {canBeAlways && (
      <Button
        variant="ghost"
        autoFocus={focused === "approving-always"}
        disabled={isDeciding}
        icon={<CheckCheck aria-hidden size={16} />}
        onClick={() => onOpen("approving-always")}
      >
        Always…
      </Button>
    )}
  </div>
);
