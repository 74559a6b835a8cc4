import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { SettingsRow } from "./settings-list";

export type DeclaredRowActions = {
  /** Whether the list is being saved. */
  isBusy: boolean;
  onEdit: () => void;
  onDelete: () => void;
};

type DeclaredRowProps = DeclaredRowActions & {
  name: string;
  title: string;
  description: string;
  /** Null for all. */
  tools: readonly string[] | null;
  /** More short texts. */
  facts: readonly string[];
  /** What is wrong with it. */
  problem: string | undefined;
  /** What its deletion does; undefined if it cannot be deleted. */
  deletion: { message: string; confirmLabel: string } | undefined;
};

/** One of a list that administrators declare and save as a whole. */
export const DeclaredRow = (props: DeclaredRowProps) => {
  const { name, title, description, tools, facts, problem, deletion, isBusy, onEdit } = props;
  return (
    <SettingsRow
      title={title}
      facts={[
        ...(description === "" ? [] : [description]),
        <span key="tools" className="wrap-anywhere">
          {describeTools(tools)}
        </span>,
        ...facts,
        ...(problem === undefined
          ? []
          : [
              <span key="problem" className="wrap-anywhere text-danger">
                {problem}
              </span>,
            ]),
      ]}
      action={
        <div className="flex items-center gap-2">
          <Button size="sm" aria-label={`Edit ${name}`} disabled={isBusy} onClick={onEdit}>
            Edit
          </Button>
          {deletion && (
            <DeleteButton {...deletion} name={name} isBusy={isBusy} onDelete={props.onDelete} />
          )}
        </div>
      }
    />
  );
};

const describeTools = (tools: DeclaredRowProps["tools"]): ReactNode => {
  if (tools === null) return "All tools";
  return tools.length === 0 ? "No tools" : tools.join(", ");
};

type DeleteButtonProps = Pick<DeclaredRowProps, "name" | "isBusy" | "onDelete"> &
  NonNullable<DeclaredRowProps["deletion"]>;

const DeleteButton = ({ name, isBusy, message, confirmLabel, onDelete }: DeleteButtonProps) => {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
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
        message={message}
        confirmLabel={confirmLabel}
        onConfirm={onDelete}
      />
    </>
  );
};
