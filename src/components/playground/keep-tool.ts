import { DeclaredName } from "@/contract/declared-name";
import type { DynamicTool } from "@/contract/dynamic-tool";
import { Group, type GroupsConfig } from "@/contract/group";

/** Adds a tool to the group of a name, in place of its tool of the same name, or to a new group. */
export const addKeptTool = (
  { groups, version }: GroupsConfig,
  { groupName, tool }: { groupName: string; tool: DynamicTool },
): GroupsConfig => {
  const group = findGroup(groups, groupName);
  const kept = Group.parse({ tools: [], ...group, name: groupName, dynamic_tools: [] });
  const others = group?.dynamic_tools ?? [];
  const changed = {
    ...kept,
    dynamic_tools: others.some(({ name }) => name === tool.name)
      ? others.map((other) => (other.name === tool.name ? tool : other))
      : [...others, tool],
  };
  return {
    groups: group ? groups.map((one) => (one === group ? changed : one)) : [...groups, changed],
    version,
  };
};

/** Says what happens to the group of a name when a tool is kept in it; undefined while it cannot be a name. */
export const describeKeeping = (
  groups: readonly Group[],
  { groupName, toolName }: { groupName: string; toolName: string },
): string | undefined => {
  if (!DeclaredName.safeParse(groupName).success) return undefined;
  const group = findGroup(groups, groupName);
  if (!group) return "A new group. A chat with it has only the tools of its groups.";
  return group.dynamic_tools.some(({ name }) => name === toolName)
    ? "The group has a tool of this name, which is replaced."
    : "The group is there already, and gets the tool too.";
};

const findGroup = (groups: readonly Group[], name: string): Group | undefined =>
  groups.find((group) => group.name === name);
