import { isJsonObject } from "@/contract/is-json-object";
import type { JsonValue } from "@/contract/json";
import { readNumber } from "@/lib/read-number";
import { formatCommandLines, parseCommandLines } from "@/lib/command-lines";

/** How a value of another type is entered as text. */
export type TextFormat = {
  format: (value: JsonValue) => string;
  /** Returns the value, or why the text is none, as a sentence. */
  parse: (text: string) => { value: JsonValue | undefined } | { error: string };
};

/** A JSON object. */
export const objectText = (error: string): TextFormat => ({
  format: (value) => JSON.stringify(value, undefined, 2),
  parse: (text) => {
    const value = parseJson(text);
    return isJsonObject(value) ? { value } : { error };
  },
});

/** Commands, one per line. */
export const COMMANDS_TEXT: TextFormat = {
  format: (value) => formatCommandLines(value as string[][]),
  parse: (text) => {
    const parsed = parseCommandLines(text);
    if (!Array.isArray(parsed)) return { error: `Line ${parsed.line} ${parsed.message}.` };
    return parsed.length === 0 ? { error: "Enter at least one command." } : { value: parsed };
  },
};

/** One command: a list of the program and its arguments. */
export const COMMAND_TEXT: TextFormat = {
  format: (value) => formatCommandLines([value as string[]]),
  parse: (text) => {
    const parsed = parseCommandLines(text);
    if (!Array.isArray(parsed)) return { error: `The command ${parsed.message}.` };
    return parsed.length === 1 ? { value: parsed[0] } : { error: "Enter one command." };
  },
};

type ValuesOptions = {
  separator: string;
  /** Formats the texts in double quotes, with the escapes of JSON. */
  isQuoted?: boolean;
  error: string;
};

/** Texts by their names, one per line. */
export const valuesText = ({ separator, isQuoted = false, error }: ValuesOptions): TextFormat => ({
  format: (values) =>
    Object.entries(isJsonObject(values) ? values : {})
      .map(
        ([name, text]) =>
          `${name}${separator}${isQuoted ? JSON.stringify(text) : (text as string)}`,
      )
      .join("\n"),
  parse: (text) => {
    const entries: [string, string][] = [];
    for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
      const [name = "", ...rest] = line.split(separator.trim());
      const value = rest.join(separator.trim()).trim();
      const parsed = isQuoted && value.startsWith('"') ? parseJson(value) : value;
      if (name.trim() === "" || rest.length === 0 || typeof parsed !== "string") return { error };
      entries.push([name.trim(), parsed]);
    }
    return { value: entries.length === 0 ? undefined : Object.fromEntries(entries) };
  },
});

/** An amount in millionths of a dollar, entered in dollars. */
export const DOLLARS_TEXT: TextFormat = {
  format: (micros) => String(Number(micros) / MICROS_PER_DOLLAR),
  parse: (text) => {
    if (text.trim() === "") return { value: undefined };
    const read = readNumber(text);
    return read && "number" in read && /^\d{1,6}(\.\d{1,6})?$/.test(read.number)
      ? { value: Math.round(Number(read.number) * MICROS_PER_DOLLAR) }
      : { error: "Enter dollars, such as 1.25." };
  },
};

const MICROS_PER_DOLLAR = 1_000_000;

const parseJson = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};
