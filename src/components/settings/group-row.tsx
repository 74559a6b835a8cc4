import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { Group } from "@/contract/group";
import { SettingsRow } from "./settings-list";

type GroupRowProps = {
  group: Group;
  /** Its tools that the server does not have any more. */
  missingTools: readonly string[];
  /** Whether the groups are being saved. */
  isBusy: boolean;
  onEdit: () => void;
  onDelete: () => void;
};

export const GroupRow = ({ group, missingTools, isBusy, onEdit, onDelete }: GroupRowProps) => {
  const { name, description, tools, include_default_prompt: hasDefaultPrompt } = group;
  const [isAsking, setAsking] = useState(false);
  return (
    <SettingsRow
      title={`@${name}`}
      facts={[
        ...(description === "" ? [] : [description]),
        <span key="tools" className="wrap-anywhere">
          {tools.length === 0 ? "No tools" : tools.join(", ")}
        </span>,
        ...(hasDefaultPrompt ? [] : ["Without the server's own instructions"]),
        ...(missingTools.length === 0
          ? []
          : [
              <span key="missing" className="wrap-anywhere text-danger">
                The server does not have these tools any more: {missingTools.join(", ")}.
              </span>,
            ]),
      ]}
      action={
        <div className="flex items-center gap-2">
          <Button size="sm" aria-label={`Edit ${name}`} disabled={isBusy} onClick={onEdit}>
            Edit
          </Button>
          <Button
            size="sm"
            aria-label={`Delete ${name}`}
            disabled={isBusy}
            onClick={() => setAsking(true)}
          >
            Delete
          </Button>
          <ConfirmDialog
            open={isAsking}
            onOpenChange={setAsking}
            title={`Delete “${name}”?`}
            message="Chats that have chosen it lose its tools and instructions. You cannot undo this."
            confirmLabel="Delete group"
            onConfirm={onDelete}
          />
        </div>
      }
    />
  );
};
