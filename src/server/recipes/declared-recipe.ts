import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { toPointer } from "@/contract/json-pointer";
import type { FieldError } from "@/contract/problem";
import type { RecipeInput } from "@/contract/recipe";
import type { Recipe, RecipeOptions } from "@/recipes/recipe";
import { tryValidateValues } from "@/server/tools/validation/validate-values";
import { fillTemplate, listNames } from "./fill-template";
import type { LoadedRecipe } from "./loaded-recipe";
import { PLACE_NAMES } from "./plan-call";

/** @returns why a recipe cannot have the name. */
export const findNameProblems = (name: string, reservedNames: readonly string[]): FieldError[] =>
  reservedNames.includes(name)
    ? [{ pointer: "/name", message: "is the name of a built-in tool" }]
    : [];

/** Finds what is wrong with a declared recipe that has the right shape. */
export const findProblems = async (
  input: RecipeInput,
  { userId, reservedNames }: { userId: string; reservedNames: readonly string[] },
): Promise<FieldError[]> => {
  const problems = [
    ...findNameProblems(input.name, reservedNames),
    ...findSchemaProblems(input.parameters),
    ...findValueProblems(input),
    ...findUnknownNames(input),
  ];
  return problems.length > 0 ? problems : checkExample(input, userId);
};

export const checkExample = async (
  { parameters, example }: Pick<RecipeInput, "parameters" | "example">,
  userId: string,
): Promise<FieldError[]> => {
  const [errors] = await tryValidateValues([{ schema: parameters, value: example }], userId);
  if (!errors) return [{ pointer: "/parameters", message: "takes too long to check a request" }];
  return errors.map(({ pointer, message }) => ({ pointer: `/example${pointer}`, message }));
};

export const findSchemaProblems = (parameters: JsonObject): FieldError[] => {
  if (parameters.type !== "object") {
    return [{ pointer: "/parameters/type", message: 'must be "object"' }];
  }
  if (parameters.properties === undefined || isJsonObject(parameters.properties)) return [];
  return [{ pointer: "/parameters/properties", message: "must be an object" }];
};

/** The names of parameters, which are values of the commands. */
const listParameters = ({ parameters }: RecipeInput): string[] =>
  isJsonObject(parameters.properties) ? Object.keys(parameters.properties) : [];

const findValueProblems = (input: RecipeInput): FieldError[] => {
  const places = new Set<string>(PLACE_NAMES);
  const find = (names: readonly string[], at: string[]): FieldError[] =>
    names.flatMap((name) => {
      const pointer = toPointer([...at, name]);
      if (places.has(name)) return [{ pointer, message: "is a value that each call has" }];
      return name in {} ? [{ pointer, message: "is a name that every object has" }] : [];
    });
  const parameters = new Set(listParameters(input));
  return [
    ...find([...parameters], ["parameters", "properties"]),
    ...find(Object.keys(input.env ?? {}), ["env"]),
    ...Object.keys(input.env ?? {}).flatMap((name) =>
      parameters.has(name)
        ? [{ pointer: toPointer(["env", name]), message: "is the name of a parameter" }]
        : [],
    ),
  ];
};

/** Finds `${name}` without a value, before anything is stored. */
const findUnknownNames = (input: RecipeInput): FieldError[] => {
  const parameters = listParameters(input);
  const values = [...parameters, ...Object.keys(input.env ?? {})];
  const check = (text: string | undefined, at: (string | number)[], known: readonly string[]) =>
    listNames(text ?? "")
      .filter((name) => !known.includes(name))
      .map((name) => ({ pointer: toPointer(at), message: `has no value for \${${name}}` }));
  const prompts = [...values, ...PLACE_NAMES, "output"];
  return [
    ...Object.entries(input.env ?? {}).flatMap(([name, text]) =>
      check(text, ["env", name], parameters),
    ),
    ...input.steps.flatMap((argv, step) =>
      argv.flatMap((text, index) =>
        check(text, ["steps", step, index], [...values, ...PLACE_NAMES]),
      ),
    ),
    ...check(input.output_prompt, ["output_prompt"], prompts),
    ...check(input.output_error_prompt, ["output_error_prompt"], prompts),
    ...Object.entries(input.output ?? {}).flatMap(([name, text]) =>
      check(text, ["output", name], prompts),
    ),
  ];
};

/** Loads a declared recipe in which no problem was found. */
export const loadDeclared = (input: RecipeInput): LoadedRecipe => ({
  name: input.name,
  description: input.description,
  parameters: input.parameters,
  argumentsSchema: input.parameters,
  // Templates get the text of a value.
  takesExactNumbers: true,
  parse: (request) => ({ request }),
  example: input.example,
  systemPrompt: input.system_prompt,
  recipe: toRecipe(input) as unknown as Recipe<never>,
});

const toRecipe = (input: RecipeInput): Recipe<JsonObject> => {
  const { opts = {}, output } = input;
  return {
    name: input.name,
    description: input.description,
    parameters: input.parameters,
    example: input.example,
    env: (request) => createValues(input, request),
    steps: input.steps as unknown as Recipe["steps"],
    ...(input.output_prompt !== undefined && { outputPrompt: input.output_prompt }),
    ...(input.output_error_prompt !== undefined && {
      outputErrorPrompt: input.output_error_prompt,
    }),
    ...(output && { output: dropUndefined(output) }),
    opts: dropUndefined({
      needsApproval: opts.needs_approval,
      hideOutput: opts.hide_output,
      timeoutSeconds: opts.timeout_seconds,
      network: opts.network,
      continueOnError: opts.continue_on_error,
      workspace: opts.workspace,
      autoSubmit: dropUndefined({ ...opts.auto_submit }),
    } satisfies DeclaredOptions),
  };
};

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The options that can be declared: one that recipes lack, or that is not passed on, does not compile. */
type DeclaredOptions = {
  [
    Name in CamelCase<keyof NonNullable<RecipeInput["opts"]>>
  ]: Name extends keyof RecipeOptions<never> ? unknown : never;
};

type Defined<Fields> = { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };

const dropUndefined = <Fields extends object>(fields: Fields): Partial<Defined<Fields>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Defined<Fields>
  >;

/** Each parameter is a value, an empty one where the request has none; then those of `env`. */
const createValues = (input: RecipeInput, request: JsonObject): Record<string, string> => {
  const values = new Map(
    listParameters(input).map((name): [string, string] => [
      name,
      Object.hasOwn(request, name) ? toText(request[name]) : "",
    ]),
  );
  const filled = Object.entries(input.env ?? {}).map(([name, text]): [string, string] => [
    name,
    fillTemplate(text, values),
  ]);
  return Object.fromEntries([...values, ...filled]);
};

const toText = (value: JsonValue | undefined): string => {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};
