import * as z from "zod";

export type Json = Record<string, unknown>;

type Side = "input" | "output";

type Fields = { properties?: Json; required?: string[] };

export type SchemaRegistry = ReturnType<typeof createSchemaRegistry>;

/**
 * Creates the schemas of one document and collects named ones in `all`.
 *
 * @param outputs all schemas that `output` will be called with; they are registered first, so that
 *   output schemas keep their names.
 */
export const createSchemaRegistry = (outputs: z.ZodType[]) => {
  const all: Record<string, unknown> = {};

  /** Moves definitions to `all`; one that differs from a registered one gets another name. */
  const hoistDefinitions = (schema: Json): Json => {
    const { $defs = {}, ...rest } = schema as { $defs?: Record<string, Json> } & Json;
    delete rest.$schema;
    const names = assignNames($defs, all);
    for (const [name, definition] of Object.entries($defs)) {
      all[names.get(name) ?? name] = JSON.parse(stringifyWithReferences(definition, names));
    }
    return JSON.parse(stringifyWithReferences(rest, names)) as Json;
  };

  const output = (schema: z.ZodType): unknown => {
    // A named schema becomes a reference only inside another schema.
    const { properties } = hoistDefinitions(
      openObjects(toJsonSchema(z.object({ value: schema }), "output")),
    );
    return (properties as Json).value;
  };
  outputs.forEach(output);

  return {
    all,
    /** @returns the schema of an output, or a reference if it has a name. */
    output,
    /** @returns the fields of an input. */
    inputFields: (schema: z.ZodType) => {
      const hoisted = hoistDefinitions(toJsonSchema(schema, "input")) as Fields & { $ref?: string };
      // A named input is a reference, which would leave the operation without fields.
      const named = all[hoisted.$ref?.split("/").at(-1) ?? ""] as Fields | undefined;
      const { properties = {}, required = [] } = named ?? hoisted;
      return { properties, required, reference: named && { $ref: hoisted.$ref } };
    },
  };
};

const toJsonSchema = (schema: z.ZodType, io: Side): Json =>
  z.toJSONSchema(schema, { io, unrepresentable: "any", override: simplifyUnion });

/** Lets objects have more fields: an answer may get some without a new version. */
const openObjects = (schema: Json): Json =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === "additionalProperties" && value === false ? undefined : value,
    ),
  ) as Json;

/** Removes the empty branch that zod emits for a transform inside a union. */
const simplifyUnion = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  const { anyOf } = jsonSchema;
  const [onlyBranch, ...others] = anyOf?.filter((branch) => Object.keys(branch).length > 0) ?? [];
  if (!onlyBranch || others.length > 0 || anyOf?.length === 1) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, onlyBranch);
};

/** Assigns names, repeatedly, because a definition also differs if it refers to a renamed one. */
const assignNames = (definitions: Record<string, Json>, registered: Json): Map<string, string> => {
  const names = new Map(Object.keys(definitions).map((name) => [name, name]));
  const differs = (name: string): boolean =>
    names.get(name) === name &&
    registered[name] !== undefined &&
    JSON.stringify(registered[name]) !== stringifyWithReferences(definitions[name], names);
  for (let hasConflicts = true; hasConflicts;) {
    const conflicting = Object.keys(definitions).filter(differs);
    for (const name of conflicting) names.set(name, `${name}Input`);
    hasConflicts = conflicting.length > 0;
  }
  return names;
};

const stringifyWithReferences = (schema: unknown, names: Map<string, string>): string =>
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === "id" && typeof value === "string") return undefined;
    if (key !== "$ref" || typeof value !== "string") return value;
    const name = value.replace("#/$defs/", "");
    return `#/components/schemas/${names.get(name) ?? name}`;
  });
