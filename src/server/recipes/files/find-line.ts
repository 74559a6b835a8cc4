/** @returns the line of a file in the stack of an error, which source maps have translated. */
export const findThrownLine = (error: unknown, file: string): { line?: number } => {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  for (const entry of stack.split("\n")) {
    const at = entry.indexOf(`${file}:`);
    const line = at === -1 ? Number.NaN : Number.parseInt(entry.slice(at + file.length + 1), 10);
    if (!Number.isNaN(line)) return { line };
  }
  return {};
};

/** The name at the beginning of a line. */
const FIELD = /^\s*(?:async\s+)?["']?(\w+)["']?\s*[:(,]/;
const DEFAULT_EXPORT = /^\s*export\s+default\b|\bas\s+default\b/;

/**
 * Finds the line of a field of the recipe in its file: the first one after the default export that names it, else
 * that of the export.
 *
 * @param pointer a JSON pointer into the recipe.
 */
export const findFieldLine = (text: string, pointer: string): number | undefined => {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => DEFAULT_EXPORT.test(line));
  const [, field = ""] = pointer.split("/");
  const from = Math.max(start, 0);
  const name = field.replaceAll(/\W/g, "");
  const found = lines.slice(from).findIndex((line) => FIELD.exec(line)?.[1] === name);
  if (found !== -1) return from + found + 1;
  return start === -1 ? undefined : start + 1;
};
