import { useMemo } from "react";
import { useFormFields } from "@/components/ui/use-form-fields";
import { CODE_INPUT } from "@/components/ui/code-input";
import { Switch } from "@/components/ui/switch";
import { TextArea } from "@/components/ui/text-area";
import { TextField } from "@/components/ui/text-field";
import type { AgentType } from "@/contract/agent-type";
import { DEFAULT_MAX_STEPS } from "@/contract/limits";
import type { Model } from "@/contract/model";
import {
  type AgentTypeDraft,
  toAgentType,
  toAgentTypeDraft,
  validateMaxSteps,
} from "./agent-type-draft";
import {
  formatToolNames,
  parseToolNames,
  toItemProblem,
  validateDeclaredName,
} from "./declared-draft";
import type { DeclaredFormProps } from "./declared-list";
import type { Loadable } from "./loaded";
import { OverrideModelField } from "./override-model-field";
import { SettingsForm } from "./settings-form";
import { ToolBoxes, type ToolOption } from "./tool-boxes";

type AgentTypeFormProps = DeclaredFormProps<AgentType> & {
  /** Those that child chats can use. */
  tools: readonly ToolOption[];
  models: Loadable<readonly Model[]>;
  onReloadModels: () => void;
};

/** Asks for what an agent type consists of. */
export const AgentTypeForm = (props: AgentTypeFormProps) => {
  const { item, otherNames, onSubmit, isBusy } = props;
  // Another object is another problem, which takes the focus.
  const problem = useMemo(() => toItemProblem(props.problem), [props.problem]);
  const form = useFormFields({
    initial: toAgentTypeDraft(item),
    validate: ({ name, max_steps }) => ({
      name: validateDeclaredName(name, { otherNames, noun: "type" }),
      max_steps: validateMaxSteps(max_steps),
    }),
    isBusy,
    problem,
    onSubmit: (draft) => onSubmit(toAgentType(draft)),
  });
  const { formRef, handleSubmit, values, change, textField, findError } = form;
  return (
    <SettingsForm
      ref={formRef}
      onSubmit={handleSubmit}
      label={item ? `Edit ${item.name}` : "New agent type"}
      onCancel={props.onCancel}
      isBusy={isBusy}
      problem={problem}
      problemTitle="The agent type was not saved"
    >
      <NameFields isNew={!item} textField={textField} />
      <ToolFields {...form} first={item?.tools ?? []} tools={props.tools} />
      <TextArea
        label="Instructions"
        hint="Added to the prompt of agents of this type."
        {...textField("prompt")}
      />
      <OverrideModelField
        texts={MODEL_TEXTS}
        models={props.models}
        value={values.model_id === "" ? null : values.model_id}
        onChange={(id) => change("model_id", id ?? "")}
        onReloadModels={props.onReloadModels}
        error={findError("model_id")}
      />
      <TextField
        label="Steps per turn"
        hint={`Most steps of a turn of an agent of this type. Empty for ${DEFAULT_MAX_STEPS}.`}
        inputMode="numeric"
        autoComplete="off"
        {...textField("max_steps")}
      />
    </SettingsForm>
  );
};

const MODEL_TEXTS = {
  none: "Use the parent’s model",
  hint: "Which model agents of this type use.",
  unavailable:
    "This model is not available any more. Until you choose another, agents of this type use the parent’s model.",
};

type Fields = ReturnType<typeof useFormFields<AgentTypeDraft>>;

const NameFields = ({ isNew, textField }: Pick<Fields, "textField"> & { isNew: boolean }) => (
  <>
    <TextField
      label="Name"
      hint="The model starts an agent of this type by it."
      autoFocus={isNew}
      {...CODE_INPUT}
      {...textField("name")}
    />
    <TextField
      label="Description"
      hint="When to choose the type. The model reads it."
      {...textField("description")}
    />
  </>
);

type ToolFieldsProps = Pick<Fields, "values" | "change" | "findError"> & {
  /** Names that are listed first. */
  first: readonly string[];
  tools: readonly ToolOption[];
};

const ToolFields = ({ values, change, findError, first, tools }: ToolFieldsProps) => (
  <>
    <Switch
      label="All tools"
      hint="Agents of this type have all tools that child chats can use, also those that are added later."
      checked={values.has_all_tools === "yes"}
      onChange={({ target }) => change("has_all_tools", target.checked ? "yes" : "no")}
    />
    {values.has_all_tools === "no" && (
      <ToolBoxes
        hint="Agents of this type have only these tools."
        missingText="Child chats cannot use this tool any more."
        names={parseToolNames(values.tools)}
        first={first}
        tools={tools}
        error={findError("tools")}
        onChange={(names) => change("tools", formatToolNames(names))}
      />
    )}
    <Switch
      label="Dynamic tools of the parent"
      hint="Agents of this type can also call the tools that the client of the parent chat has declared and answers."
      checked={values.inherit_dynamic_tools === "yes"}
      onChange={({ target }) => change("inherit_dynamic_tools", target.checked ? "yes" : "no")}
    />
  </>
);
