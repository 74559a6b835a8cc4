"use client";
import { AgentType, type AgentTypesConfig } from "@/contract/agent-type";
import { DEFAULT_MAX_STEPS } from "@/contract/limits";
import { DeclaredList, type DeclaredListProps } from "./declared-list";
import { mapLoadable } from "@/components/ui/loaded";
import { createModelField, type ModelChoice } from "./override-model-field";
import type { FormPart } from "@/components/schema-form/setting-fields";
import { type ToolOption, ToolsOrAll } from "./tool-boxes";

type AgentTypesSettingsProps = ModelChoice &
  DeclaredListProps<AgentTypesConfig, ToolOption & { root_only: boolean }>;

/** Lists the agent types of the server, adds, changes and deletes them. */
export const AgentTypesSettings = (props: AgentTypesSettingsProps) => (
  <DeclaredList
    {...props}
    {...createAgentTypeFields(props)}
    tools={mapLoadable(props.tools, (tools) => tools.filter((tool) => !tool.root_only))}
    listKey="agent_types"
    title="Agent types"
    lead="What an agent can choose when it starts another agent for a part of its work. The model reads the names and descriptions; without a choice, the agent has the default type."
    noun="agent type"
    nameTaken="There is a type with this name already."
    getTitle={({ name }) => name}
    listFacts={(agentType, items) => listFacts(agentType, items, props.models)}
    missingTools="Child chats cannot use these tools any more:"
    deletion="Agents can no longer be started with it; those that run go on."
    keepsOne
  />
);

const listFacts = (
  agentType: AgentType,
  items: readonly AgentType[],
  models: ModelChoice["models"],
): string[] => {
  const { max_steps: maxSteps, model_id: modelId, inherit_dynamic_tools: hasDynamic } = agentType;
  const hasModel = modelId !== null && models.state === "ready";
  const model =
    hasModel && (models.value.find(({ id }) => id === modelId)?.name ?? "not available");
  return [
    agentType === items[0] && "The default type",
    hasDynamic && "With the dynamic tools of the parent",
    model !== false && `Model: ${model}`,
    maxSteps !== null && (maxSteps === 1 ? "1 step" : `Up to ${maxSteps} steps`),
    items.length === 1 && "The only type cannot be deleted",
  ].filter((fact) => fact !== false);
};

/** What an agent type consists of. */
export const createAgentTypeFields = (choice: ModelChoice) => ({
  schema: AgentType,
  blank: {},
  parts: createParts(choice),
});

const createParts =
  (choice: ModelChoice) =>
  (agentType: AgentType | undefined, options: readonly ToolOption[]): FormPart[] => [
    {
      path: "name",
      label: "Name",
      hint: "The model starts an agent of this type by it.",
      control: "code",
      autoFocus: !agentType,
    },
    {
      path: "description",
      label: "Description",
      hint: "When to choose the type. The model reads it.",
      control: "line",
    },
    {
      path: "tools",
      label: "Tools",
      render: (control) => (
        <ToolsOrAll
          {...control}
          allHint="Agents of this type have all tools that child chats can use, also those that are added later."
          hint="Agents of this type have only these tools."
          missingText="Child chats cannot use this tool any more."
          first={agentType?.tools ?? []}
          tools={options}
        />
      ),
    },
    {
      path: "inherit_dynamic_tools",
      label: "Dynamic tools of the parent",
      hint: "Agents of this type can also call the tools that the client of the parent chat has declared and answers.",
      control: "switch",
    },
    {
      path: "prompt",
      label: "Instructions",
      hint: "Added to the prompt of agents of this type.",
      control: "lines",
    },
    createModelField(MODEL_TEXTS, choice),
    {
      path: "max_steps",
      label: "Steps per turn",
      hint: `Most steps of a turn of an agent of this type. Empty for ${DEFAULT_MAX_STEPS}.`,
      error: "Enter a whole number from 1 to 1,000, or nothing.",
    },
  ];

const MODEL_TEXTS = {
  none: "Use the parent’s model",
  hint: "Which model agents of this type use.",
  unavailable:
    "This model is not available any more. Until you choose another, agents of this type use the parent’s model.",
};
