import { Ellipsis } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import type { MenuItem } from "@/components/ui/open-menu";

type SettingsItemProps = {
  name: string;
  /** Whether the name is an identifier. */
  isCode?: boolean;
  /** Marks after the name. */
  badges: ReactNode;
  /** Below the name. */
  detail: ReactNode;
  trial: Trial | undefined;
  editing: Editing | undefined;
  /** Results and lists below. */
  children?: ReactNode;
};

/** A button that tries the item out. */
type Trial = { label: string; accessibleLabel: string; isBusy: boolean; onClick: () => void };

/** What can be changed of an item. */
type Editing = {
  onEdit: () => void;
  /** Of the menu, before the deletion. */
  items: readonly MenuItem[];
  onDelete: () => void;
  deletion: {
    message: string;
    confirmLabel: string;
    isDisabled?: boolean;
  };
};

/** Switches an item on or off. */
export const toToggleItem = (isOn: boolean, onToggle: () => void): MenuItem => ({
  kind: "item",
  label: isOn ? "Switch off" : "Switch on",
  onSelect: onToggle,
});

/** A row of something that can be tried, changed and deleted. */
export const SettingsItem = (props: SettingsItemProps) => {
  const { name, isCode = false, badges, detail, trial, editing, children } = props;
  const Name = isCode ? "code" : "span";
  return (
    <li className="grid gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-52">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Name className="min-w-0 font-medium wrap-anywhere">{name}</Name>
            {badges}
          </p>
          {detail}
        </div>
        <div className="flex items-center gap-2">
          {trial && (
            <Button
              size="sm"
              aria-label={trial.accessibleLabel}
              isBusy={trial.isBusy}
              onClick={trial.onClick}
            >
              {trial.label}
            </Button>
          )}
          {editing && <EditActions name={name} {...editing} />}
        </div>
      </div>
      {children}
    </li>
  );
};

const EditActions = ({ name, onEdit, items, onDelete, deletion }: Editing & { name: string }) => {
  const [isAsking, setAsking] = useState(false);
  const { message, confirmLabel, isDisabled = false } = deletion;
  return (
    <>
      <Button size="sm" aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
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
