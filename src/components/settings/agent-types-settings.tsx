"use client";
import type { AgentType, AgentTypesConfig } from "@/contract/agent-type";
import type { Model } from "@/contract/model";
import { AgentTypeForm } from "./agent-type-form";
import { AgentTypeRow } from "./agent-type-row";
import { type Declared, DeclaredList, type DeclaredSaving } from "./declared-list";
import { type Loadable, mapLoadable } from "./loaded";
import type { ToolOption } from "./tool-boxes";

type AgentTypesSettingsProps = DeclaredSaving<AgentTypesConfig> & {
  agentTypes: Loadable<AgentTypesConfig>;
  /** The tools of the server. */
  tools: Loadable<readonly (ToolOption & { root_only: boolean })[]>;
  onReloadTools: () => void;
  models: Loadable<readonly Model[]>;
  onReloadModels: () => void;
};

/** Lists the agent types of the server, adds, changes and deletes them. */
export const AgentTypesSettings = (props: AgentTypesSettingsProps) => {
  const { agentTypes, tools, onReloadTools, models, onReloadModels, ...saving } = props;
  const hasTools = tools.state === "ready";
  const options = hasTools ? tools.value.filter((tool) => !tool.root_only) : [];
  const types = agentTypes.state === "ready" ? agentTypes.value.agent_types : [];
  return (
    <DeclaredList
      {...saving}
      title="Agent types"
      lead="What an agent can choose when it starts another agent for a part of its work. The model reads the names and descriptions; without a choice, the agent has the default type."
      noun="agent type"
      list={hasTools ? mapLoadable(agentTypes, toDeclared) : tools}
      onReload={hasTools ? saving.onReload : onReloadTools}
      onSave={(list, onSaved) => saving.onSave(toConfig(list), onSaved)}
      onRemove={(list) => saving.onRemove(toConfig(list))}
      form={(form) => (
        <AgentTypeForm {...form} models={models} onReloadModels={onReloadModels} tools={options} />
      )}
      row={(agentType, actions) => (
        <AgentTypeRow
          {...actions}
          agentType={agentType}
          isDefault={agentType === types[0]}
          isOnlyOne={types.length === 1}
          modelName={findModelName(agentType, models)}
          missingTools={(agentType.tools ?? []).filter(
            (name) => !options.some((tool) => tool.name === name),
          )}
        />
      )}
    />
  );
};

const toDeclared = ({ agent_types: items, version }: AgentTypesConfig): Declared<AgentType> => ({
  items,
  version,
});

const toConfig = ({ items, version }: Declared<AgentType>): AgentTypesConfig => ({
  agent_types: items,
  version,
});

const findModelName = (
  { model_id: modelId }: AgentType,
  models: Loadable<readonly Model[]>,
): string | undefined => {
  if (modelId === null || models.state !== "ready") return undefined;
  return models.value.find(({ id }) => id === modelId)?.name ?? "not available";
};
