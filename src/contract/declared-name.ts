import * as z from "zod";
import { Text } from "./content";
import { MAX_CHOSEN_TOOLS } from "./limits";

/** The name of what administrators declare, as people and models write it. */
export const DeclaredName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    "must be 1 to 64 letters, digits, '_' or '-', and begin with a letter",
  );

/** Without `_`, which separates it from the names of its tools. */
export const ToolsetName = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, "must be 1 to 32 small letters, digits or '-'");

export const isUnique = (names: readonly string[]): boolean => new Set(names).size === names.length;

/** Names of tools of the server. */
export const ToolNames = z
  .array(Text)
  .max(MAX_CHOSEN_TOOLS)
  .refine(isUnique, "must not name a tool twice");

/** Refuses a list in which two have the same name, at the second one. */
export const refuseDuplicateNames = (
  list: readonly { name: string }[],
  context: z.RefinementCtx,
): void => {
  const seen = new Set<string>();
  list.forEach(({ name }, index) => {
    if (seen.has(name)) {
      const message = `is a duplicate: "${name}" is used twice`;
      context.addIssue({ code: "custom", message, path: [index, "name"] });
    }
    seen.add(name);
  });
};
