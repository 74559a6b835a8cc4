import * as z from "zod";
import { Text } from "./content";
import { roundNumbers } from "@/lib/exact-json";
import { JsonObject, validateJson } from "./json";
import { MAX_TOOL_SCHEMA_BYTES, MAX_TOOL_SCHEMA_DEPTH } from "./limits";

/** Longest template or text of a recipe, in UTF-16 units: what a command line or a prompt has room for. */
const MAX_TEMPLATE_LENGTH = 20_000;
/** Most declared recipes: each that is on costs a part of every prompt. */
export const MAX_DECLARED_RECIPES = 500;
export const MAX_RECIPE_STEPS = 50;
/** Most texts of one command. */
const MAX_ARGUMENTS = 200;
const MAX_VALUES = 100;
/** One hour. */
export const MAX_RECIPE_SECONDS = 3_600;

export const RecipeName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, '_' or '-'")
  .refine((name) => name !== "__proto__", "must not be __proto__");

const Template = Text.max(MAX_TEMPLATE_LENGTH);

/** Names of what every object inherits are no names of values. */
const ValueName = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
    "must be letters, digits and '_', and begin with no digit",
  )
  .refine((name) => !(name in {}), "is a name that every object has");

/** A record drops the key `__proto__`, so it is refused before. */
const WithoutPrototype = z.custom<unknown>().superRefine((value, context) => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "__proto__")) return;
  const message = "is a name that every object has";
  context.addIssue({ code: "custom", message, path: ["__proto__"] });
});

const RecipeValues = WithoutPrototype.meta({
  type: "object",
  additionalProperties: { type: "string" },
}).pipe(
  z
    .record(ValueName, Template)
    .refine((env) => Object.keys(env).length <= MAX_VALUES, `must be at most ${MAX_VALUES}`),
);

const Json = WithoutPrototype.meta({ type: "object", additionalProperties: {} })
  .pipe(JsonObject)
  .superRefine((value, context) => {
    const error = validateJson(value, MAX_TOOL_SCHEMA_DEPTH);
    if (error) context.addIssue({ code: "custom", message: error });
    else if (new TextEncoder().encode(JSON.stringify(value)).length > MAX_TOOL_SCHEMA_BYTES) {
      context.addIssue({ code: "custom", message: `is over ${MAX_TOOL_SCHEMA_BYTES} bytes` });
    }
  });

/** A program and its arguments, with `${name}` for values; no shell is added. */
const CommandTemplate = z
  .array(Template)
  .min(1, "must name a program")
  .max(MAX_ARGUMENTS)
  .refine(([program]) => program?.trim() !== "", {
    message: "must name a program",
    path: [0],
  });

const RecipeTexts = z
  .strictObject({
    success: Template.optional(),
    error: Template.optional(),
    rejected: Template.optional(),
    cancelled: Template.optional(),
  })
  .meta({ id: "RecipeTexts" });

const RecipeAutoSubmit = z
  .strictObject({ success: z.boolean().optional(), error: z.boolean().optional() })
  .meta({ id: "RecipeAutoSubmit" });

const RecipeOptions = z
  .strictObject({
    needs_approval: z.boolean().optional(),
    hide_output: z.boolean().optional(),
    timeout_seconds: z.int().min(1).max(MAX_RECIPE_SECONDS).optional(),
    network: z.boolean().optional(),
    continue_on_error: z.boolean().optional(),
    workspace: z.enum(["call", "chat"]).optional(),
    auto_submit: RecipeAutoSubmit.optional(),
  })
  .meta({ id: "RecipeOptions" });

/** A recipe as administrators declare it: commands and texts, no functions. */
export const RecipeInput = z
  .strictObject({
    name: RecipeName,
    description: Text.max(10_000).refine((text) => text.trim() !== "", "must not be blank"),
    parameters: Json.overwrite(roundNumbers),
    example: Json,
    system_prompt: Template.optional(),
    env: RecipeValues.optional(),
    steps: z
      .array(CommandTemplate)
      .min(1, "must have at least one command")
      .max(MAX_RECIPE_STEPS, `must be at most ${MAX_RECIPE_STEPS} commands`),
    output_prompt: Template.optional(),
    output_error_prompt: Template.optional(),
    output: RecipeTexts.optional(),
    opts: RecipeOptions.optional(),
    enabled: z.boolean().default(true),
  })
  .meta({ id: "RecipeDeclaration" });
export type RecipeInput = z.infer<typeof RecipeInput>;

/** The same in a request whose address has the name: one that cannot be is unknown, not wrong. */
export const UpdateRecipeInput = z.strictObject({ ...RecipeInput.shape, name: z.string() });

/** What is wrong with a recipe of a file, or with a declared one whose name was taken since. */
const RecipeProblem = z
  .object({
    file: z.string().optional(),
    line: z.int().optional(),
    message: z.string(),
  })
  .meta({ id: "RecipeProblem" });

/** A recipe as the settings show it. */
export const Recipe = z
  .object({
    /** The name of the tool; of a file that is broken, the name of the file. */
    name: z.string(),
    source: z.enum(["declared", "file"]),
    /** The file, of a recipe that comes from one. */
    file: z.string().optional(),
    description: z.string(),
    enabled: z.boolean(),
    /** The declaration, of a declared recipe. */
    declaration: RecipeInput.optional(),
    parameters: JsonObject.optional(),
    example: JsonObject.optional(),
    /** Why it is not offered. */
    problem: RecipeProblem.optional(),
    updated_at: z.iso.datetime().optional(),
  })
  .meta({ id: "Recipe" });
export type Recipe = z.infer<typeof Recipe>;

export const RecipeList = z
  .object({
    data: z.array(Recipe),
    /** The folder of files with recipes on the server; null without one. */
    folder: z.string().nullable(),
  })
  .meta({ id: "RecipeList" });
export type RecipeList = z.infer<typeof RecipeList>;

export const RecipeRef = z.strictObject({ name: z.string() });

export const RunRecipeInput = z.strictObject({
  name: z.string(),
  /** The example of the recipe by default. */
  request: Json.optional(),
});
export type RunRecipeInput = z.infer<typeof RunRecipeInput>;

/** The outcome of a recipe that was run once. */
export const RecipeRun = z
  .object({
    is_error: z.boolean(),
    /** What the model would read. */
    output: z.string(),
    /** What the person would see, with the colors of terminals. */
    for_user: z.string().optional(),
    /** The commands as they ran. */
    commands: z.array(z.array(z.string())),
    duration_ms: z.int(),
  })
  .meta({ id: "RecipeRun" });
export type RecipeRun = z.infer<typeof RecipeRun>;
