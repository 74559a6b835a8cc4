import type { CommandStep, Recipe, RecipeStep, RecipeValues } from "@/recipes/recipe";
import { ToolFailure } from "@/server/tools/tool-result";
import { WORKSPACE_PATH } from "@/server/tools/workspace/shown-path";
import type { CallPlaces } from "./call-directory";
import { fillTemplate, type TemplateValues, UnknownName } from "./fill-template";
import { type LoadedRecipe, toRunnable } from "./loaded-recipe";
import { settleWithSignal } from "./settle-with-signal";

/** What a call will do, as far as it is known before it runs. */
export type CallPlan = {
  loaded: LoadedRecipe;
  request: unknown;
  steps: readonly RecipeStep<unknown>[];
  /** The values of `env`. */
  values: RecipeValues;
  /** The final argv of each command step, with the places that the sandbox shows. */
  commands: readonly (readonly string[])[];
  /** Why the call cannot run. */
  failure?: Error;
};

/** Values that each call has; `env` cannot have others of these names. */
export const PLACE_NAMES = ["workspace", "temp_dir", "temp_file"] as const;

/** The places of a call as people see them before it runs. */
const SHOWN_PLACES: CallPlaces = {
  workspace: WORKSPACE_PATH,
  temp_dir: "/call",
  temp_file: "/call/file",
};

/** Linux takes no longer argument of a program, in bytes. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;

/** `setup` and `env` look at the request; what takes longer belongs into `preCmd`. */
const MAX_PLAN_MS = 5_000;

/** Runs `setup` and `env` and creates all commands. Does not reject: a failure is that of the call. */
export const planCall = async (loaded: LoadedRecipe, request: unknown): Promise<CallPlan> => {
  const recipe = toRunnable(loaded);
  const plan = { loaded, request, steps: recipe.steps, values: {}, commands: [] };
  try {
    const signal = AbortSignal.timeout(MAX_PLAN_MS);
    const steps = await settleWithSignal(() => setUp(recipe, request), signal);
    const values = await settleWithSignal(() => readValues(recipe, request), signal);
    const filled = toTemplateValues(values, SHOWN_PLACES);
    const commands = steps.flatMap((step) =>
      typeof step === "function" ? [] : [createArgv(step, filled)],
    );
    return { ...plan, steps, values, commands };
  } catch (error) {
    return { ...plan, failure: error instanceof Error ? error : new Error(String(error)) };
  }
};

const setUp = async (recipe: Recipe<unknown>, request: unknown): Promise<RecipeStep<unknown>[]> => {
  const steps = [...recipe.steps];
  await recipe.handlers?.setup?.(request, { addStep: (step) => void steps.push(step) });
  if (steps.length === 0) throw new ToolFailure("The recipe has no steps for this request.");
  return steps;
};

const readValues = async (recipe: Recipe<unknown>, request: unknown): Promise<RecipeValues> => {
  const values = { ...(await recipe.env?.(request)) };
  for (const name of PLACE_NAMES) {
    if (Object.hasOwn(values, name)) {
      throw new ToolFailure(`env must not set "${name}", which each call has.`);
    }
  }
  return values;
};

/** @throws {ToolFailure} for a value that is no text, number or boolean. */
export const toTemplateValues = (values: RecipeValues, places: CallPlaces): TemplateValues =>
  new Map(
    Object.entries({ ...values, ...places }).map(([name, value]): [string, string] => {
      if (!["string", "number", "boolean"].includes(typeof value)) {
        throw new ToolFailure(`The value of \${${name}} is no text, number or boolean.`);
      }
      return [name, String(value)];
    }),
  );

/** @throws {ToolFailure} for an unknown name, or what no program can be started with. */
export const createArgv = (step: CommandStep, values: TemplateValues): string[] => {
  const argv = step.map((text) => fillOrFail(text, values));
  checkArgv(argv);
  return argv;
};

/** @throws {ToolFailure} for what no program can be started with. */
export const checkArgv = (argv: readonly string[]): void => {
  if (argv[0] === undefined || argv[0] === "") {
    throw new ToolFailure("A command of the recipe names no program.");
  }
  for (const argument of argv) {
    if (argument.includes("\0")) {
      throw new ToolFailure("A command must not contain NUL characters.");
    }
    if (Buffer.byteLength(argument) > MAX_ARGUMENT_BYTES) {
      throw new ToolFailure(`An argument of a command is over ${MAX_ARGUMENT_BYTES} bytes.`);
    }
  }
};

const fillOrFail = (text: string, values: TemplateValues): string => {
  try {
    return fillTemplate(text, values);
  } catch (error) {
    throw error instanceof UnknownName ? new ToolFailure(error.message) : error;
  }
};
