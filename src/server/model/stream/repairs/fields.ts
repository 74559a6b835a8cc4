import { isExactNumber, tryParseJson } from "@/lib/exact-json";
import { isRecord } from "@/lib/is-record";

/** An object of an event, of which nothing is known. */
export type Fields = Record<string, unknown>;

/** Changes one event, and remembers whether it did: an event that needs nothing is passed on as it was written. */
export const createFieldEditor = () => {
  const editor = {
    hasChanged: false,
    /** Sets a field; undefined removes it. */
    set: (fields: Fields, key: string, value: unknown): void => {
      if (fields[key] === value) return;
      editor.hasChanged = true;
      if (value === undefined) delete fields[key];
      else fields[key] = value;
    },
    /** Converts a field if it is there. */
    convert: (fields: Fields, key: string, to: (value: unknown) => unknown): void => {
      const value = fields[key];
      if (value !== undefined && value !== null) editor.set(fields, key, to(value));
    },
  };
  return editor;
};

export type FieldEditor = ReturnType<typeof createFieldEditor>;

/** Parses the data of an event. @returns undefined for what is no object. */
export const parseFields = (data: string): Fields | undefined => {
  const value = tryParseJson(data);
  return isRecord(value) ? value : undefined;
};

/** @returns what is passed on of an event that is no object: JSON that is broken, so that the answer fails, as it lacks a text. */
export const keepBroken = (data: string): readonly string[] =>
  data.trimStart().startsWith("{") ? [data] : [];

/** @returns undefined for what cannot be a text, such as an id. */
export const toText = (value: unknown): string | undefined => {
  if (isExactNumber(value)) return value.rawJSON;
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
};

/** @returns undefined for what is no number. */
export const toNumber = (given: unknown): number | undefined => {
  const value = isExactNumber(given) ? given.rawJSON : given;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

/** Leaves out what is no number of usage; texts of numbers become numbers. */
export const keepNumbers = (editor: FieldEditor, counts: Fields): void => {
  for (const [key, count] of Object.entries(counts)) {
    if (isRecord(count)) keepNumbers(editor, count);
    else editor.convert(counts, key, toNumber);
  }
};
