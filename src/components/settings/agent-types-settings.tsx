"use client";
import { AgentType, type AgentTypesConfig } from "@/contract/agent-type";
import { DEFAULT_MAX_STEPS } from "@/contract/limits";
import type { Model } from "@/contract/model";
import { EditableList } from "./editable-list";
import type { Loadable } from "./loaded";
import { OverrideModelField } from "./override-model-field";
import type { CustomControl, FormPart } from "./setting-fields";
import { SettingForm } from "./setting-form";
import { SettingsRow } from "./settings-list";
import { Switch } from "@/components/ui/switch";
import { listToolFacts, ToolBoxes, type ToolOption } from "./tool-boxes";
import {
  type ItemFormProps,
  type ServerTools,
  toItemPointer,
  useWholeList,
  type WholeListSaving,
} from "./use-whole-list";

type AgentTypesSettingsProps = WholeListSaving<AgentTypesConfig> &
  ServerTools<ToolOption & { root_only: boolean }> & {
    agentTypes: Loadable<AgentTypesConfig>;
    models: Loadable<readonly Model[]>;
    onReloadModels: () => void;
  };

/** Lists the agent types of the server, adds, changes and deletes them. */
export const AgentTypesSettings = (props: AgentTypesSettingsProps) => {
  const { agentTypes, tools, models } = props;
  const options = tools.state === "ready" ? tools.value.filter((tool) => !tool.root_only) : [];
  const { items, list, save, remove, checkName } = useWholeList({
    ...props,
    list: agentTypes,
    toWhole: (whole) => ({ items: whole.agent_types, version: whole.version }),
    toList: (types, version): AgentTypesConfig => ({ agent_types: types, version }),
  });
  return (
    <EditableList
      {...list}
      title="Agent types"
      lead="What an agent can choose when it starts another agent for a part of its work. The model reads the names and descriptions; without a choice, the agent has the default type."
      noun="agent type"
      form={(agentType, frame) => (
        <AgentTypeForm
          {...frame}
          agentType={agentType}
          options={options}
          models={models}
          onReloadModels={props.onReloadModels}
          check={checkName(agentType, "type")}
          onSubmit={(saved) => save(saved, agentType, frame.onCancel)}
        />
      )}
      row={(agentType, onEdit) => (
        <SettingsRow
          title={agentType.name}
          facts={listToolFacts({
            ...agentType,
            facts: listFacts(agentType, items, models),
            options,
            missingText: "Child chats cannot use these tools any more:",
          })}
          editing={{
            name: agentType.name,
            onEdit,
            isBusy: props.isSaving,
            deletion:
              items.length === 1 ? undefined : { ...DELETION, onDelete: () => remove(agentType) },
          }}
        />
      )}
    />
  );
};

const DELETION = {
  message: "Agents can no longer be started with it; those that run go on. You cannot undo this.",
  confirmLabel: "Delete agent type",
};

const listFacts = (
  agentType: AgentType,
  items: readonly AgentType[],
  models: Loadable<readonly Model[]>,
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

type Choices = Pick<AgentTypesSettingsProps, "models" | "onReloadModels"> & {
  agentType: AgentType | undefined;
  options: readonly ToolOption[];
};

/** Asks for what an agent type consists of. */
export const AgentTypeForm = (props: ItemFormProps<AgentType> & Choices) => (
  <SettingForm
    {...props}
    schema={AgentType}
    stored={props.agentType ?? {}}
    parts={() => listParts(props)}
    locate={toItemPointer}
  />
);

const listParts = ({ agentType, options, models, onReloadModels }: Choices): FormPart[] => [
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
      <ToolsOrAll {...control} first={agentType?.tools ?? []} options={options} />
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
  {
    path: "model_id",
    label: "Model",
    render: (control) => (
      <OverrideModelField
        {...control}
        texts={MODEL_TEXTS}
        models={models}
        onReloadModels={onReloadModels}
      />
    ),
  },
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

type ToolsOrAllProps = CustomControl & {
  first: readonly string[];
  options: readonly ToolOption[];
};

const ToolsOrAll = ({ first, options, ...control }: ToolsOrAllProps) => {
  const hasAll = (control.value ?? null) === null;
  return (
    <>
      <Switch
        label="All tools"
        hint="Agents of this type have all tools that child chats can use, also those that are added later."
        checked={hasAll}
        onChange={({ target }) => control.onChange(target.checked ? null : [...first])}
      />
      {!hasAll && (
        <ToolBoxes
          {...control}
          hint="Agents of this type have only these tools."
          missingText="Child chats cannot use this tool any more."
          first={first}
          tools={options}
        />
      )}
    </>
  );
};
