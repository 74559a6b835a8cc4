"use client";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useAgentTypes } from "@/client/use-agent-types";
import { useModelList } from "@/client/use-models";
import { useTools } from "@/client/use-tools";
import { AgentTypesSettings } from "@/components/settings/agent-types-settings";

export const AgentTypesScreen = () => {
  const { query, mutations } = useAgentTypes();
  const tools = useTools();
  const models = useModelList();
  return (
    <AgentTypesSettings
      {...mutations}
      list={toLoadable(query)}
      onReload={toReload(query)}
      tools={toLoadable(tools)}
      onReloadTools={toReload(tools)}
      models={toLoadable(models)}
      onReloadModels={toReload(models)}
    />
  );
};
