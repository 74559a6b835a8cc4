import { RecipeInput } from "@/contract/recipe";
import type { FormFrame } from "./editable-list";
import type { FormPart } from "@/components/schema-form/setting-fields";
import { SettingForm } from "@/components/schema-form/setting-form";
import { COMMANDS_TEXT, objectText, valuesText } from "@/components/schema-form/text-formats";

type RecipeFormProps = FormFrame & {
  /** The recipe that is changed; undefined for a new one. */
  recipe: RecipeInput | undefined;
  onSubmit: (recipe: RecipeInput) => void;
};

const OPTIONS = { timeout_seconds: 60, workspace: "call" };

const NEW = {
  parameters: { type: "object", properties: { text: { type: "string" } } },
  example: { text: "Hello" },
  opts: { ...OPTIONS, needs_approval: true },
};

/** Asks for what a declared recipe consists of; what it does not ask for stays. */
const RecipeForm = ({ recipe, ...props }: RecipeFormProps) => (
  <SettingForm
    {...props}
    schema={RecipeInput}
    stored={recipe ? { ...recipe, opts: { ...OPTIONS, ...recipe.opts } } : NEW}
    parts={() => (recipe ? PARTS : [NAME, ...PARTS])}
  />
);
export default RecipeForm;

const NAME: FormPart = {
  path: "name",
  label: "Name",
  hint: "The name that the model uses to call the tool, such as run_tests.",
  control: "code",
  autoFocus: true,
  error: "Enter a name of letters, digits, - and _, such as run_tests.",
};

const PARTS: readonly FormPart[] = [
  {
    path: "description",
    label: "Description",
    hint: "What the tool does and when to use it, for the model.",
    control: "lines",
    error: "Enter what the tool does.",
  },
  {
    path: "steps",
    label: "Commands",
    hint: "One per line, without a shell. ${name} is a parameter or a value; ${workspace}, ${temp_dir} and ${temp_file} are always available. Quote words with spaces.",
    control: "code-lines",
    text: COMMANDS_TEXT,
  },
  {
    path: "parameters",
    label: "Parameters",
    hint: "The arguments of a call, as a JSON Schema of an object.",
    control: "code-lines",
    text: objectText("Enter a JSON Schema of an object."),
  },
  {
    path: "example",
    label: "Example",
    hint: "A call that a model may make. It must fit the parameters.",
    control: "code-lines",
    text: objectText("Enter a JSON object."),
  },
  {
    section: "Values and prompts",
    fields: [
      {
        path: "env",
        label: "Values",
        hint: "More values for the commands, one per line, such as unit=metric. They may contain parameters.",
        control: "code-lines",
        text: valuesText({
          separator: "=",
          isQuoted: true,
          error: "Enter one value per line, such as unit=metric.",
        }),
      },
      {
        path: "output_prompt",
        label: "After a success",
        hint: "What the model reads, with ${output}. Leave it empty to send only the output.",
        control: "lines",
      },
      {
        path: "output_error_prompt",
        label: "After a failure",
        hint: "What the model reads, with ${output}. Leave it empty to send only the error.",
        control: "lines",
      },
      {
        path: "system_prompt",
        label: "Instructions",
        hint: "Added to the prompt of all chats that are offered the tool.",
        control: "lines",
      },
    ],
  },
  {
    path: "opts/timeout_seconds",
    label: "Time limit, in seconds",
    error: "Enter a number of seconds, such as 60.",
  },
  {
    path: "opts/workspace",
    label: "Files",
    names: { call: "An empty directory for each call", chat: "The files of the chat" },
  },
  {
    path: "opts/needs_approval",
    label: "Ask before each call",
    hint: "A person sees the final commands and decides.",
  },
  {
    path: "opts/network",
    label: "Allow internet access",
    hint: "Programs reach public addresses only, by a proxy that they find by HTTP_PROXY and similar variables.",
  },
  {
    path: "opts/hide_output",
    label: "Hide the output from people",
    hint: "Only the model reads it.",
  },
  {
    path: "opts/continue_on_error",
    label: "Go on after a command that fails",
    hint: "Otherwise the first failure ends the call.",
  },
];
