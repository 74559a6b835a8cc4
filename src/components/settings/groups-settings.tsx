"use client";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { useFocusFallback } from "@/components/forms/use-focus-fallback";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Group } from "@/contract/group";
import type { Problem } from "@/contract/problem";
import { GroupForm, type ToolOption } from "./group-form";
import { GroupRow } from "./group-row";
import { type Loadable, Loaded } from "./loaded";
import { SettingsList } from "./settings-list";
import { SettingsSection } from "./settings-section";

type GroupsSettingsProps = {
  groups: Loadable<readonly Group[]>;
  onReload: () => void;
  /** The tools of the server. */
  tools: Loadable<readonly ToolOption[]>;
  onReloadTools: () => void;
  /** Saves all groups; `onSaved` is called when they are saved. */
  onSave: (groups: Group[], onSaved: () => void) => void;
  isSaving: boolean;
  /** Why the form was not saved. */
  saveProblem: Problem | undefined;
  /** Forgets that problem. */
  onCloseForm: () => void;
  /** Saves all groups but one that was deleted. */
  onRemove: (groups: Group[]) => void;
  removalProblem: Problem | undefined;
};

/** Lists the groups of the server, adds, changes and deletes them. */
export const GroupsSettings = (props: GroupsSettingsProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusFallback(heading);
  /** The name of the group whose form is open; null for that of a new one. */
  const [open, setOpen] = useState<string | null>();
  const openForm = (name: string | null | undefined): void => {
    props.onCloseForm();
    setOpen(name);
  };
  return (
    <SettingsSection
      title="Groups"
      lead="Tools and instructions that belong together. A person chooses a group for a chat by writing @ and its name."
      headingRef={heading}
      action={
        open !== null && (
          <Button
            variant="primary"
            icon={<Plus aria-hidden size={16} />}
            onClick={() => openForm(null)}
          >
            Add group
          </Button>
        )
      }
    >
      {props.removalProblem !== undefined && (
        <Alert tone="danger" announce="alert" title="The group was not deleted">
          {props.removalProblem.detail}
        </Alert>
      )}
      <Loaded loadable={props.tools} what="tools" onReload={props.onReloadTools}>
        {(tools) => (
          <Loaded loadable={props.groups} what="groups" onReload={props.onReload}>
            {(groups) => <Groups {...props} {...{ groups, tools, open, openForm }} />}
          </Loaded>
        )}
      </Loaded>
    </SettingsSection>
  );
};

type GroupsProps = Pick<GroupsSettingsProps, "onSave" | "isSaving" | "saveProblem" | "onRemove"> & {
  groups: readonly Group[];
  tools: readonly ToolOption[];
  open: string | null | undefined;
  openForm: (name: string | null | undefined) => void;
};

const Groups = (props: GroupsProps) => {
  const { groups, tools, open, openForm, onSave, isSaving, saveProblem, onRemove } = props;
  const close = (): void => openForm(undefined);
  const formOf = (edited: Group | undefined) => (
    <GroupForm
      group={edited}
      otherNames={groups.filter((group) => group !== edited).map(({ name }) => name)}
      tools={tools}
      onSubmit={(saved) =>
        onSave(
          edited ? groups.map((group) => (group === edited ? saved : group)) : [...groups, saved],
          close,
        )
      }
      onCancel={close}
      isBusy={isSaving}
      problem={saveProblem}
    />
  );
  return (
    <>
      {open === null && formOf(undefined)}
      {groups.length === 0 && open !== null && (
        <p className="text-muted">There are no groups yet.</p>
      )}
      {groups.length > 0 && (
        <SettingsList>
          {groups.map((group) =>
            group.name === open ? (
              <li key={group.name} className="p-2">
                {formOf(group)}
              </li>
            ) : (
              <GroupRow
                key={group.name}
                group={group}
                missingTools={group.tools.filter(
                  (name) => !tools.some((tool) => tool.name === name),
                )}
                isBusy={isSaving}
                onEdit={() => openForm(group.name)}
                onDelete={() => onRemove(groups.filter((other) => other !== group))}
              />
            ),
          )}
        </SettingsList>
      )}
    </>
  );
};
