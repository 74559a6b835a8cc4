import { Check, X } from "lucide-react";
import { useId, useState } from "react";
import type { PendingApproval } from "@/contract/chat";
import type { DecideApprovalsInput } from "@/contract/chat-inputs";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/text-area";
import { ArgumentsList } from "./arguments-list";
import { ToolCallHeading } from "./tool-call-heading";

export type ApprovalDecision = DecideApprovalsInput["decisions"][number];

type ApprovalRequestProps = {
  approval: PendingApproval;
  onDecide: (decision: ApprovalDecision) => void;
  isDeciding: boolean;
};

/** A tool call that a person approves or rejects; a rejection can have a reason for the model. */
export const ApprovalRequest = ({ approval, onDecide, isDeciding }: ApprovalRequestProps) => {
  const id = useId();
  const { tool_call_id, tool_name, args } = approval;
  const [step, setStep] = useState<"initial" | "rejecting" | "returned">("initial");
  const [reason, setReason] = useState("");
  const reject = () =>
    onDecide({
      tool_call_id,
      decision: "reject",
      ...(reason.trim() !== "" && { reason: reason.trim() }),
    });
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-3 p-4">
      <ToolCallHeading id={id} toolName={tool_name} />
      <div className="min-w-0 rounded-lg bg-surface px-3 py-2.5">
        <ArgumentsList args={args} />
      </div>
      {step === "rejecting" ? (
        <ReasonForm
          reason={reason}
          onChange={setReason}
          onReject={reject}
          onBack={() => setStep("returned")}
          isDeciding={isDeciding}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            isBusy={isDeciding}
            icon={<Check aria-hidden size={16} />}
            onClick={() => onDecide({ tool_call_id, decision: "approve" })}
          >
            Approve
          </Button>
          <Button
            // Returning from the reason form moves the focus to the button that opened it.
            autoFocus={step === "returned"}
            disabled={isDeciding}
            icon={<X aria-hidden size={16} />}
            onClick={() => setStep("rejecting")}
          >
            Reject…
          </Button>
        </div>
      )}
    </section>
  );
};

type ReasonFormProps = {
  reason: string;
  onChange: (reason: string) => void;
  onReject: () => void;
  onBack: () => void;
  isDeciding: boolean;
};

const ReasonForm = ({ reason, onChange, onReject, onBack, isDeciding }: ReasonFormProps) => (
  <div className="grid gap-3">
    <TextArea
      // The person has just opened this field.
      autoFocus
      label="Reason"
      hint="Optional. The model reads it."
      rows={2}
      maxLength={2_000}
      value={reason}
      disabled={isDeciding}
      onChange={({ target }) => onChange(target.value)}
    />
    <div className="flex flex-wrap gap-2">
      <Button variant="danger" isBusy={isDeciding} onClick={onReject}>
        Reject
      </Button>
      <Button variant="ghost" disabled={isDeciding} onClick={onBack}>
        Back
      </Button>
    </div>
  </div>
);
