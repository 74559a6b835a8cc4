/** Keyword for the titles of the values of an `enum`. */
export const ENUM_TITLES = "x-value-names";

/** Keyword for a sentence under each of them. */
export const ENUM_HINTS = "x-value-hints";

/** Keyword of a field that is entered as JSON. Its value is the JSON type, or "any". */
export const ANY_JSON = "x-any-json";
/** Keyword for why a field is entered as JSON, as a sentence. */
export const JSON_REASON = "x-json-reason";
/** Keyword for a `pattern` that is shown, but only checked by the server. */
export const PATTERN_TEXT = "x-pattern-text";
/** Keyword for the pattern of the names of a map, which only the server checks. */
export const KEY_PATTERN = "x-key-pattern";
/** Keyword of a choice whose first option is the value, and whose second is null. */
export const NULLABLE = "x-nullable";
/** Keyword of a list of the selected values of an `enum`. */
export const SELECTION = "x-selection";
/** Keyword of a text that is a file. Its value is a `FileEncoding`. */
export const FILE = "x-file";
export type FileEncoding = "base64" | "data-url";

/** Keyword for the control of a field whose schema suggests another one. Its value is a `FieldControl`. */
export const CONTROL = "x-control";
/**
 * A text is read by people or, as code, by programs, in one line or several; a boolean is on or off; a value is selected
 * in a dropdown, also where there are few, or by buttons, where there are not.
 */
export type FieldControl =
  "line" | "lines" | "code" | "code-lines" | "switch" | "checkbox" | "select" | "radio";
