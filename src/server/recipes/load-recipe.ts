import * as z from "zod";
import type { JsonObject } from "@/contract/json";
import { toPointer } from "@/contract/json-pointer";
import type { FieldError } from "@/contract/problem";
import { MAX_RECIPE_SECONDS, MAX_RECIPE_STEPS, RecipeName } from "@/contract/recipe";
import { getErrorMessage } from "@/lib/error-message";
import type { Recipe, RecipeOptions } from "@/recipes/recipe";
import { toFieldErrors } from "@/contract/field-errors";
import { checkExample, findSchemaProblems } from "./declared-recipe";
import { listNames } from "./fill-template";
import type { LoadedRecipe } from "./loaded-recipe";
import { PLACE_NAMES } from "./plan-call";

/** A function of a recipe; its parameters are not checked. */
const Callable = z.custom<(...args: unknown[]) => unknown>(
  (value) => typeof value === "function",
  "must be a function",
);
const Prompt = z.union([z.string(), Callable], "must be a text or a function");
const Command = z.array(z.string().refine((text) => !text.includes("\0")));

/** The shape of a recipe with functions. */
const Shape = z.strictObject({
  name: RecipeName,
  description: z.string().min(1),
  parameters: z.union(
    [z.record(z.string(), z.unknown()), z.custom((value) => isZodSchema(value))],
    "must be a schema of zod, or a JSON Schema",
  ),
  example: z.record(z.string(), z.unknown()),
  systemPrompt: Prompt.optional(),
  env: Callable.optional(),
  preCmd: Callable.optional(),
  steps: z
    .array(
      z.union(
        [Callable, Command.min(1)],
        "must be a function, or a command as a list of texts without NUL characters",
      ),
    )
    .max(MAX_RECIPE_STEPS),
  outputPrompt: Prompt.optional(),
  outputErrorPrompt: Prompt.optional(),
  handlers: z.strictObject({ setup: Callable.optional(), onExit: Callable.optional() }).optional(),
  output: z
    .strictObject({
      success: Prompt.optional(),
      error: Prompt.optional(),
      rejected: Prompt.optional(),
      cancelled: Prompt.optional(),
    })
    .optional(),
  opts: z
    .strictObject<Record<keyof RecipeOptions<never>, z.ZodType>>({
      needsApproval: z.union([z.boolean(), Callable]).optional(),
      hideOutput: z.boolean().optional(),
      timeoutSeconds: z.number().positive().max(MAX_RECIPE_SECONDS).optional(),
      network: z.boolean().optional(),
      continueOnError: z.boolean().optional(),
      workspace: z.enum(["call", "chat"]).optional(),
      autoSubmit: z
        .strictObject({ success: z.boolean().optional(), error: z.boolean().optional() })
        .optional(),
    })
    .optional(),
});

type ZodSchema = z.ZodType & { safeParse: z.ZodType["safeParse"] };

/** Bundles have a copy of zod of their own, so that no class is compared. */
const isZodSchema = (value: unknown): value is ZodSchema =>
  typeof value === "object" && value !== null && "_zod" in value && "safeParse" in value;

/**
 * Loads a recipe with functions. Throws what a function of it throws.
 *
 * @returns the recipe, or what is wrong with it.
 */
export const loadRecipe = async (exported: unknown): Promise<LoadedRecipe | FieldError[]> => {
  const loaded = readRecipe(exported);
  if (Array.isArray(loaded) || loaded.argumentsSchema === undefined) return loaded;
  const { argumentsSchema: parameters, example } = loaded;
  const problems = await checkExample({ parameters, example }, "recipes");
  return problems.length > 0 ? problems : loaded;
};

/** The same, but does not validate the example against a JSON Schema, which takes a thread. */
const readRecipe = (exported: unknown): LoadedRecipe | FieldError[] => {
  const shapeProblems = findShapeProblems(exported);
  if (shapeProblems.length > 0) return shapeProblems;
  const recipe = exported as Recipe<never>;
  const schema = isZodSchema(recipe.parameters) ? recipe.parameters : undefined;
  const parameters = schema ? toJsonSchema(schema) : (recipe.parameters as JsonObject);
  if (Array.isArray(parameters)) return parameters;
  const example = recipe.example as JsonObject;
  const problems = [
    ...findSchemaProblems(parameters),
    ...findStepProblems(recipe),
    ...(schema ? checkByZod(schema, example) : []),
  ];
  if (problems.length > 0) return problems;
  const { systemPrompt } = recipe;
  return {
    name: recipe.name,
    description: recipe.description,
    recipe,
    example,
    parameters,
    argumentsSchema: schema ? undefined : parameters,
    parse: schema ? (args) => parseByZod(schema, args) : (request) => ({ request }),
    systemPrompt: typeof systemPrompt === "function" ? systemPrompt(example) : systemPrompt,
  };
};

const findShapeProblems = (exported: unknown): FieldError[] => {
  if (typeof exported !== "object" || exported === null) return [NO_RECIPE];
  const shape = Shape.safeParse(exported);
  return shape.success ? [] : toFieldErrors(shape.error.issues);
};

const NO_RECIPE: FieldError = {
  pointer: "",
  message: "The file must have a recipe as its default export",
};

/** @returns what is wrong with parameters that no JSON Schema can say, such as a date. */
const toJsonSchema = (schema: ZodSchema): JsonObject | FieldError[] => {
  try {
    const { $schema, ...parameters } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
    void $schema;
    return parameters as JsonObject;
  } catch (error) {
    return [{ pointer: "/parameters", message: `are no JSON Schema: ${getErrorMessage(error)}` }];
  }
};

const parseByZod = (schema: ZodSchema, args: JsonObject): { request: unknown } | FieldError[] => {
  const parsed = schema.safeParse(args);
  return parsed.success ? { request: parsed.data } : toFieldErrors(parsed.error.issues);
};

const checkByZod = (schema: ZodSchema, example: JsonObject): FieldError[] => {
  const parsed = parseByZod(schema, example);
  if (!Array.isArray(parsed)) return [];
  return parsed.map(({ pointer, message }) => ({ pointer: `/example${pointer}`, message }));
};

/** Without `env`, a command can only use the places that each call has. */
const findStepProblems = ({ steps, env, handlers }: Recipe<never>): FieldError[] => {
  if (steps.length === 0 && handlers?.setup === undefined) {
    return [{ pointer: "/steps", message: "must have at least one step" }];
  }
  if (env !== undefined) return [];
  const places: readonly string[] = PLACE_NAMES;
  return steps.flatMap((step, index) =>
    typeof step === "function"
      ? []
      : step.flatMap((text, at) =>
          listNames(text)
            .filter((name) => !places.includes(name))
            .map((name) => ({
              pointer: toPointer(["steps", index, at]),
              message: `has no value for \${${name}}, as there is no env`,
            })),
        ),
  );
};
