import { type OutputUnit, type SchemaDraft, Validator } from "@cfworker/json-schema";
import type { JsonObject, JsonValue } from "./json";
import { toFieldError } from "./output-field-error";
import type { FieldError } from "./problem";
import { toUsableSchema } from "./usable-schema";

/**
 * Validates the output of a tool against its `output_schema`. An unusable schema accepts every output.
 *
 * @returns at most one error per place, in document order; their pointers are into `value`.
 */
export const checkOutput = (schema: JsonValue | undefined, value: JsonValue): FieldError[] => {
  const usable = toUsableSchema(schema);
  if (!usable) return [];
  const seen = new Set<string>();
  return toLeafErrors(validate(usable, value))
    .map((unit) => toFieldError(usable, unit))
    .filter(({ pointer }) => !seen.has(pointer) && seen.add(pointer));
};

const validate = (schema: JsonObject, value: JsonValue): OutputUnit[] => {
  // The validator modifies the schema it gets, and an `$id` would change the base URI of references.
  const copy = structuredClone(schema);
  delete copy.$id;
  try {
    return new Validator(copy, toDraft(schema), false).validate(value).errors;
  } catch {
    // The validator throws if two subschemas have the same anchor.
    return [];
  }
};

const toDraft = ({ $schema }: JsonObject): SchemaDraft => {
  if (typeof $schema !== "string") return "2020-12";
  if ($schema.includes("draft-04")) return "4";
  return /draft-0[67]/.test($schema) ? "7" : "2020-12";
};

/** Applicators: their errors only repeat that a subschema failed. */
const APPLICATORS = new Set([
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

const toLeafErrors = (units: OutputUnit[]): OutputUnit[] => {
  const found: OutputUnit[] = [];
  let index = 0;
  while (index < units.length) {
    const unit = units[index++];
    if (!unit || APPLICATORS.has(unit.keyword)) continue;
    if (unit.keyword !== "anyOf" && unit.keyword !== "oneOf") {
      found.push(unit);
      continue;
    }
    const start = index;
    while (units[index]?.keywordLocation.startsWith(`${unit.keywordLocation}/`)) index++;
    found.push(...errorsOfIntendedOption(unit, units.slice(start, index)));
  }
  return found;
};

/** If only one option has the right type and constants, returns its errors; else that of the choice. */
const errorsOfIntendedOption = (choice: OutputUnit, nested: OutputUnit[]): OutputUnit[] => {
  const options = new Map<string, OutputUnit[]>();
  for (const unit of nested) {
    const option =
      unit.keywordLocation.slice(choice.keywordLocation.length + 1).split("/")[0] ?? "";
    options.set(option, [...(options.get(option) ?? []), unit]);
  }
  const candidates = [...options.values()].filter(
    (units) => !units.some(isDiscriminatorError(choice)),
  );
  const [only] = candidates;
  return only && candidates.length === 1 ? toLeafErrors(only) : [choice];
};

const isDiscriminatorError = (choice: OutputUnit) => (unit: OutputUnit) =>
  (unit.keyword === "type" && unit.instanceLocation === choice.instanceLocation) ||
  unit.keyword === "const";
