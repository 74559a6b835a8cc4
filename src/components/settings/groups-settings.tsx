"use client";
import type { Group } from "@/contract/group";
import type { Problem } from "@/contract/problem";
import { EditableList } from "./editable-list";
import { GroupForm, type ToolOption } from "./group-form";
import { GroupRow } from "./group-row";
import type { Loadable } from "./loaded";

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
  const { groups, tools, isSaving } = props;
  const hasTools = tools.state === "ready";
  const all = groups.state === "ready" ? groups.value : [];
  const options = hasTools ? tools.value : [];
  return (
    <EditableList
      title="Groups"
      lead="Tools and instructions that belong together. A person chooses a group for a chat by writing @ and its name."
      noun="group"
      items={hasTools ? groups : tools}
      onReload={hasTools ? props.onReload : props.onReloadTools}
      keyOf={({ name }) => name}
      form={(group, onClose) => (
        <GroupForm
          group={group}
          otherNames={all.filter((other) => other !== group).map(({ name }) => name)}
          tools={options}
          onSubmit={(saved) =>
            props.onSave(
              group ? all.map((other) => (other === group ? saved : other)) : [...all, saved],
              onClose,
            )
          }
          onCancel={onClose}
          isBusy={isSaving}
          problem={props.saveProblem}
        />
      )}
      row={(group, onEdit) => (
        <GroupRow
          group={group}
          missingTools={group.tools.filter((name) => !options.some((tool) => tool.name === name))}
          isBusy={isSaving}
          onEdit={onEdit}
          onDelete={() => props.onRemove(all.filter((other) => other !== group))}
        />
      )}
      onCloseForm={props.onCloseForm}
      changeProblem={props.removalProblem}
    />
  );
};
