import { Check, X } from "lucide-react";
import { useState } from "react";
import type { PendingApproval } from "@/contract/chat";
import { Button } from "@/components/ui/button";
import type { ApprovalDecision } from "./approval-request";
import { RejectionForm } from "./rejection-form";

type ApprovalBatchProps = {
  approvals: readonly PendingApproval[];
  onDecide: (decisions: ApprovalDecision[]) => void;
  isDeciding: boolean;
};

/** Approves or rejects all calls that wait for it, each once. */
export const ApprovalBatch = ({ approvals, onDecide, isDeciding }: ApprovalBatchProps) => {
  const [step, setStep] = useState<"initial" | "rejecting" | "returned">("initial");
  const [reason, setReason] = useState("");
  const decideAll = (decision: Omit<ApprovalDecision, "tool_call_id">): void =>
    onDecide(approvals.map(({ tool_call_id }) => ({ tool_call_id, ...decision })));
  return (
    <div role="group" aria-label="All calls" className="border-t bg-surface px-4 py-3">
      {step === "rejecting" ? (
        <RejectionForm
          label={`Reject all ${approvals.length}`}
          reason={reason}
          onChange={setReason}
          onReject={(trimmed) =>
            decideAll({ decision: "reject", ...(trimmed !== "" && { reason: trimmed }) })
          }
          onBack={() => setStep("returned")}
          isDeciding={isDeciding}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button
            isBusy={isDeciding}
            icon={<Check aria-hidden size={16} />}
            onClick={() => decideAll({ decision: "approve" })}
          >
            Approve all {approvals.length}
          </Button>
          <Button
            disabled={isDeciding}
            icon={<X aria-hidden size={16} />}
            onClick={() => decideAll({ decision: "reject" })}
          >
            Reject all {approvals.length}
          </Button>
          <Button
            variant="ghost"
            // Returning from the reason form moves the focus to the button that opened it.
            autoFocus={step === "returned"}
            disabled={isDeciding}
            onClick={() => setStep("rejecting")}
          >
            Reject all with a reason…
          </Button>
        </div>
      )}
    </div>
  );
};
