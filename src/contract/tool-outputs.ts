import { z } from "zod";
import { AdvisorResult } from "./advisor";
import type { JsonValue } from "./json";

/** The output of a tool whose result is text for the model. */
const TextOutput = z.string();

/** The built-in tools, each with the schema of a completed call's output, which types its card. */
export const TOOL_OUTPUT = {
  advisor: AdvisorResult,
  current_time: TextOutput,
  list_directory: TextOutput,
  read_file: TextOutput,
  write_file: TextOutput,
} as const satisfies Record<string, z.ZodType>;

export type BuiltinToolName = keyof typeof TOOL_OUTPUT;

type ToolOutputs = { [Name in BuiltinToolName]: z.output<(typeof TOOL_OUTPUT)[Name]> };

export type ToolOutput<Name extends BuiltinToolName> = ToolOutputs[Name];

export const BUILTIN_TOOL_NAMES = Object.keys(TOOL_OUTPUT) as BuiltinToolName[];

export const isBuiltinToolName = (name: string): name is BuiltinToolName =>
  Object.hasOwn(TOOL_OUTPUT, name);

/** @returns undefined for an output that does not fit its tool's schema. */
export const parseToolOutput = <Name extends BuiltinToolName>(
  name: Name,
  output: JsonValue | undefined,
): ToolOutput<Name> | undefined => {
  const schemas: { [Key in BuiltinToolName]: z.ZodType<ToolOutput<Key>> } = TOOL_OUTPUT;
  return schemas[name].safeParse(output).data;
};
