import type { Json } from "./openapi-schemas";
import { findFieldText } from "./openapi-texts";

export type Schema = Json & {
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
};

/** By the format of a text. */
const FORMAT_EXAMPLE: Record<string, string> = {
  "date-time": "2026-11-22T09:30:00.000Z",
  uuid: "0198c0de-0000-7000-8000-000000000000",
};
const TYPE_EXAMPLE: Record<string, unknown> = {
  string: "text",
  integer: 1,
  number: 1,
  boolean: true,
  null: null,
};

/** The values that the schema itself names. */
const listKnownValues = ({ examples = [], enum: choices = [], ...schema }: Schema): unknown[] => [
  ...examples,
  ...choices,
  ...[schema.const, schema.default].filter((value) => value !== undefined),
];

const createScalar = ({ format, type }: Schema): unknown =>
  FORMAT_EXAMPLE[format ?? ""] ?? TYPE_EXAMPLE[type ?? "null"];

/**
 * Adds descriptions and examples to schemas, so that a reader and a generated client have them at each field.
 *
 * @param components the named schemas, in which references are resolved.
 */
export const createSchemaAnnotator = (components: Record<string, Schema>) => {
  const resolve = (schema: Schema): Schema =>
    schema.$ref ? (components[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;

  /** @returns a value that the schema allows. */
  const createExample = (reference: Schema): unknown => {
    const schema = resolve(reference);
    const [known] = listKnownValues(schema);
    return known === undefined ? createFromParts(schema) : known;
  };

  const createFromParts = ({ anyOf, oneOf, items, properties, ...schema }: Schema): unknown => {
    const [branch] = anyOf ?? oneOf ?? [];
    if (branch) return createExample(branch);
    if (items) return [createExample(items)];
    if (schema.type !== "object") return createScalar(schema);
    const fields = Object.entries(properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, createExample(field)]));
  };

  /** Calls a function with each field of a schema and its path, in depth; references are not followed. */
  const visitFields = (
    schema: Schema,
    visit: (path: string, field: Schema) => void,
    parents: string[] = [],
  ): void => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const path = [...parents, name];
      visit(path.join("."), field);
      visitFields(field, visit, path);
    }
    const { anyOf = [], oneOf = [], items, additionalProperties } = schema;
    const nested = [...anyOf, ...oneOf, ...(items ? [items] : [])];
    if (typeof additionalProperties === "object") nested.push(additionalProperties);
    for (const branch of nested) visitFields(branch, visit, parents);
  };

  const addText = (path: string, field: Schema, owner: string): void => {
    const [description, example] = findFieldText(owner, path) ?? [];
    if (description) field.description = description;
    if (example !== undefined) field.examples = [example];
  };

  /** A reference has the example of what it names. */
  const addExample = (field: Schema): void => {
    if (field.$ref === undefined) field.examples ??= [createExample(field)];
  };

  return {
    createExample,
    /** Adds the texts of the fields of a schema. @param owner the schema or the operation that has them. */
    addTexts: (schema: Schema, owner: string): void =>
      visitFields(schema, (path, field) => addText(path, field, owner)),
    /** Adds an example to each field without one; after all texts, as examples consist of those of other schemas. */
    addExamples: (schema: Schema): void => visitFields(schema, (_path, field) => addExample(field)),
    /** Adds both to a field alone, such as a parameter. */
    annotateField: (name: string, field: Schema, owner: string): void => {
      addText(name, field, owner);
      addExample(field);
    },
  };
};
