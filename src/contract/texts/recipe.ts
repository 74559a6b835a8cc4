import type * as z from "zod";
import type {
  Recipe,
  RecipeInput,
  RecipeList,
  RecipeRef,
  RecipeRun,
  RunRecipeInput,
  UpdateRecipeInput,
} from "@/contract/recipe";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

const RECIPE_DECLARATION = {
  description: ["What the tool does, for the model.", "Looks up the weather"],
  parameters: [
    "The arguments, as a JSON Schema of an object; each is a value of the commands.",
    { type: "object", properties: { city: { type: "string" } } },
  ],
  example: ["A request that a model may send; it satisfies `parameters`.", { city: "Bern" }],
  system_prompt: ["In the prompt of chats that are offered the recipe.", "Use it often."],
  env: ["More values of the commands, which may use parameters.", { unit: "metric" }],
  steps: [
    "Commands that run one after another, without a shell, with `${name}` for values.",
    [["curl", "wttr.in/${city}"]],
  ],
  output_prompt: ["What the model reads of a success, with `${output}`.", "The weather: ${output}"],
  output_error_prompt: [
    "What the model reads of a failure, with `${output}`.",
    "It failed: ${output}",
  ],
  output: ["Texts for the model, in place of the two prompts."],
  opts: ["How calls run."],
  enabled: ["False if it is switched off."],
} as const satisfies Record<string, FieldText>;

export const RECIPE_TEXTS = {
  RecipeList: {
    data: ["The recipes."],
    folder: ["The folder of files with recipes on the server; null without one.", "/srv/recipes"],
  } satisfies FieldTexts<RecipeList>,
  Recipe: {
    name: ["The name of the tool; of a broken file, the file.", "weather"],
    source: ["Where the recipe comes from."],
    file: ["The file, of a recipe that comes from one.", "weather.ts"],
    description: ["What the tool does, for the model.", "Looks up the weather"],
    enabled: ["False if it is switched off."],
    declaration: ["The recipe as it was declared."],
    parameters: [
      "The arguments, as a JSON Schema of an object; each is a value of the commands.",
      { type: "object", properties: { city: { type: "string" } } },
    ],
    example: ["A request that a model may send; it satisfies `parameters`.", { city: "Bern" }],
    problem: ["Why the recipe is not offered."],
    updated_at: ["When the recipe was last changed."],
  } satisfies FieldTexts<Recipe>,
  RecipeDeclaration: {
    ...RECIPE_DECLARATION,
    name: ["The name by which the model calls the tool.", "weather"],
  } satisfies FieldTexts<RecipeInput>,
  RecipeTexts: {
    success: ["What the model reads of each command that succeeded.", "Done: ${output}"],
    error: ["What the model reads of a failure.", "It failed: ${output}"],
    rejected: ["What the model reads further of a call that was rejected.", "Do not ask again."],
    cancelled: ["What the model reads further of a call that was stopped.", "Stopped."],
  } satisfies FieldTexts<NonNullable<RecipeInput["output"]>>,
  RecipeOptions: {
    needs_approval: ["True if a person decides on each call."],
    hide_output: ["True if people see one line in place of the output."],
    timeout_seconds: ["How long a whole call may take.", 60],
    network: [
      "Whether commands reach the public internet by a proxy; never loopback, private or metadata addresses.",
      true,
    ],
    continue_on_error: ["True if the next command runs after one that failed."],
    workspace: [
      "Which files `${workspace}` has: an empty directory of the call, or those of the chat.",
    ],
    auto_submit: SHARED.auto_submit,
  } satisfies FieldTexts<NonNullable<RecipeInput["opts"]>>,
  RecipeAutoSubmit: {
    success: ["False if the turn rests after a call that succeeded.", false],
    error: ["False if the turn rests after a call that failed.", false],
  } satisfies FieldTexts<NonNullable<NonNullable<RecipeInput["opts"]>["auto_submit"]>>,
  RecipeProblem: {
    file: ["The file.", "weather.ts"],
    line: ["The line of the file.", 3],
    message: ["What is wrong.", "Unexpected token"],
  } satisfies FieldTexts<NonNullable<Recipe["problem"]>>,
  RecipeRun: {
    is_error: ["True if the recipe failed."],
    output: ["What the model would read.", "Sunny\n"],
    for_user: SHARED.for_user,
    commands: ["The commands as they ran.", [["curl", "wttr.in/Bern"]]],
    duration_ms: SHARED.duration_ms,
  } satisfies FieldTexts<RecipeRun>,
  "recipes.update": {
    ...RECIPE_DECLARATION,
    name: ["The name of the recipe.", "weather"],
  } satisfies FieldTexts<z.infer<typeof UpdateRecipeInput>>,
  "recipes.delete": {
    name: ["The name of the recipe.", "weather"],
  } satisfies FieldTexts<z.infer<typeof RecipeRef>>,
  "recipes.run": {
    name: ["The name of the recipe.", "weather"],
    request: ["The arguments; those of the example by default.", { city: "Bern" }],
  } satisfies FieldTexts<RunRecipeInput>,
} satisfies SchemaTexts;
