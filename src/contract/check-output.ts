import {
  dereference,
  format as formats,
  type OutputUnit,
  type SchemaDraft,
  validate,
} from "@cfworker/json-schema";
import { roundNumbers } from "@/lib/exact-json";
import type { JsonObject, JsonValue } from "./json";
import { toFieldError } from "./output-field-error";
import type { FieldError } from "./problem";
import { toUsableSchema } from "./usable-schema";

/** Errors reported for one value: as many as people read. A long list could have one for each item. */
const MAX_ERRORS = 100;

/** @returns at most one error per place, in document order; their pointers are into the value. */
export type OutputCheck = (value: JsonValue) => FieldError[];

/**
 * Prepares the validation of the outputs of a tool by its `output_schema`. An unusable schema accepts every
 * output. Neither the preparation nor a validation throws, but a validation may take arbitrarily long: run it
 * where it can be stopped, or by a schema that is known to be simple.
 */
export const compileSchema = (schema: JsonValue | undefined): OutputCheck => {
  const usable = toUsableSchema(schema);
  return usable ? compileUsable(usable) : () => [];
};

// Texts that are files, which the validator does not know.
Object.assign(formats, {
  byte: (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  "data-url": (text: string) => /^data:[^,]*,/.test(text),
});

const compileUsable = (schema: JsonObject): OutputCheck => {
  // The validator modifies the schema it gets, and an `$id` would change the base URI of references.
  const copy = structuredClone(schema);
  delete copy.$id;
  const lookup = Object.create(null) as ReturnType<typeof dereference>;
  try {
    dereference(copy, lookup, undefined, "");
  } catch {
    // Two subschemas have the same anchor.
    return () => [];
  }
  const draft = toDraft(schema);
  return (value) => {
    try {
      return toFieldErrors(copy, validate(roundNumbers(value), copy, draft, lookup, false).errors);
    } catch {
      // The depth of the value, or a schema that refers to itself without end, exceeds the stack.
      return [];
    }
  };
};

const toFieldErrors = (schema: JsonObject, units: OutputUnit[]): FieldError[] => {
  const errors = new Map<string, FieldError>();
  for (const unit of toLeafErrors(units)) {
    const error = toFieldError(schema, unit);
    if (!errors.has(error.pointer)) errors.set(error.pointer, error);
    if (errors.size === MAX_ERRORS) break;
  }
  return [...errors.values()];
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
    // With a list of names it has no errors of a subschema.
    if (unit.keyword === "dependencies" && isAbove(unit, units[index])) continue;
    if (unit.keyword !== "anyOf" && unit.keyword !== "oneOf") {
      found.push(unit);
      continue;
    }
    const start = index;
    while (isAbove(unit, units[index])) index++;
    found.push(...errorsOfIntendedOption(unit, units.slice(start, index)));
  }
  return found;
};

const isAbove = (unit: OutputUnit, other: OutputUnit | undefined): boolean =>
  other?.keywordLocation.startsWith(`${unit.keywordLocation}/`) === true;

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
