/** A number that JavaScript's numbers would round. `JSON.stringify` writes it as it was written. */
export type ExactNumber = { readonly rawJSON: string };

/** ECMAScript's access to the source text of JSON, which older browsers lack. */
const json = JSON as typeof JSON & {
  rawJSON?: (text: string) => ExactNumber;
  isRawJSON?: (value: unknown) => value is ExactNumber;
};

export const isExactNumber = (value: unknown): value is ExactNumber =>
  json.isRawJSON?.(value) ?? false;

/**
 * Parses JSON without rounding: a number of more digits than JavaScript's numbers have, such as an id of 19, or
 * of a greater exponent, becomes an `ExactNumber`. All others are numbers. Where the runtime cannot do that, as
 * in older browsers, such a number becomes its text.
 *
 * @throws {SyntaxError}
 */
export const parseExactJson = (text: string): unknown =>
  mayBeRounded(text) ? parseWith(text, parseExactNumber) : JSON.parse(text);

/** Parses JSON without rounding. @returns undefined for what is no JSON. */
export const tryParseJson = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
};

/**
 * Parses JSON to show it: a number that JavaScript would round becomes its text, which all of a page can pass on.
 *
 * @throws {SyntaxError}
 */
export const parseShownJson = (text: string): unknown =>
  mayBeRounded(text) ? parseWith(text, keepText) : JSON.parse(text);

/** Converts exact numbers to texts, as `parseShownJson` does. A value without such stays itself. */
export const showNumbers = <Value>(value: Value): Value => {
  const text = JSON.stringify(value) as string | undefined;
  return text !== undefined && mayBeRounded(text) ? (parseShownJson(text) as Value) : value;
};

const keepText = (text: string): number | string => {
  const number = parseExactNumber(text);
  return typeof number === "number" ? number : text;
};

const parseWith = (text: string, parseNumber: (text: string) => unknown): unknown =>
  JSON.parse(text, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === "number" && source !== undefined ? parseNumber(source) : value,
  );

/** Reads one number as `parseExactJson` does. @param text a number in JSON. */
export const parseExactNumber = (text: string): number | ExactNumber | string => {
  const number = Number(text);
  return isSameDecimal(text, String(number)) ? number : (json.rawJSON?.(text) ?? text);
};

/** Copies a JSON value with numbers that a check can compute with, so rounded. A value without such stays itself. */
export const roundNumbers = <Value>(value: Value): Value => {
  const text = JSON.stringify(value) as string | undefined;
  return text !== undefined && mayBeRounded(text) ? (JSON.parse(text) as Value) : value;
};

/** Copies like `structuredClone`, which would make objects of exact numbers. */
export const copyValue = <Value>(value: Value): Value => {
  if (isExactNumber(value)) return value;
  if (Array.isArray(value)) return value.map(copyValue) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const entries = Object.entries(value).map(([key, child]) => [key, copyValue(child as unknown)]);
  return Object.fromEntries(entries) as Value;
};

/** Maps all texts of a JSON value, names of properties included. */
export const mapJsonTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null || isExactNumber(value)) return value;
  if (Array.isArray(value)) return value.map((child) => mapJsonTexts(child, change));
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [change(key), mapJsonTexts(child, change)]),
  );
};

/** False for nearly every JSON that has no number of many digits. */
export const mayBeRounded = (text: string): boolean => MAY_BE_ROUNDED.test(text);

/** Of an exponent, the number from its start: UUIDs have the like of `1e234` within. */
const MAY_BE_ROUNDED = /[\d.]{16}|(?:^|[\s,:[])-?\d+(?:\.\d+)?[eE][+-]?\d{3}/;

/** Whether two decimal numbers are the same, by their digits. */
const isSameDecimal = (one: string, other: string): boolean =>
  one === other || toDigits(one) === toDigits(other);

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** @returns the digits without zeros at either end, and where the point stands; undefined for what is no number. */
const toDigits = (text: string): string | undefined => {
  const [matched, sign, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const digits = `${whole}${fraction}`;
  let [start, end] = [0, digits.length];
  while (digits[start] === "0") start += 1;
  // No pattern: one that looks for the zeros at the end reads a million others for each zero.
  while (end > start && digits[end - 1] === "0") end -= 1;
  if (start === end) return "0";
  const shift = Number(exponent) - fraction.length + digits.length - end;
  return `${sign}${digits.slice(start, end)}e${shift}`;
};
