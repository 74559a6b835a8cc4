import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { Problem } from "@/contract/problem";
import type { RecipeInput } from "@/contract/recipe";
import { formatCommandLines, parseCommandLines } from "@/lib/command-lines";

/** The texts of the form's fields; their names are those of the input, so that errors find them. */
export type RecipeDraft = {
  name: string;
  description: string;
  parameters: string;
  example: string;
  env: string;
  steps: string;
  output_prompt: string;
  output_error_prompt: string;
  system_prompt: string;
  "opts/timeout_seconds": string;
  "opts/workspace": "call" | "chat";
  "opts/needs_approval": "yes" | "no";
  "opts/network": "yes" | "no";
  "opts/hide_output": "yes" | "no";
  "opts/continue_on_error": "yes" | "no";
};

const format = (value: JsonObject): string => JSON.stringify(value, undefined, 2);

const EMPTY: RecipeDraft = {
  name: "",
  description: "",
  env: "",
  steps: "",
  system_prompt: "",
  parameters: format({ type: "object", properties: { text: { type: "string" } } }),
  example: format({ text: "Hello" }),
  output_prompt: "",
  output_error_prompt: "",
  "opts/timeout_seconds": "60",
  "opts/workspace": "call",
  "opts/needs_approval": "yes",
  "opts/network": "no",
  "opts/hide_output": "no",
  "opts/continue_on_error": "no",
};

/** @param recipe undefined for a new one. */
export const toRecipeDraft = (recipe: RecipeInput | undefined): RecipeDraft => {
  if (!recipe) return EMPTY;
  const { opts = {} } = recipe;
  return {
    name: recipe.name,
    description: recipe.description,
    parameters: format(recipe.parameters),
    example: format(recipe.example),
    env: Object.entries(recipe.env ?? {})
      .map(([name, text]) => `${name}=${JSON.stringify(text)}`)
      .join("\n"),
    steps: formatCommandLines(recipe.steps),
    output_prompt: recipe.output_prompt ?? "",
    output_error_prompt: recipe.output_error_prompt ?? "",
    system_prompt: recipe.system_prompt ?? "",
    "opts/timeout_seconds": String(opts.timeout_seconds ?? 60),
    "opts/workspace": opts.workspace ?? "call",
    "opts/needs_approval": toAnswer(opts.needs_approval),
    "opts/network": toAnswer(opts.network),
    "opts/hide_output": toAnswer(opts.hide_output),
    "opts/continue_on_error": toAnswer(opts.continue_on_error),
  };
};

const toAnswer = (value: boolean | undefined): "yes" | "no" => (value === true ? "yes" : "no");

/** Returns why each field cannot be sent. */
export const validateRecipeDraft = (draft: RecipeDraft) => ({
  name: /^[A-Za-z0-9_-]{1,64}$/.test(draft.name.trim())
    ? undefined
    : "Enter a name of letters, digits, - and _, such as run_tests.",
  description: draft.description.trim() === "" ? "Enter what the tool does." : undefined,
  parameters: parseObject(draft.parameters) ? undefined : "Enter a JSON Schema of an object.",
  example: parseObject(draft.example) ? undefined : "Enter a JSON object.",
  env: parseValues(draft.env) ? undefined : "Enter one value per line, such as unit=metric.",
  steps: validateSteps(draft.steps),
  "opts/timeout_seconds": /^[1-9]\d{0,3}$/.test(draft["opts/timeout_seconds"].trim())
    ? undefined
    : "Enter a number of seconds, such as 60.",
});

const validateSteps = (text: string): string | undefined => {
  const parsed = parseCommandLines(text);
  if (!Array.isArray(parsed)) return `Line ${parsed.line} ${parsed.message}.`;
  return parsed.length === 0 ? "Enter at least one command." : undefined;
};

const parseObject = (text: string): JsonObject | undefined => {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Values are texts as they are, or in double quotes with the escapes of JSON. */
const parseValues = (text: string): Record<string, string> | undefined => {
  const entries: [string, string][] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, name, value = ""] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) return undefined;
    const parsed = value.startsWith('"') ? parseText(value) : value;
    if (parsed === undefined) return undefined;
    entries.push([name, parsed]);
  }
  return Object.fromEntries(entries);
};

const parseText = (text: string): string | undefined => {
  try {
    const value = JSON.parse(text) as JsonValue;
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
};

/** @param recipe what is changed; what the form does not show stays. */
export const toRecipeInput = (draft: RecipeDraft, recipe: RecipeInput | undefined): RecipeInput => {
  const steps = parseCommandLines(draft.steps);
  const env = parseValues(draft.env) ?? {};
  const { output, opts, enabled = true } = recipe ?? {};
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    enabled,
    parameters: parseObject(draft.parameters) ?? {},
    example: parseObject(draft.example) ?? {},
    steps: Array.isArray(steps) ? steps : [],
    ...(Object.keys(env).length > 0 && { env }),
    ...(output && { output }),
    ...toPrompts(draft),
    opts: {
      ...opts,
      timeout_seconds: Number(draft["opts/timeout_seconds"]),
      workspace: draft["opts/workspace"],
      needs_approval: draft["opts/needs_approval"] === "yes",
      network: draft["opts/network"] === "yes",
      hide_output: draft["opts/hide_output"] === "yes",
      continue_on_error: draft["opts/continue_on_error"] === "yes",
    },
  };
};

const toPrompts = ({ output_prompt, output_error_prompt, system_prompt }: RecipeDraft) => ({
  ...(output_prompt.trim() !== "" && { output_prompt }),
  ...(output_error_prompt.trim() !== "" && { output_error_prompt }),
  ...(system_prompt.trim() !== "" && { system_prompt }),
});

/** The same problem with errors at the fields that the form has: those of parts are at the whole. */
export const toFormProblem = (problem: Problem | undefined): Problem | undefined => {
  if (!problem?.errors) return problem;
  return {
    ...problem,
    errors: problem.errors.map(({ pointer, message }) => {
      const [, field = "", part, ...rest] = pointer.split("/");
      if (field === "opts" || part === undefined) return { pointer, message };
      return { pointer: `/${field}`, message: `${[part, ...rest].join("/")} ${message}` };
    }),
  };
};
