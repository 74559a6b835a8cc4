/** The built-in tools; each has a card in the browser. */
export const BUILTIN_TOOL_NAMES = [
  "current_time",
  "list_directory",
  "read_file",
  "write_file",
] as const;
export type BuiltinToolName = (typeof BUILTIN_TOOL_NAMES)[number];

/** @returns whether the name is a built-in tool's, so that its card can be chosen. */
export const isBuiltinToolName = (name: string): name is BuiltinToolName =>
  BUILTIN_TOOL_NAMES.some((builtin) => builtin === name);
