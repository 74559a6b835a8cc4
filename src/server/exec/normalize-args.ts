import { isJsonObject } from "@/contract/is-json-object";
import type { JsonValue } from "@/contract/json";

const ALIASES: Readonly<Record<string, string>> = { sessionId: "session_id" };

/** Returns arguments in this tool's spelling; models also use that of older versions, and write booleans as text. */
export const normalizeArgs = (args: unknown): unknown => {
  if (!isJsonObject(args as JsonValue)) return args;
  return Object.fromEntries(
    Object.entries(args as Record<string, unknown>).map(([key, value]) => {
      const name = Object.hasOwn(ALIASES, key) ? (ALIASES[key] ?? key) : key;
      return [name, normalizeValue(name, value)];
    }),
  );
};

const normalizeValue = (name: string, value: unknown): unknown => {
  if (typeof value !== "string") return value;
  switch (name) {
    case "action":
      return value.replaceAll("-", "_");
    case "pty":
    case "background":
    case "report_on_exit":
      return { true: true, false: false }[value] ?? value;
    case "timeout":
      return /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    default:
      return value;
  }
};
