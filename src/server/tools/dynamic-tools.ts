import type { JSONSchema7 } from "@ai-sdk/provider";
import type { DynamicTool } from "@/contract/dynamic-tool";
import { isJsonObject, type JsonObject, type JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";
import type { ToolLog } from "./tool-context";

/** Schemas in one tool's parameters; references beyond that become unconstrained. */
const MAX_SCHEMA_NODES = 10_000;

/** A dynamic tool as it is offered to the model; a client runs its calls. */
export type OfferedDynamicTool = {
  kind: "dynamic";
  name: string;
  description?: string;
  /** The part of the client's schema that reaches the model; arguments are checked against it. */
  parameters: JSONSchema7;
};

/** Offers a dynamic tool to the model: name, description, `properties` and `required`. */
export const toOfferedTool = (
  { name, description, input_schema }: DynamicTool,
  log: Pick<ToolLog, "warn">,
): OfferedDynamicTool => ({
  kind: "dynamic",
  name,
  ...(description !== undefined && { description }),
  parameters: toParameters(input_schema, () =>
    log.warn({ tool: name }, "dynamic tool offered without parameters: unusable input_schema"),
  ) as JSONSchema7,
});

/** @param onUnusable is called for a schema that is no object schema and gives no parameters. */
const toParameters = (schema: JsonValue | undefined, onUnusable: () => void): DynamicParameters => {
  if (schema === undefined) return NO_PARAMETERS;
  if (!isObjectSchema(schema)) {
    onUnusable();
    return NO_PARAMETERS;
  }
  const properties = inlineRefs(schema.properties ?? {}, schema);
  // Providers refuse a required property that is not declared, and the whole call with it.
  const required = (schema.required ?? []).filter((name) => Object.hasOwn(properties, name));
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
  };
};

type DynamicParameters = { type: "object"; properties: JsonObject; required?: string[] };

const NO_PARAMETERS: DynamicParameters = { type: "object", properties: {} };

type ObjectSchema = JsonObject & { properties?: JsonObject; required?: string[] };

const isObjectSchema = (schema: JsonValue): schema is ObjectSchema => {
  if (!isJsonObject(schema)) return false;
  const { type = "object", properties = {}, required = [] } = schema;
  return (
    type === "object" &&
    isJsonObject(properties) &&
    Object.values(properties).every((property) => isJsonObject(property) || property === true) &&
    Array.isArray(required) &&
    required.every((name) => typeof name === "string")
  );
};

/** Inlines references, because only `properties` reaches the model. */
const inlineRefs = (properties: JsonObject, root: JsonObject): JsonObject => {
  let nodes = 0;
  const inline = (value: JsonValue, inside: readonly string[]): JsonValue => {
    if (typeof value !== "object" || value === null) return value;
    if (++nodes > MAX_SCHEMA_NODES) return {};
    if (Array.isArray(value)) return value.map((item) => inline(item, inside));
    const { $ref, ...rest } = value;
    if (typeof $ref === "string") {
      const target = inside.includes($ref) ? undefined : resolveRef(root, $ref);
      const found = isJsonObject(target) ? inline(target, [...inside, $ref]) : {};
      return isJsonObject(found) ? { ...found, ...inlineEach(rest, inside) } : {};
    }
    return inlineEach(value, inside);
  };
  const inlineEach = (value: JsonObject, inside: readonly string[]): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inline(child, inside)]));
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      schema === true ? {} : inline(schema, []),
    ]),
  );
};

/** Only the client runs a dynamic tool, so a run in the worker is a bug. */
export const dynamicToolBugMessage = (name: string): string =>
  `The dynamic tool "${name}" was run by the server. This is a bug in the server: only the client runs it.`;
