"use client";
import { toLoadable } from "@/client/screens/settings/to-loadable";
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
      agentTypes={toLoadable(query)}
      onReload={() => {
        query.refetch().catch(reportError);
      }}
      tools={toLoadable(tools)}
      onReloadTools={() => {
        tools.refetch().catch(reportError);
      }}
      models={toLoadable(models)}
      onReloadModels={() => {
        models.refetch().catch(reportError);
      }}
    />
  );
};
