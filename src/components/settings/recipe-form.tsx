import { type ChangeEvent, useMemo } from "react";
import { useFormFields } from "@/components/forms/use-form-fields";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
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

type RecipeFormProps = {
  /** The recipe that is changed; undefined for a new one. */
  recipe: RecipeInput | undefined;
  onSubmit: (recipe: RecipeInput) => void;
  onCancel: () => void;
  isBusy: boolean;
  /** Why the last attempt failed. */
  problem: Problem | undefined;
};

const CODE = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

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
  const textArea = (field: keyof RecipeDraft) => ({
    name: field,
    value: values[field],
    error: findError(field),
    onChange: ({ target }: ChangeEvent<HTMLTextAreaElement>) => change(field, target.value),
  });
  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={handleSubmit}
      aria-label={recipe ? `Edit ${recipe.name}` : "New recipe"}
      className="grid gap-5 rounded-lg border bg-surface p-4"
    >
      {problem !== undefined && (
        <Alert tone="danger" announce="alert" title="The recipe was not saved">
          {problem.detail}
        </Alert>
      )}
      <MainFields isNew={!recipe} textField={textField} textArea={textArea} />
      <PromptFields textArea={textArea} />
      <OptionFields values={values} change={change} textField={textField} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" isBusy={isBusy}>
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
};

type TextAreaOf = (field: keyof RecipeDraft) => {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void;
};

const PROMPTS = ["env", "output_prompt", "output_error_prompt", "system_prompt"] as const;

const PromptFields = ({ textArea }: { textArea: TextAreaOf }) => (
  // An error in it must be visible.
  <details
    open={PROMPTS.some((field) => textArea(field).error)}
    className="rounded-md border bg-bg"
  >
    <summary className="cursor-pointer px-3 py-2 font-medium">Values and prompts</summary>
    <div className="grid gap-4 p-3 pt-1">
      <TextArea
        label="Values"
        hint="More values for the commands, one per line, such as unit=metric. They may contain parameters."
        isMonospace
        {...CODE}
        {...textArea("env")}
      />
      <TextArea
        label="After a success"
        hint="What the model reads, with ${output}. Empty for the output alone."
        {...textArea("output_prompt")}
      />
      <TextArea
        label="After a failure"
        hint="What the model reads, with ${output}. Empty for the error alone."
        {...textArea("output_error_prompt")}
      />
      <TextArea
        label="Instructions"
        hint="In the prompt of all chats that are offered the tool."
        {...textArea("system_prompt")}
      />
    </div>
  </details>
);

type Fields = ReturnType<typeof useFormFields<RecipeDraft>>;

type MainFieldsProps = Pick<Fields, "textField"> & { isNew: boolean; textArea: TextAreaOf };

const MainFields = ({ isNew, textField, textArea }: MainFieldsProps) => (
  <>
    {isNew && (
      <TextField
        label="Name"
        hint="By which the model calls the tool, such as run_tests."
        autoFocus
        {...CODE}
        {...textField("name")}
      />
    )}
    <TextArea
      label="Description"
      hint="What the tool does and when to use it, for the model."
      {...textArea("description")}
    />
    <TextArea
      label="Commands"
      hint="One per line, without a shell. ${name} is a parameter or a value; ${workspace}, ${temp_dir} and ${temp_file} are always there. Quote words with spaces."
      isMonospace
      {...CODE}
      {...textArea("steps")}
    />
    <TextArea
      label="Parameters"
      hint="The arguments of a call, as a JSON Schema of an object."
      isMonospace
      {...CODE}
      {...textArea("parameters")}
    />
    <TextArea
      label="Example"
      hint="A call that a model may make. It must fit the parameters."
      isMonospace
      {...CODE}
      {...textArea("example")}
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
