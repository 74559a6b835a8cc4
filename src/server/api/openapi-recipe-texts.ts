/** What a field means, and a value of it where none follows from the schema. */
export type FieldText = readonly [description: string, example?: unknown];

/** Of recipes: by the name of a schema or an operation. */
export const RECIPE_SPECIAL_FIELDS: Record<string, FieldText> = {
  "Recipe.description": ["What the tool does, for the model.", "Looks up the weather"],
  "Recipe.enabled": ["False if it is switched off."],
  "Recipe.file": ["The file, of a recipe that comes from one.", "weather.ts"],
  "Recipe.name": ["The name of the tool; of a broken file, the file.", "weather"],
  "Recipe.problem": ["Why the recipe is not offered."],
  "Recipe.source": ["Where the recipe comes from."],
  "RecipeAutoSubmit.success": ["False if the turn rests after a call that succeeded.", false],
  "RecipeAutoSubmit.error": ["False if the turn rests after a call that failed.", false],
  "RecipeOptions.network": [
    "Whether commands reach the public internet by a proxy; never loopback, private or metadata addresses.",
    true,
  ],
  "RecipeDeclaration.description": ["What the tool does, for the model.", "Looks up the weather"],
  "RecipeDeclaration.enabled": ["False if it is switched off."],
  "RecipeDeclaration.name": ["The name by which the model calls the tool.", "weather"],
  "RecipeList.folder": [
    "The folder of files with recipes on the server; null without one.",
    "/srv/recipes",
  ],
  "RecipeOptions.timeout_seconds": ["How long a whole call may take.", 60],
  "RecipeOptions.workspace": [
    "Which files `${workspace}` has: an empty directory of the call, or those of the chat.",
  ],
  "RecipeProblem.file": ["The file.", "weather.ts"],
  "RecipeProblem.message": ["What is wrong.", "Unexpected token"],
  "RecipeRun.is_error": ["True if the recipe failed."],
  "RecipeRun.output": ["What the model would read.", "Sunny\n"],
  "RecipeTexts.error": ["What the model reads of a failure.", "It failed: ${output}"],
  "RecipeDeclaration.output": ["Texts for the model, in place of the two prompts."],
  "RecipeDeclaration.env": [
    "More values of the commands, which may use parameters.",
    { unit: "metric" },
  ],
  "RecipeDeclaration.system_prompt": [
    "In the prompt of chats that are offered the recipe.",
    "Use it often.",
  ],
  "recipes.update.name": ["The name of the recipe.", "weather"],
  "recipes.delete.name": ["The name of the recipe.", "weather"],
  "recipes.run.name": ["The name of the recipe.", "weather"],
  "recipes.update.description": ["What the tool does, for the model.", "Looks up the weather"],
  "recipes.update.enabled": ["False if it is switched off."],
  "recipes.update.output": ["Texts for the model, in place of the two prompts."],
  "recipes.update.env": [
    "More values of the commands, which may use parameters.",
    { unit: "metric" },
  ],
  "recipes.update.system_prompt": [
    "In the prompt of chats that are offered the recipe.",
    "Use it often.",
  ],
};

/** Of recipes: fields that mean the same wherever they are. */
export const RECIPE_FIELDS: Record<string, FieldText> = {
  auto_submit: ["Whether the turn goes on by itself after a call."],
  cancelled: ["What the model reads further of a call that was stopped.", "Stopped."],
  commands: ["The commands as they ran.", [["curl", "wttr.in/Bern"]]],
  continue_on_error: ["True if the next command runs after one that failed."],
  declaration: ["The recipe as it was declared."],
  example: ["A request that a model may send; it satisfies `parameters`.", { city: "Bern" }],
  hide_output: ["True if people see one line in place of the output."],
  line: ["The line of the file.", 3],
  needs_approval: ["True if a person decides on each call."],
  opts: ["How calls run."],
  output_error_prompt: [
    "What the model reads of a failure, with `${output}`.",
    "It failed: ${output}",
  ],
  output_prompt: ["What the model reads of a success, with `${output}`.", "The weather: ${output}"],
  parameters: [
    "The arguments, as a JSON Schema of an object; each is a value of the commands.",
    { type: "object", properties: { city: { type: "string" } } },
  ],
  rejected: ["What the model reads further of a call that was rejected.", "Do not ask again."],
  request: ["The arguments; those of the example by default.", { city: "Bern" }],
  steps: [
    "Commands that run one after another, without a shell, with `${name}` for values.",
    [["curl", "wttr.in/${city}"]],
  ],
  success: ["What the model reads of each command that succeeded.", "Done: ${output}"],
};
