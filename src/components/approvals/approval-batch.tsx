import { Check, X } from "lucide-react";
import { useState } from "react";
import type { PendingApproval } from "@/contract/chat";
import { Button } from "@/components/ui/button";
import type { ApprovalDecision } from "./approval-request";
import { RejectionForm } from "./rejection-form";

/** A call that waits for a decision; with the chat if it is of an agent of the chat of the page. */
export type BatchCall = Pick<PendingApproval, "tool_call_id"> & { chat_id?: string };

type ApprovalBatchProps = {
  approvals: readonly BatchCall[];
  onDecide: (decisions: ApprovalDecision[]) => void;
  isDeciding: boolean;
  /** Names the buttons as a group. */
  label?: string;
};

/** Approves or rejects all calls that wait for it, each once. */
export const ApprovalBatch = (props: ApprovalBatchProps) => {
  const { approvals, onDecide, isDeciding, label = "All calls" } = props;
  const [step, setStep] = useState<"initial" | "rejecting" | "returned">("initial");
  const [reason, setReason] = useState("");
  const decideAll = (decision: Omit<ApprovalDecision, "tool_call_id">): void =>
    onDecide(
      approvals.map(({ tool_call_id, chat_id }) => ({
        tool_call_id,
        ...(chat_id !== undefined && { chat_id }),
        ...decision,
      })),
    );
  return (
    <div role="group" aria-label={label} className="border-t bg-surface px-4 py-3">
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
