import { dereference, type OutputUnit, type SchemaDraft, validate } from "@cfworker/json-schema";
import type { JsonObject, JsonValue } from "./json";
import { toFieldError } from "./output-field-error";
import type { FieldError } from "./problem";
import { toUsableSchema } from "./usable-schema";

/** Errors reported for one value: as many as people read. A long list could have one for each item. */
const MAX_ERRORS = 100;

/** @returns at most one error per place, in document order; their pointers are into the value. */
export type OutputCheck = (value: JsonValue) => FieldError[];

/** Changes the copy of a schema that the validator gets. */
type ModifySchema = (copy: JsonObject) => void;

const keepSchema: ModifySchema = () => undefined;

/**
 * Prepares the validation of the outputs of a tool by its `output_schema`. An unusable schema accepts every
 * output. Neither the preparation nor a validation throws, but a validation may take arbitrarily long: run it
 * where it can be stopped, or limit it with `modify`.
 */
export const compileSchema = (schema: JsonValue | undefined, modify = keepSchema): OutputCheck => {
  const usable = toUsableSchema(schema);
  return usable ? compileUsable(usable, { modify }).check : () => [];
};

/**
 * Prepares the validation by parts of a usable schema, or by schemas that refer to its definitions.
 *
 * @returns a function that compiles one of them.
 */
export const compileRoot = (root: JsonObject, modify = keepSchema) => {
  const { lookup } = compileUsable(root, { modify });
  return (subschema: JsonObject): OutputCheck =>
    compileUsable(subschema, { modify, root: { schema: root, lookup } }).check;
};

type Lookup = ReturnType<typeof dereference>;
type CompileOptions = { modify: ModifySchema; root?: { schema: JsonObject; lookup: Lookup } };

const compileUsable = (
  schema: JsonObject,
  { modify, root }: CompileOptions,
): { lookup: Lookup; check: OutputCheck } => {
  // The validator modifies the schema it gets, and an `$id` would change the base URI of references.
  const copy = structuredClone(schema);
  delete copy.$id;
  modify(copy);
  const lookup = Object.create(root?.lookup ?? null) as Lookup;
  try {
    dereference(copy, lookup, undefined, root ? SUBSCHEMA_POINTER : "");
  } catch {
    // Two subschemas have the same anchor.
    return { lookup, check: () => [] };
  }
  const draft = toDraft(root?.schema ?? schema);
  const check = (value: JsonValue): FieldError[] => {
    try {
      return toFieldErrors(schema, validate(value, copy, draft, lookup, false).errors);
    } catch {
      // The validator recurses over the value, whose depth or number of errors may exceed the stack.
      return [];
    }
  };
  return { lookup, check };
};

/** Where a schema outside of its root is found; no schema has this keyword. */
const SUBSCHEMA_POINTER = "/$subschema";

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
