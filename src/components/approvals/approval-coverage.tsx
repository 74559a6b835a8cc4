import { useId } from "react";
import type { PendingApproval } from "@/contract/chat";
import { Button } from "@/components/ui/button";
import { humanize } from "@/lib/humanize";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonValue } from "@/contract/json";
import { ApprovalCommands, listCommands } from "./approval-commands";
import { ApprovalArguments } from "./approval-arguments";

type ApprovalCoverageProps = {
  approval: PendingApproval;
  onApprove: () => void;
  onBack: () => void;
  isDeciding: boolean;
};

/** Says which later calls "always for this chat" covers, before it is given. */
export const ApprovalCoverage = (props: ApprovalCoverageProps) => {
  const { approval, onApprove, onBack, isDeciding } = props;
  const { tool_name, approval_scope } = approval;
  const id = useId();
  const name = humanize(tool_name);
  return (
    <div role="group" aria-labelledby={id} className="grid min-w-0 gap-3 rounded-lg border p-3">
      <p id={id} className="text-sm">
        {approval_scope === null ? (
          <>
            From now on, <strong>every call of {name}</strong> runs in this chat without asking,
            whatever its arguments are.
          </>
        ) : (
          <>
            From now on, calls of {name} run in this chat without asking if they have{" "}
            <strong>exactly these values</strong>:
          </>
        )}
      </p>
      <CoveredValues toolName={tool_name} scope={approval_scope} />
      <p className="text-note text-muted">You can revoke this under Settings, Tools.</p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          // The person has just opened this panel.
          autoFocus
          isBusy={isDeciding}
          onClick={onApprove}
        >
          Approve always
        </Button>
        <Button variant="ghost" disabled={isDeciding} onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
};

const CoveredValues = ({ toolName, scope }: { toolName: string; scope: JsonValue }) => {
  if (scope === null) return null;
  if (listCommands(scope).length === 0)
    return <ApprovalArguments toolName={toolName} args={scope} />;
  const args = isJsonObject(scope) ? scope.arguments : undefined;
  return (
    <>
      <ApprovalCommands scope={scope} />
      {args !== undefined && <ApprovalArguments toolName={toolName} args={args} />}
    </>
  );
};
