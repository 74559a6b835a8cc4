import type { JsonObject } from "@/contract/json";
import { PATTERN_TEXT } from "./form-keywords";

/** Keywords that restrict a value, and that forms check. */
export const VALUE_KEYWORDS = [
  "minLength",
  "maxLength",
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
];

/** Copies some keywords of a schema. */
export const pickKeywords = (node: JsonObject, keywords: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([keyword]) => keywords.includes(keyword)));

/** Copies what people read of a schema; a pattern becomes one that only the server checks. */
export const pickTexts = ({
  title,
  description,
  examples,
  pattern,
  deprecated,
}: JsonObject): JsonObject => ({
  ...(typeof title === "string" && { title }),
  ...(typeof description === "string" && { description }),
  ...(Array.isArray(examples) && { examples }),
  ...(typeof pattern === "string" && { [PATTERN_TEXT]: pattern }),
  ...(deprecated === true && { deprecated }),
});
