import { parse } from "partial-json";
import type { ToolCallView } from "@/contract/chat-view";

type CallArgs = Readonly<Record<string, unknown>>;

/** Returns the arguments that the call runs with, as far as they are known; none when they are not an object. */
export const parseCallArgs = (part: ToolCallView): CallArgs => {
  const args: unknown =
    part.args_text === undefined ? (part.approved_args ?? part.args) : parsePartial(part.args_text);
  return typeof args === "object" && args !== null && !Array.isArray(args)
    ? (args as CallArgs)
    : {};
};

/** @returns the argument when it is a non-empty text. */
export const getTextArg = (args: CallArgs, name: string): string | undefined => {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
};

export const getNumberArg = (args: CallArgs, name: string): number | undefined => {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

const parsePartial = (text: string): unknown => {
  try {
    return parse(text);
  } catch {
    // Invalid JSON has no arguments; the card shows the text itself.
    return undefined;
  }
};
