"use client";
import { type ComponentProps, useState } from "react";
import type { Group, GroupsConfig } from "@/contract/group";
import type { Problem } from "@/contract/problem";
import { EditableList } from "./editable-list";
import { GroupForm, type ToolOption } from "./group-form";
import { GroupRow } from "./group-row";
import type { Loadable } from "./loaded";

type GroupsSettingsProps = {
  groups: Loadable<GroupsConfig>;
  onReload: () => void;
  /** The tools of the server. */
  tools: Loadable<readonly ToolOption[]>;
  onReloadTools: () => void;
  /** Saves all groups, unless they have another version by now; `onSaved` is called when they are saved. */
  onSave: (config: GroupsConfig, onSaved: () => void) => void;
  isSaving: boolean;
  /** Why the form was not saved. */
  saveProblem: Problem | undefined;
  /** Forgets that problem. */
  onCloseForm: () => void;
  /** Saves all groups but one that was deleted. */
  onRemove: (config: GroupsConfig) => void;
  removalProblem: Problem | undefined;
};

/** Lists the groups of the server, adds, changes and deletes them. */
export const GroupsSettings = (props: GroupsSettingsProps) => {
  const { groups, tools, isSaving } = props;
  const hasTools = tools.state === "ready";
  const { groups: all, version } = groups.state === "ready" ? groups.value : NO_GROUPS;
  const options = hasTools ? tools.value : [];
  return (
    <EditableList
      title="Groups"
      lead="Tools and instructions that belong together. A person chooses a group for a chat by writing @ and its name."
      noun="group"
      items={hasTools ? toList(groups) : tools}
      onReload={hasTools ? props.onReload : props.onReloadTools}
      keyOf={({ name }) => name}
      form={(group, onClose) => (
        <OpenForm
          {...{ group, tools: options, config: { groups: all, version } }}
          onSave={(config) => props.onSave(config, onClose)}
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
          onDelete={() =>
            props.onRemove({ groups: all.filter((other) => other !== group), version })
          }
        />
      )}
      onCloseForm={props.onCloseForm}
      changeProblem={props.removalProblem}
      isSaving={isSaving}
    />
  );
};

const NO_GROUPS: GroupsConfig = { groups: [], version: 0 };

const toList = (config: Loadable<GroupsConfig>): Loadable<readonly Group[]> =>
  config.state === "ready" ? { ...config, value: config.value.groups } : config;

type OpenFormProps = Omit<ComponentProps<typeof GroupForm>, "otherNames" | "onSubmit"> & {
  config: GroupsConfig;
  onSave: (config: GroupsConfig) => void;
};

/** The form of one group, which saves all of them if no other change was made that the person has not been told of. */
const OpenForm = ({ config: { groups, version }, onSave, ...form }: OpenFormProps) => {
  const { group, problem } = form;
  const [knownVersion, setKnownVersion] = useState(version);
  const save = (next: Group[]): void => {
    // After a conflict was shown, the change is made to the newest groups, also if it is then refused.
    const expected = problem?.code === "conflict" ? version : knownVersion;
    setKnownVersion(expected);
    onSave({ groups: next, version: expected });
  };
  return (
    <GroupForm
      {...form}
      otherNames={groups.filter((other) => other !== group).map(({ name }) => name)}
      onSubmit={(saved) =>
        save(group ? groups.map((other) => (other === group ? saved : other)) : [...groups, saved])
      }
    />
  );
};
