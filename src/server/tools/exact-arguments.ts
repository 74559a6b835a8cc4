import type { JsonValue } from "@/contract/json";
import { toPointer } from "@/contract/json-pointer";
import type { FieldError } from "@/contract/problem";
import { isExactNumber } from "@/lib/exact-json";

/** Finds the arguments that a tool could only read rounded, such as an id of 19 digits. */
export const findExactNumbers = (
  value: JsonValue,
  keys: readonly PropertyKey[] = [],
): FieldError[] => {
  if (isExactNumber(value)) return [{ pointer: toPointer(keys), message: TOO_MANY_DIGITS }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => findExactNumbers(child, [...keys, key]));
};

const TOO_MANY_DIGITS = "is a number with more digits than this tool can read: send it as text";
