/** A node of the tree that the markdown renderer parses a block into. */
type Node = { type: string; value?: string; children?: Node[] };

/**
 * Shows single line ends, and `<br>` of HTML, as line ends, and all other HTML as text. Models and people write
 * addresses, verses and cells of tables with it, and rarely break a paragraph only for its source.
 */
export const addLineBreaks = () => breakLines;

const breakLines = (node: Node): void => {
  if (!node.children) return;
  node.children = node.children.flatMap(toLines);
  node.children.forEach(breakLines);
};

const toLines = (node: Node): Node[] => {
  const { type, value = "" } = node;
  if (type === "html") return [BREAK_TAG.test(value) ? { type: "break" } : { type: "text", value }];
  if (type !== "text" || !value.includes("\n")) return [node];
  return value.split("\n").flatMap((line, index, lines) => {
    // Not by an expression, which would read many spaces once for each of them.
    const start = index === 0 ? line : line.trimStart();
    const text = index === lines.length - 1 ? start : start.trimEnd();
    return [
      ...(index === 0 ? [] : [{ type: "break" }]),
      ...(text === "" ? [] : [{ type: "text", value: text }]),
    ];
  });
};

const BREAK_TAG = /^<br\s*\/?>$/i;
