import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { humanize } from "@/lib/humanize";
import { ANY_JSON } from "./form-keywords";
import { isConstraint } from "./schema-nodes";

/** An option of a choice: its schema, and how it is written in the choice, by which it may be named. */
export type Option = { schema: JsonObject; written: JsonObject };

/** @returns the values of a schema that has only some. */
export const listValues = ({
  const: only,
  enum: values,
  type,
}: JsonObject): JsonValue[] | undefined => {
  if (only !== undefined) return [only];
  if (Array.isArray(values)) return values;
  return type === "null" ? [null] : undefined;
};

/** @returns the titles of the values of an `enum`, which generators write in several ways. */
export const listTitles = (node: JsonObject): JsonValue[] | undefined =>
  TITLE_KEYWORDS.map((keyword) => node[keyword]).find((titles) => Array.isArray(titles));

const TITLE_KEYWORDS = ["enumNames", "x-enumNames", "x-enum-varnames"];

export const isNull = ({ schema }: Option): boolean => {
  const [only, ...others] = listValues(schema) ?? [];
  return only === null && others.length === 0;
};

/**
 * @returns the options of `anyOf`, `oneOf` or a list of types, with what the choice says of all of them; undefined for
 * no choice, and for one that only says which fields are required.
 */
export const listOptions = (node: JsonObject): Option[] | undefined => {
  const { type, anyOf, oneOf, ...others } = node;
  const limits = Object.fromEntries(
    Object.entries(others).filter(([keyword]) => isConstraint(keyword)),
  );
  const written = anyOf ?? oneOf;
  if (!Array.isArray(written)) {
    return Array.isArray(type)
      ? type.map((one) => ({ schema: { ...limits, type: one }, written: {} }))
      : undefined;
  }
  const options = written.filter(isJsonObject);
  const isLimited = Object.keys(limits).length > 0;
  if (isLimited && options.every(isOnlyRequired)) return undefined;
  // An option inherits the type of the choice.
  const inherited = typeof type === "string" ? { type, ...limits } : limits;
  const isWhole = Object.keys(inherited).length === 0;
  return options.map((option) => ({
    schema: isWhole ? option : { ...inheritTexts(option), allOf: [option, inherited] },
    written: option,
  }));
};

const inheritTexts = ({ title, description }: JsonObject): JsonObject => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
});

const isOnlyRequired = (option: JsonObject): boolean =>
  Object.keys(option).every((keyword) => keyword === "required" || !isConstraint(keyword));

export const getJsonType = ({ type, properties }: JsonObject): string => {
  if (properties !== undefined && type === undefined) return "object";
  return type === "object" || type === "array" ? type : "any";
};

const TITLE_BY_TYPE = new Map<JsonValue | undefined, string>([
  ["string", "Text"],
  ["number", "Number"],
  ["integer", "Whole number"],
  ["boolean", "Yes or no"],
  ["object", "Object"],
  ["array", "List"],
]);

/** @returns a constant of the option, such as "Card" for `{kind: "card", …}`, or what else names it. */
export const createOptionTitle = (option: JsonObject, field: JsonObject, index: number): string => {
  const properties = isJsonObject(field.properties) ? Object.values(field.properties) : [];
  const constants = [field, ...properties].filter(isJsonObject).map((one) => one.const);
  const [constant] = constants.filter((one) => one !== undefined);
  if (constant === null) return "No value";
  if (constant !== undefined) return toConstantTitle(constant);
  const name = typeof option.$ref === "string" ? option.$ref.split("/").at(-1) : undefined;
  const type = field.type ?? field[ANY_JSON];
  return name === undefined ? (TITLE_BY_TYPE.get(type) ?? `Option ${index + 1}`) : humanize(name);
};

const toConstantTitle = (constant: JsonValue): string =>
  typeof constant === "string" ? humanize(constant) : JSON.stringify(constant);
