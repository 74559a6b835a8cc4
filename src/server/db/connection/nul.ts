import { mapJsonTexts, parseExactJson } from "@/lib/exact-json";

/**
 * PostgreSQL can hold a NUL character neither in `text` nor in `jsonb`, and models and tools do
 * write them. So NUL is stored as a pair of noncharacters: code points that Unicode keeps out of
 * interchange. The first of the pair is escaped the same way, so every text comes back as it was.
 * Lone surrogates cannot be stored at all and become U+FFFD.
 */
const ESCAPE = "\uFDD0";
const NUL_MARK = "\uFDD1";
const ESCAPE_MARK = "\uFDD2";

/** A value as it is bound to a statement: its text in the form that the database can hold. */
export const encodeValue = (value: unknown): unknown => {
  if (typeof value === "string") return encodeText(value);
  return Array.isArray(value) ? value.map(encodeValue) : value;
};

const encodeText = (text: string): string =>
  text.includes("\0") || text.includes(ESCAPE) || !text.isWellFormed()
    ? text
        .toWellFormed()
        .replaceAll(ESCAPE, ESCAPE + ESCAPE_MARK)
        .replaceAll("\0", ESCAPE + NUL_MARK)
    : text;

/** A text as it was bound. */
export const decodeText = (text: string): string =>
  text.includes(ESCAPE)
    ? text.replaceAll(ESCAPE + NUL_MARK, "\0").replaceAll(ESCAPE + ESCAPE_MARK, ESCAPE)
    : text;

/** `json`, unlike `jsonb`, keeps a text as it was written, escapes too. */
const ESCAPE_IN_JSON = "\\ufdd0";

// What JSON.stringify may write for text that needs encoding; also met in harmless text, rarely.
const SUSPECT = /\\u0000|\\ud[89a-f]|\uFDD0/;

/** A value as the text of a JSON parameter, keys included; written so that binding it changes nothing. */
export const toJsonText = (value: unknown): string => encodeJsonText(JSON.stringify(value));

/** The same for JSON that is a text already. */
export const encodeJsonText = (text: string): string => {
  if (!SUSPECT.test(text)) return text;
  const encoded = JSON.stringify(mapJsonTexts(parseExactJson(text), encodeText));
  return encoded.replaceAll(ESCAPE, ESCAPE_IN_JSON);
};

/** Undoes `toJsonText`. */
export const fromJsonText = (text: string): unknown => {
  const value = parseExactJson(text);
  return isEncodedJson(text) ? mapJsonTexts(value, decodeText) : value;
};

/** Undoes `encodeJsonText`. */
export const decodeJsonText = (text: string): string =>
  isEncodedJson(text) ? JSON.stringify(fromJsonText(text)) : text;

const isEncodedJson = (text: string): boolean =>
  text.includes(ESCAPE) || text.includes(ESCAPE_IN_JSON);
