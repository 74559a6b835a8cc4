/** The built-in tools; each has a card in the browser. */
export const BUILTIN_TOOL_NAMES = [
  "advisor",
  "current_time",
  "list_directory",
  "read_file",
  "write_file",
] as const;
export type BuiltinToolName = (typeof BUILTIN_TOOL_NAMES)[number];
