"use client";
import type { Group, GroupsConfig } from "@/contract/group";
import { type Declared, DeclaredList, type DeclaredSaving } from "./declared-list";
import { GroupForm } from "./group-form";
import { GroupRow } from "./group-row";
import { type Loadable, mapLoadable } from "./loaded";
import type { ToolOption } from "./tool-boxes";

type GroupsSettingsProps = DeclaredSaving<GroupsConfig> & {
  groups: Loadable<GroupsConfig>;
  /** The tools of the server. */
  tools: Loadable<readonly ToolOption[]>;
  onReloadTools: () => void;
};

/** Lists the groups of the server, adds, changes and deletes them. */
export const GroupsSettings = (props: GroupsSettingsProps) => {
  const { groups, tools, onReloadTools, ...saving } = props;
  const hasTools = tools.state === "ready";
  const options = hasTools ? tools.value : [];
  return (
    <DeclaredList
      {...saving}
      title="Groups"
      lead="Tools and instructions that belong together. A person chooses a group for a chat by writing @ and its name."
      noun="group"
      list={hasTools ? mapLoadable(groups, toDeclared) : tools}
      onReload={hasTools ? saving.onReload : onReloadTools}
      onSave={(list, onSaved) => saving.onSave(toConfig(list), onSaved)}
      onRemove={(list) => saving.onRemove(toConfig(list))}
      form={({ item, ...form }) => <GroupForm {...form} group={item} tools={options} />}
      row={(group, actions) => (
        <GroupRow
          {...actions}
          group={group}
          missingTools={group.tools.filter((name) => !options.some((tool) => tool.name === name))}
        />
      )}
    />
  );
};

const toDeclared = ({ groups: items, version }: GroupsConfig): Declared<Group> => ({
  items,
  version,
});

const toConfig = ({ items: groups, version }: Declared<Group>): GroupsConfig => ({
  groups,
  version,
});
