import { defaultSchema, sanitize } from "hast-util-sanitize";
import { toHast } from "mdast-util-to-hast";
import { addReadingHints } from "./markdown-hints";

/** The ids of footnotes have a prefix already. */
const SCHEMA = { ...defaultSchema, clobberPrefix: "" };

/** Converts parsed Markdown to a tree of elements that can do nothing but show text, links and images. */
export const toSafeTree = (tree: Parameters<typeof toHast>[0]) => {
  const safe = sanitize(toHast(tree), SCHEMA);
  addReadingHints(safe);
  return safe;
};
