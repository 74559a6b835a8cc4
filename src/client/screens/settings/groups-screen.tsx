"use client";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useGroups } from "@/client/use-groups";
import { useTools } from "@/client/use-tools";
import { GroupsSettings } from "@/components/settings/groups-settings";

export const GroupsScreen = () => {
  const { query, mutations } = useGroups();
  const tools = useTools();
  return (
    <GroupsSettings
      {...mutations}
      list={toLoadable(query)}
      onReload={toReload(query)}
      tools={toLoadable(tools)}
      onReloadTools={toReload(tools)}
    />
  );
};
