import { defaultSchema, sanitize } from "hast-util-sanitize";
import { toHast } from "mdast-util-to-hast";
import { addReadingHints, type TreeNode } from "./markdown-hints";
import { toSafeUrl } from "./safe-url";

/** The ids of footnotes have a prefix already. */
const SCHEMA = { ...defaultSchema, clobberPrefix: "" };

/** Converts parsed Markdown to a tree of elements that can do nothing but show text, links and images. */
export const toSafeTree = (tree: Parameters<typeof toHast>[0]) => {
  const safe = sanitize(toHast(tree), SCHEMA);
  replaceLinkedImages(safe, false);
  addReadingHints(safe);
  return safe;
};

/** An image is a link, and one in another is its text: a person who clicks it must not get elsewhere than the other says. */
const replaceLinkedImages = (node: TreeNode, isLinked: boolean): void => {
  if (!node.children) return;
  node.children = node.children.map((child): TreeNode => {
    const { tagName, properties = {} } = child;
    if (tagName === "img" && isLinked) return toAlternative(properties.alt);
    const href = tagName === "a" ? properties.href : undefined;
    replaceLinkedImages(
      child,
      isLinked || (typeof href === "string" && toSafeUrl(href) !== undefined),
    );
    return child;
  });
};

const toAlternative = (alt: unknown): TreeNode => ({
  type: "text",
  value: typeof alt === "string" && alt !== "" ? alt : "Image",
});
