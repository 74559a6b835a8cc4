/**
 * PostgreSQL can hold a NUL character neither in `text` nor in `jsonb`, and models and tools do
 * write them. So NUL is stored as a pair of noncharacters: code points that Unicode keeps out of
 * interchange. The first of the pair is escaped the same way, so every text comes back as it was.
 * Lone surrogates cannot be stored at all and become U+FFFD.
 */
const ESCAPE = "\uFDD0";
const NUL_MARK = "\uFDD1";
const ESCAPE_MARK = "\uFDD2";

const needsEncoding = (text: string): boolean =>
  text.includes("\0") || text.includes(ESCAPE) || !text.isWellFormed();

/** A text as it is bound to a statement; the database gives it back as it was. */
export const encodeNulText = (text: string): string =>
  needsEncoding(text)
    ? text
        .toWellFormed()
        .replaceAll(ESCAPE, ESCAPE + ESCAPE_MARK)
        .replaceAll("\0", ESCAPE + NUL_MARK)
    : text;

/** Undoes `encodeNulText`. What `Database.query` returns is decoded already. */
export const decodeNulText = (text: string): string =>
  text.includes(ESCAPE)
    ? text.replaceAll(ESCAPE + NUL_MARK, "\0").replaceAll(ESCAPE + ESCAPE_MARK, ESCAPE)
    : text;

/** Any JSON value with all its texts encoded, keys included; the value itself when none needs it. */
export const encodeNul = <Value>(value: Value): Value =>
  isPlain(value) ? value : (mapTexts(value, encodeNulText) as Value);

/** Undoes `encodeNul`. What `Database.query` returns is decoded already. */
export const decodeNul = <Value>(value: Value): Value => mapTexts(value, decodeNulText) as Value;

// What JSON.stringify may write for text that needs encoding; also met in harmless text, rarely.
const SUSPECT = /\\u0000|\\ud[89a-f]|\uFDD0/;

/** A value as the text of a `jsonb` parameter. */
export const toJsonText = (value: unknown): string => {
  const text = JSON.stringify(value);
  return SUSPECT.test(text)
    ? JSON.stringify(mapTexts(JSON.parse(text) as unknown, encodeNulText))
    : text;
};

/** Undoes `toJsonText`. */
export const fromJsonText = (text: string): unknown => {
  const value = JSON.parse(text) as unknown;
  return text.includes(ESCAPE) ? mapTexts(value, decodeNulText) : value;
};

const isPlain = (value: unknown): boolean => {
  if (typeof value === "string") return !needsEncoding(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  return Object.entries(value).every(([key, child]) => !needsEncoding(key) && isPlain(child));
};

const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((child) => mapTexts(child, change));
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [change(key), mapTexts(child, change)]),
  );
};
