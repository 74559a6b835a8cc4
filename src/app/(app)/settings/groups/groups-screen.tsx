"use client";
import { toLoadable } from "@/app/(app)/settings/to-loadable";
import { useGroups } from "@/client/use-groups";
import { GroupsSettings } from "@/components/settings/groups-settings";

export const GroupsScreen = () => {
  const { query, tools, save, forgetSave, remove, ...rest } = useGroups();
  return (
    <GroupsSettings
      {...rest}
      groups={toLoadable(query)}
      onReload={() => {
        query.refetch().catch(reportError);
      }}
      tools={toLoadable(tools)}
      onReloadTools={() => {
        tools.refetch().catch(reportError);
      }}
      onSave={save}
      onCloseForm={forgetSave}
      onRemove={remove}
    />
  );
};
