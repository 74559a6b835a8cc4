import { Check, CheckCheck, X } from "lucide-react";
import { useId, useState } from "react";
import type { PendingApproval } from "@/contract/chat";
import type { DecideApprovalsInput } from "@/contract/chat-inputs";
import { Button } from "@/components/ui/button";
import { ApprovalArguments } from "./approval-arguments";
import { ApprovalCommands } from "./approval-commands";
import { ApprovalCoverage } from "./approval-coverage";
import { RejectionForm } from "./rejection-form";
import { ToolCallHeading } from "./tool-call-heading";

export type ApprovalDecision = DecideApprovalsInput["decisions"][number];

type ApprovalRequestProps = {
  approval: PendingApproval;
  onDecide: (decision: ApprovalDecision) => void;
  isDeciding: boolean;
};

type Step = "initial" | "rejecting" | "approving-always";

/** A tool call that a person approves, once or always for the chat, or rejects with a reason for the model. */
export const ApprovalRequest = ({ approval, onDecide, isDeciding }: ApprovalRequestProps) => {
  const id = useId();
  const { tool_call_id, tool_name, args, approval_scope } = approval;
  const [step, setStep] = useState<Step>("initial");
  const [pressed, setPressed] = useState<Step>("initial");
  const [reason, setReason] = useState("");
  return (
    // A group, as several calls of one tool have the same name, and landmarks must not.
    <div role="group" aria-labelledby={id} className="grid min-w-0 gap-3 p-4">
      <ToolCallHeading id={id} toolName={tool_name} />
      <ApprovalArguments toolName={tool_name} args={args} />
      <ApprovalCommands scope={approval_scope} />
      {step === "rejecting" && (
        <RejectionForm
          reason={reason}
          onChange={setReason}
          onReject={(trimmed) =>
            onDecide({
              tool_call_id,
              decision: "reject",
              ...(trimmed !== "" && { reason: trimmed }),
            })
          }
          onBack={() => setStep("initial")}
          isDeciding={isDeciding}
        />
      )}
      {step === "approving-always" && (
        <ApprovalCoverage
          approval={approval}
          onApprove={() => onDecide({ tool_call_id, decision: "approve", scope: "chat" })}
          onBack={() => setStep("initial")}
          isDeciding={isDeciding}
        />
      )}
      {step === "initial" && (
        <DecisionButtons
          onApprove={() => onDecide({ tool_call_id, decision: "approve" })}
          onOpen={(next) => {
            setStep(next);
            setPressed(next);
          }}
          focused={pressed}
          isDeciding={isDeciding}
        />
      )}
    </div>
  );
};

type DecisionButtonsProps = {
  onApprove: () => void;
  onOpen: (step: Step) => void;
  /** The step that a person returns from: its button gets the focus. */
  focused: Step;
  isDeciding: boolean;
};

const DecisionButtons = ({ onApprove, onOpen, focused, isDeciding }: DecisionButtonsProps) => (
  <div className="flex flex-wrap gap-2">
    <Button
      variant="primary"
      isBusy={isDeciding}
      icon={<Check aria-hidden size={16} />}
      onClick={onApprove}
    >
      Approve
    </Button>
    <Button
      autoFocus={focused === "rejecting"}
      disabled={isDeciding}
      icon={<X aria-hidden size={16} />}
      onClick={() => onOpen("rejecting")}
    >
      Reject…
    </Button>
    <Button
      variant="ghost"
      autoFocus={focused === "approving-always"}
      disabled={isDeciding}
      icon={<CheckCheck aria-hidden size={16} />}
      onClick={() => onOpen("approving-always")}
    >
      Always for this chat…
    </Button>
  </div>
);
