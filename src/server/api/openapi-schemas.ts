import { z } from "zod";

export type Json = Record<string, unknown>;

type Side = "input" | "output";

export type Schemas = ReturnType<typeof createSchemas>;

/**
 * JSON Schemas for one document, the named ones collected in `all`.
 *
 * @param outputs every schema that `output` will be asked for.
 */
export const createSchemas = (outputs: z.ZodType[]) => {
  const all: Record<string, unknown> = {};

  /** Moves the schema's definitions to `all`, where one that reads differently gets another name. */
  const hoist = (schema: Json): Json => {
    const { $defs = {}, ...rest } = schema as { $defs?: Record<string, Json> } & Json;
    delete rest.$schema;
    const names = namesOf($defs, all);
    for (const [name, definition] of Object.entries($defs)) {
      all[names.get(name) ?? name] = JSON.parse(rewritten(definition, names));
    }
    return JSON.parse(rewritten(rest, names)) as Json;
  };

  const output = (schema: z.ZodType): unknown => {
    // Inside an object, a schema that has a name becomes a reference.
    const { properties } = hoist(convert(z.object({ value: schema }), "output"));
    return (properties as Json).value;
  };
  outputs.forEach(output);

  return {
    all,
    /** The schema of what is sent to clients, or a reference to it when it has a name. */
    output,
    /** The fields of what clients send. */
    inputFields: (schema: z.ZodType) => {
      const { properties = {}, required = [] } = hoist(convert(schema, "input")) as {
        properties?: Json;
        required?: string[];
      };
      return { properties, required };
    },
  };
};

const convert = (schema: z.ZodType, io: Side): Json =>
  z.toJSONSchema(schema, { io, unrepresentable: "any", override: describeUnion });

/** What a short form is transformed to has no description: it is the union's other form. */
const describeUnion = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  const { anyOf } = jsonSchema;
  const [form, ...others] = anyOf?.filter((branch) => Object.keys(branch).length > 0) ?? [];
  if (!form || others.length > 0 || anyOf?.length === 1) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, form);
};

/** Names for definitions, found again and again until none refers to one that was renamed. */
const namesOf = (definitions: Record<string, Json>, known: Json): Map<string, string> => {
  const names = new Map(Object.keys(definitions).map((name) => [name, name]));
  const differs = (name: string): boolean =>
    names.get(name) === name &&
    known[name] !== undefined &&
    JSON.stringify(known[name]) !== rewritten(definitions[name], names);
  for (let renamed = true; renamed;) {
    const odd = Object.keys(definitions).filter(differs);
    for (const name of odd) names.set(name, `${name}Input`);
    renamed = odd.length > 0;
  }
  return names;
};

const rewritten = (schema: unknown, names: Map<string, string>): string =>
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === "id" && typeof value === "string") return undefined;
    if (key !== "$ref" || typeof value !== "string") return value;
    const name = value.replace("#/$defs/", "");
    return `#/components/schemas/${names.get(name) ?? name}`;
  });
