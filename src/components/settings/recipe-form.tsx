import { useMemo } from "react";
import { useFormFields } from "@/components/ui/use-form-fields";
import { Checkbox } from "@/components/ui/checkbox";
import { CODE_INPUT } from "@/components/ui/code-input";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-area";
import { TextField } from "@/components/ui/text-field";
import type { Problem } from "@/contract/problem";
import type { RecipeInput } from "@/contract/recipe";
import {
  type RecipeDraft,
  toFormProblem,
  toRecipeDraft,
  toRecipeInput,
  validateRecipeDraft,
} from "./recipe-draft";
import { SettingsForm } from "./settings-form";

type RecipeFormProps = {
  /** The recipe that is changed; undefined for a new one. */
  recipe: RecipeInput | undefined;
  onSubmit: (recipe: RecipeInput) => void;
  onCancel: () => void;
  isBusy: boolean;
  /** Why the last attempt failed. */
  problem: Problem | undefined;
};

const WORKSPACES = [
  { value: "call", label: "An empty directory for each call" },
  { value: "chat", label: "The files of the chat" },
];

const OPTIONS = [
  {
    field: "opts/needs_approval",
    label: "Ask before each call",
    hint: "A person sees the final commands and decides.",
  },
  {
    field: "opts/network",
    label: "Allow internet access",
    hint: "Programs reach public addresses only, by a proxy that they find by HTTP_PROXY and similar variables.",
  },
  {
    field: "opts/hide_output",
    label: "Hide the output from people",
    hint: "Only the model reads it.",
  },
  {
    field: "opts/continue_on_error",
    label: "Go on after a command that fails",
    hint: "Otherwise the first failure ends the call.",
  },
] as const;

/** Asks for what a declared recipe consists of. */
export const RecipeForm = ({ recipe, onSubmit, onCancel, isBusy, problem }: RecipeFormProps) => {
  const form = useFormFields({
    initial: toRecipeDraft(recipe),
    validate: validateRecipeDraft,
    isBusy,
    // Another object is another problem, which takes the focus.
    problem: useMemo(() => toFormProblem(problem), [problem]),
    onSubmit: (draft) => onSubmit(toRecipeInput(draft, recipe)),
  });
  const { formRef, handleSubmit, values, change, textField, findError } = form;
  return (
    <SettingsForm
      ref={formRef}
      onSubmit={handleSubmit}
      label={recipe ? `Edit ${recipe.name}` : "New recipe"}
      onCancel={onCancel}
      isBusy={isBusy}
      problem={problem}
      problemTitle="The recipe was not saved"
    >
      <MainFields isNew={!recipe} textField={textField} />
      <PromptFields textField={textField} findError={findError} />
      <OptionFields values={values} change={change} textField={textField} />
    </SettingsForm>
  );
};

type Fields = ReturnType<typeof useFormFields<RecipeDraft>>;

const PROMPTS = ["env", "output_prompt", "output_error_prompt", "system_prompt"] as const;

const PromptFields = ({ textField, findError }: Pick<Fields, "textField" | "findError">) => (
  // An error in it must be visible.
  <details open={PROMPTS.some((field) => findError(field))} className="rounded-md border bg-bg">
    <summary className="cursor-pointer px-3 py-2 font-medium">Values and prompts</summary>
    <div className="grid gap-4 p-3 pt-1">
      <TextArea
        label="Values"
        hint="More values for the commands, one per line, such as unit=metric. They may contain parameters."
        isMonospace
        {...CODE_INPUT}
        {...textField("env")}
      />
      <TextArea
        label="After a success"
        hint="What the model reads, with ${output}. Leave it empty to send only the output."
        {...textField("output_prompt")}
      />
      <TextArea
        label="After a failure"
        hint="What the model reads, with ${output}. Leave it empty to send only the error."
        {...textField("output_error_prompt")}
      />
      <TextArea
        label="Instructions"
        hint="Added to the prompt of all chats that are offered the tool."
        {...textField("system_prompt")}
      />
    </div>
  </details>
);

const MainFields = ({ isNew, textField }: Pick<Fields, "textField"> & { isNew: boolean }) => (
  <>
    {isNew && (
      <TextField
        label="Name"
        hint="The name that the model uses to call the tool, such as run_tests."
        autoFocus
        {...CODE_INPUT}
        {...textField("name")}
      />
    )}
    <TextArea
      label="Description"
      hint="What the tool does and when to use it, for the model."
      {...textField("description")}
    />
    <TextArea
      label="Commands"
      hint="One per line, without a shell. ${name} is a parameter or a value; ${workspace}, ${temp_dir} and ${temp_file} are always available. Quote words with spaces."
      isMonospace
      {...CODE_INPUT}
      {...textField("steps")}
    />
    <TextArea
      label="Parameters"
      hint="The arguments of a call, as a JSON Schema of an object."
      isMonospace
      {...CODE_INPUT}
      {...textField("parameters")}
    />
    <TextArea
      label="Example"
      hint="A call that a model may make. It must fit the parameters."
      isMonospace
      {...CODE_INPUT}
      {...textField("example")}
    />
  </>
);

const OptionFields = ({
  values,
  change,
  textField,
}: Pick<Fields, "values" | "change" | "textField">) => (
  <>
    <TextField
      label="Time limit, in seconds"
      inputMode="numeric"
      autoComplete="off"
      {...textField("opts/timeout_seconds")}
    />
    <Select
      label="Files"
      options={WORKSPACES}
      value={values["opts/workspace"]}
      onChange={({ target }) => change("opts/workspace", target.value === "chat" ? "chat" : "call")}
    />
    {OPTIONS.map(({ field, label, hint }) => (
      <Checkbox
        key={field}
        label={label}
        hint={hint}
        checked={values[field] === "yes"}
        onChange={({ target }) => change(field, target.checked ? "yes" : "no")}
      />
    ))}
  </>
);
