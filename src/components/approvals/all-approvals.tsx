import { Alert } from "@/components/ui/alert";
import type { Problem } from "@/contract/problem";
import { ApprovalBatch, type BatchCall } from "./approval-batch";
import type { ApprovalDecision } from "./approval-request";

type AllApprovalsProps = {
  /** Of at least two chats. */
  approvals: readonly BatchCall[];
  onDecide: (decisions: ApprovalDecision[]) => void;
  isDeciding: boolean;
  /** Why the server did not take the last decisions. */
  problem?: Problem | undefined;
};

/** Decides on the calls of a chat and its agents together; each of them has its own form, too. */
export const AllApprovals = ({ approvals, onDecide, isDeciding, problem }: AllApprovalsProps) => {
  const agents = new Set(approvals.flatMap(({ chat_id: id }) => id ?? [])).size;
  const isOwnIncluded = approvals.some(({ chat_id: id }) => id === undefined);
  return (
    <div className="grid min-w-0 overflow-clip rounded-xl border border-warning/40 bg-raised">
      <p className="bg-warning-soft px-4 py-3 text-sm font-semibold text-warning">
        {approvals.length} calls of {isOwnIncluded && "this chat and "}
        {agents} {agents === 1 ? "agent" : "agents"} need approval
      </p>
      {problem && (
        <div className="p-4">
          <Alert tone="danger" announce="alert" title="The decisions were not taken">
            {problem.detail}
          </Alert>
        </div>
      )}
      <ApprovalBatch
        label="All calls of all agents"
        approvals={approvals}
        onDecide={onDecide}
        isDeciding={isDeciding}
      />
    </div>
  );
};
