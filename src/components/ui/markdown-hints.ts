/** A node of the tree of elements that a block of Markdown becomes. */
export type TreeNode = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: TreeNode[];
};

/**
 * Adds what markdown does not say: the direction of each block, by its first letter, and the labels of the
 * checkboxes of task lists.
 */
export const addReadingHints = (tree: TreeNode): void => {
  for (const block of tree.children ?? []) {
    if (block.type === "element" && block.tagName !== "pre") setProperty(block, "dir", "auto");
  }
  labelTasks(tree);
};

const labelTasks = (node: TreeNode): void => {
  if (node.tagName === "li") {
    const box = findCheckbox(node);
    if (box) setProperty(box, "ariaLabel", toText(node).trim() || "Task");
  }
  node.children?.forEach(labelTasks);
};

/** The box is the first child of its item, or of the item's first paragraph. */
const findCheckbox = ({ children = [] }: TreeNode): TreeNode | undefined => {
  const first = children.find(({ type }) => type === "element");
  if (first?.tagName === "p") return findCheckbox(first);
  return first?.tagName === "input" ? first : undefined;
};

/** The text of an item without the lists in it. */
const toText = ({ type, tagName, value = "", children = [] }: TreeNode): string => {
  if (type === "text") return value;
  return tagName === "ul" || tagName === "ol" ? "" : children.map(toText).join("");
};

const setProperty = (node: TreeNode, name: string, value: string): void => {
  node.properties = { ...node.properties, [name]: value };
};
