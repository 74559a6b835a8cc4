import { type OutputUnit, type SchemaDraft, Validator } from "@cfworker/json-schema";
import type { JsonObject, JsonValue } from "./json";
import { outputMessage } from "./output-message";
import type { FieldError } from "./problem";
import { usableSchema } from "./usable-schema";

/**
 * What is wrong with a tool's output by its `output_schema`. A schema that cannot be used refuses nothing.
 *
 * @returns problems in document order, each place once; their pointers are into `value`.
 */
export const checkOutput = (schema: JsonValue | undefined, value: JsonValue): FieldError[] => {
  const usable = usableSchema(schema);
  if (!usable) return [];
  const seen = new Set<string>();
  return leaves(validate(usable, value))
    .map((unit) => outputMessage(usable, unit))
    .filter(({ pointer }) => !seen.has(pointer) && seen.add(pointer));
};

const validate = (schema: JsonObject, value: JsonValue): OutputUnit[] => {
  // The validator writes on the schema that it is given; a name would move where references lead.
  const copy = structuredClone(schema);
  delete copy.$id;
  try {
    return new Validator(copy, draftOf(schema), false).validate(value).errors;
  } catch {
    // The validator takes no schema that gives two of its parts the same name.
    return [];
  }
};

const draftOf = ({ $schema }: JsonObject): SchemaDraft => {
  if (typeof $schema !== "string") return "2020-12";
  if ($schema.includes("draft-04")) return "4";
  return /draft-0[67]/.test($schema) ? "7" : "2020-12";
};

/** They only say that something below them is wrong. */
const WRAPPERS = new Set([
  "$ref",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "dependentSchemas",
  "dependencies",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "allOf",
  "if",
]);

const leaves = (units: OutputUnit[]): OutputUnit[] => {
  const found: OutputUnit[] = [];
  let index = 0;
  while (index < units.length) {
    const unit = units[index++];
    if (!unit || WRAPPERS.has(unit.keyword)) continue;
    if (unit.keyword !== "anyOf" && unit.keyword !== "oneOf") {
      found.push(unit);
      continue;
    }
    const start = index;
    while (units[index]?.keywordLocation.startsWith(`${unit.keywordLocation}/`)) index++;
    found.push(...closest(unit, units.slice(start, index)));
  }
  return found;
};

/** Of several options, the one that was meant: the only one whose own type and constants fit. */
const closest = (choice: OutputUnit, below: OutputUnit[]): OutputUnit[] => {
  const options = new Map<string, OutputUnit[]>();
  for (const unit of below) {
    const option =
      unit.keywordLocation.slice(choice.keywordLocation.length + 1).split("/")[0] ?? "";
    options.set(option, [...(options.get(option) ?? []), unit]);
  }
  const meant = [...options.values()].filter((units) => !units.some(isOtherKind(choice)));
  const [only] = meant;
  return only && meant.length === 1 ? leaves(only) : [choice];
};

const isOtherKind = (choice: OutputUnit) => (unit: OutputUnit) =>
  (unit.keyword === "type" && unit.instanceLocation === choice.instanceLocation) ||
  unit.keyword === "const";
