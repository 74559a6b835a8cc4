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
  deciding: boolean;
};

/** A call that runs only when a person says so; a no can give its reason to the model. */
export const ApprovalRequest = ({ approval, onDecide, deciding }: ApprovalRequestProps) => {
  const id = useId();
  const { tool_call_id, tool_name, args } = approval;
  const [reason, setReason] = useState<string | undefined>();
  const reject = (words: string) =>
    onDecide({
      tool_call_id,
      decision: "reject",
      ...(words.trim() !== "" && { reason: words.trim() }),
    });
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-3 p-4">
      <ToolCallHeading id={id} toolName={tool_name} />
      <div className="min-w-0 rounded-lg bg-surface px-3 py-2.5">
        <ArgumentsList args={args} />
      </div>
      {reason === undefined ? (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            busy={deciding}
            icon={<Check aria-hidden size={16} />}
            onClick={() => onDecide({ tool_call_id, decision: "approve" })}
          >
            Approve
          </Button>
          <Button
            disabled={deciding}
            icon={<X aria-hidden size={16} />}
            onClick={() => setReason("")}
          >
            Reject…
          </Button>
        </div>
      ) : (
        <div className="grid gap-3">
          <TextArea
            // The person has just asked for this field.
            autoFocus
            label="Reason"
            hint="Optional. The model reads it."
            rows={2}
            maxLength={2_000}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button variant="danger" busy={deciding} onClick={() => reject(reason)}>
              Reject
            </Button>
            <Button variant="ghost" disabled={deciding} onClick={() => setReason(undefined)}>
              Back
            </Button>
          </div>
        </div>
      )}
    </section>
  );
};
