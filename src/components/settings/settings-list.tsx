import { Ellipsis } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import type { MenuItem } from "@/components/ui/open-menu";
import { ConfirmButton } from "./confirm-button";

/** A framed list of rows. */
export const SettingsList = ({ children }: { children: ReactNode }) => (
  <ul className="divide-y rounded-lg border">{children}</ul>
);

type SettingsRowProps = {
  title: string;
  /** Whether the title is an identifier. */
  isCode?: boolean;
  /** Marks after the title. */
  badges?: ReactNode;
  /** Short texts in one line, as far as it is wide enough. */
  facts: readonly ReactNode[];
  /** Tries the item out. */
  trial?:
    { label: string; accessibleName: string; isBusy: boolean; onClick: () => void } | undefined;
  editing?: Editing | undefined;
  /** Another button, at the end. */
  action?: ReactNode;
  /** Results and lists below. */
  children?: ReactNode;
};

/** What can be changed of an item. */
type Editing = {
  /** The name of the item, in the names of the buttons. */
  name: string;
  onEdit: () => void;
  /** Of a menu, before the deletion; without them the deletion is a button. */
  items?: readonly MenuItem[];
  /** Undefined if it cannot be deleted. */
  deletion: Deletion | undefined;
  /** Whether it is being saved. */
  isBusy?: boolean;
};
type Deletion = {
  message: string;
  confirmLabel: string;
  isDisabled?: boolean;
  onDelete: () => void;
};

/** A row of something that can be tried, changed and deleted. */
export const SettingsRow = (props: SettingsRowProps) => {
  const { title, isCode = false, badges, facts, trial, editing, action, children } = props;
  const Title = isCode ? "code" : "span";
  return (
    <li className="grid gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-52">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Title className="min-w-0 font-medium wrap-anywhere">{title}</Title>
            {badges}
          </p>
          <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-muted">
            {facts.map((fact, index) => (
              <span key={index} className="wrap-anywhere">
                {fact}
              </span>
            ))}
          </p>
        </div>
        {(trial ?? editing) && (
          <div className="flex items-center gap-2">
            {trial && (
              <Button
                size="sm"
                aria-label={trial.accessibleName}
                isBusy={trial.isBusy}
                onClick={trial.onClick}
              >
                {trial.label}
              </Button>
            )}
            {editing && <EditActions {...editing} />}
          </div>
        )}
        {action}
      </div>
      {children}
    </li>
  );
};

const EditActions = ({ name, onEdit, items, deletion, isBusy = false }: Editing) => (
  <>
    <Button size="sm" aria-label={`Edit ${name}`} disabled={isBusy} onClick={onEdit}>
      Edit
    </Button>
    {deletion && items && <EditMenu name={name} items={items} deletion={deletion} />}
    {deletion && !items && (
      <ConfirmButton
        size="sm"
        accessibleName={`Delete ${name}`}
        disabled={isBusy}
        title={`Delete “${name}”?`}
        message={deletion.message}
        confirmLabel={deletion.confirmLabel}
        onConfirm={deletion.onDelete}
      >
        Delete
      </ConfirmButton>
    )}
  </>
);

type EditMenuProps = { name: string; items: readonly MenuItem[]; deletion: Deletion };

const EditMenu = ({ name, items, deletion }: EditMenuProps) => {
  const [isAsking, setAsking] = useState(false);
  const { message, confirmLabel, isDisabled = false, onDelete } = deletion;
  return (
    <>
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={`More for ${name}`}
            icon={<Ellipsis aria-hidden size={16} />}
          />
        }
        items={[
          ...items,
          {
            kind: "item",
            label: "Delete",
            isDestructive: true,
            disabled: isDisabled,
            onSelect: () => setAsking(true),
          },
        ]}
      />
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

/** Switches an item on or off. */
export const toToggleItem = (isOn: boolean, onToggle: () => void): MenuItem => ({
  kind: "item",
  label: isOn ? "Switch off" : "Switch on",
  onSelect: onToggle,
});
