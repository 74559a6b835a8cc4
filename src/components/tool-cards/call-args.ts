import { parse } from "partial-json";
import type { ToolCallView } from "@/contract/chat-view";

type CallArgs = Readonly<Record<string, unknown>>;

/** The arguments as far as they are known: complete, half streamed, or none where they make no sense. */
export const callArgs = (part: ToolCallView): CallArgs => {
  const args: unknown = part.args_text === undefined ? part.args : parsePartial(part.args_text);
  return typeof args === "object" && args !== null && !Array.isArray(args)
    ? (args as CallArgs)
    : {};
};

/** @returns the argument when it is text with something in it. */
export const textArg = (args: CallArgs, name: string): string | undefined => {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
};

export const numberArg = (args: CallArgs, name: string): number | undefined => {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

const parsePartial = (text: string): unknown => {
  try {
    return parse(text);
  } catch {
    // Text that is no JSON has no arguments to show yet; the card shows the text itself.
    return undefined;
  }
};
