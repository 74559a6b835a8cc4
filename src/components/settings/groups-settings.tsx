"use client";
import { Group, type GroupsConfig } from "@/contract/group";
import { EditableList } from "./editable-list";
import type { Loadable } from "./loaded";
import type { FormPart } from "./setting-fields";
import { SettingForm } from "./setting-form";
import { SettingsRow } from "./settings-list";
import { listToolFacts, ToolBoxes, type ToolOption } from "./tool-boxes";
import {
  type ItemFormProps,
  type ServerTools,
  toItemPointer,
  useWholeList,
  type WholeListSaving,
} from "./use-whole-list";

type GroupsSettingsProps = WholeListSaving<GroupsConfig> &
  ServerTools & {
    groups: Loadable<GroupsConfig>;
  };

/** Lists the groups of the server, adds, changes and deletes them. */
export const GroupsSettings = (props: GroupsSettingsProps) => {
  const { groups, tools } = props;
  const options = tools.state === "ready" ? tools.value : [];
  const { list, save, remove, checkName } = useWholeList({
    ...props,
    list: groups,
    toWhole: (whole) => ({ items: whole.groups, version: whole.version }),
    toList: (items, version): GroupsConfig => ({ groups: items, version }),
  });
  return (
    <EditableList
      {...list}
      title="Groups"
      lead="Tools and instructions that belong together. A person chooses a group for a chat by writing @ and its name."
      noun="group"
      form={(group, frame) => (
        <GroupForm
          {...frame}
          group={group}
          options={options}
          check={checkName(group, "group")}
          onSubmit={(saved) => save(saved, group, frame.onCancel)}
        />
      )}
      row={(group, onEdit) => (
        <SettingsRow
          title={`@${group.name}`}
          facts={listToolFacts({
            ...group,
            facts: group.include_default_prompt ? [] : ["Without the server's own instructions"],
            options,
            missingText: "The server does not have these tools any more:",
          })}
          editing={{
            name: group.name,
            onEdit,
            isBusy: props.isSaving,
            deletion: { ...DELETION, onDelete: () => remove(group) },
          }}
        />
      )}
    />
  );
};

type GroupFormProps = ItemFormProps<Group> & {
  group: Group | undefined;
  options: readonly ToolOption[];
};

/** Asks for what a group consists of. */
export const GroupForm = ({ group, options, ...props }: GroupFormProps) => (
  <SettingForm
    {...props}
    schema={Group}
    stored={group ?? { tools: [] }}
    parts={() => listParts(group, options)}
    locate={toItemPointer}
  />
);

const DELETION = {
  message: "Chats that have chosen it lose its tools and instructions. You cannot undo this.",
  confirmLabel: "Delete group",
};

const listParts = (group: Group | undefined, options: readonly ToolOption[]): FormPart[] => [
  {
    path: "name",
    label: "Name",
    hint: "People write it after an @ in a message. If you change it, chats that have chosen the group lose it.",
    control: "code",
    autoFocus: !group,
  },
  {
    path: "description",
    label: "Description",
    hint: "What the group is for. People see it when they choose a group.",
    control: "line",
  },
  {
    path: "tools",
    label: "Tools",
    render: (control) => (
      <ToolBoxes
        {...control}
        hint="A chat with this group has only these tools."
        missingText="The server does not have this tool any more."
        first={group?.tools ?? []}
        tools={options}
      />
    ),
  },
  {
    path: "prompt",
    label: "Instructions",
    hint: "Added to the prompt of chats that have chosen the group.",
    control: "lines",
  },
  {
    path: "include_default_prompt",
    label: "Keep the server's own instructions",
    hint: "They tell the model how to write, to answer in the language of the person, and not to invent results of tools.",
    control: "checkbox",
  },
];
