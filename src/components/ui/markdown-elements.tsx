import { createElement, type CSSProperties, type ElementType, type ReactNode } from "react";
import { createTextSplitter, MAX_UNSPLIT_LENGTH } from "@/lib/split-text";
import { joinPieces } from "./breakable-text";
import { CodeBlock } from "./code-block";
import type { TreeNode } from "./markdown-hints";

export type ElementOptions = {
  /** What draws the elements of a name; those of other names are drawn as they are. */
  components: Readonly<Record<string, ElementType>>;
  /** Whether code at the end of the tree is still being written. */
  isIncomplete: boolean;
};

/** Converts the tree of a block to elements of the page. */
export const toElements = (tree: TreeNode, options: ElementOptions): ReactNode[] => {
  const openCode = options.isIncomplete ? findLastCode(tree) : undefined;
  // Elements do not end what is laid out at once.
  const split = toText(tree).length > MAX_UNSPLIT_LENGTH ? createTextSplitter() : undefined;
  const toElement = (node: TreeNode, key: string): ReactNode => {
    const { tagName = "" } = node;
    if (tagName === "pre") {
      return <CodeBlock key={key} {...readCode(node)} isIncomplete={node === openCode} />;
    }
    const type = options.components[tagName] ?? tagName;
    return createElement(type, { key, ...toProps(node) }, ...toChildren(listChildren(node)));
  };
  const toChildren = (nodes: readonly TreeNode[]): ReactNode[] => {
    const counts = new Map<string, number>();
    let breaks = 0;
    const breakText = (text: string): ReactNode => {
      const pieces = split?.(text) ?? [text];
      breaks += pieces.length - 1;
      return joinPieces(pieces, breaks - pieces.length + 1);
    };
    return nodes.flatMap((node): ReactNode => {
      const { type, tagName = "", value = "" } = node;
      if (type !== "element") return breakText(value);
      const count = counts.get(tagName) ?? 0;
      counts.set(tagName, count + 1);
      // By its key, an element stays what it is while others grow before it.
      return toElement(node, `${tagName}-${count}`);
    });
  };
  return toChildren(listChildren(tree));
};

/** @returns the code that the tree ends with. */
const findLastCode = (tree: TreeNode): TreeNode | undefined => {
  let last: TreeNode | undefined = tree;
  while (last && last.tagName !== "pre") {
    last = last.children?.findLast(({ type }) => type === "element");
  }
  return last;
};

const readCode = (pre: TreeNode) => {
  const classes = pre.children?.[0]?.properties?.className;
  const name = Array.isArray(classes) ? classes.map(String).find(isLanguage) : undefined;
  return { code: toText(pre).replace(/\n$/, ""), language: name?.slice(LANGUAGE.length) ?? "" };
};

const LANGUAGE = "language-";
const isLanguage = (name: string): boolean => name.startsWith(LANGUAGE);

const toText = ({ value = "", children = [] }: TreeNode): string =>
  value + children.map(toText).join("");

/** React refuses white space between the parts of a table. */
const TABLE_PARTS = new Set(["table", "thead", "tbody", "tr"]);

const listChildren = ({ tagName = "", children = [] }: TreeNode): TreeNode[] => {
  const shown = children.map(unwrapImage).filter((child) => !isHidden(child));
  const parts = shown.filter((child) => !isBlank(child));
  if (TABLE_PARTS.has(tagName)) return parts;
  const [only] = parts;
  return tagName === "li" && parts.length === 1 && only?.tagName === "p"
    ? (only.children ?? [])
    : shown;
};

const isBlank = ({ type, value = "" }: TreeNode): boolean => type === "text" && value.trim() === "";

/** Of the two forms of a formula, MathML needs no fonts and styles of its own. */
const isHidden = ({ properties }: TreeNode): boolean =>
  Array.isArray(properties?.className) && properties.className.includes("katex-html");

/** An image with its name is no part of a sentence. */
const unwrapImage = (node: TreeNode): TreeNode => {
  const [only, ...others] = node.tagName === "p" ? (node.children ?? []) : [];
  return only?.tagName === "img" && others.length === 0 ? only : node;
};

const toProps = ({ tagName = "", properties = {} }: TreeNode): Record<string, unknown> => {
  const { style, align, ...others } = properties;
  const isCell = tagName === "td" || tagName === "th";
  return {
    ...Object.fromEntries(Object.entries(others).map(toProp)),
    ...(isCell && align !== undefined && { style: { textAlign: align } }),
    ...(typeof style === "string" && { style: parseStyle(style) }),
  };
};

const toProp = ([name, value]: [string, unknown]): [string, unknown] => [
  toAttribute(name),
  Array.isArray(value) ? value.join(" ") : value,
];

/** React has its own names for attributes, as the tree has, but not for these. */
const toAttribute = (name: string): string =>
  /^(?:aria|data)[A-Z]/.test(name)
    ? `${name.slice(0, 4)}-${toDashes(name.slice(4), name.startsWith("aria") ? "" : "-")}`
    : name;

const toDashes = (name: string, dash: string): string =>
  name.replace(/(?<!^)(?=[A-Z])/g, dash).toLowerCase();

const parseStyle = (style: string): CSSProperties =>
  Object.fromEntries(
    style.split(";").flatMap((declaration) => {
      const [name = "", value] = declaration.split(":");
      if (value === undefined) return [];
      const key = name.trim().replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [[key, value.trim()]];
    }),
  );
