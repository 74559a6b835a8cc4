import { isValidElement, type ReactNode } from "react";
import { expect, it } from "vitest";
import { toElements } from "./markdown-elements";

it("gives each place for a line break a key of its own, also in several texts of a paragraph", () => {
  const text = { type: "text", value: "(a)b".repeat(500) };
  const strong = { type: "element", tagName: "strong", children: [text] };
  const paragraph = { type: "element", tagName: "p", children: [text, strong, text] };
  const tree = { type: "root", children: [paragraph] };
  const [element] = toElements(tree, { components: {}, isIncomplete: false });
  const { children } = (element as { props: { children: ReactNode[] } }).props;
  const keys = children.flatMap((child) => (isValidElement(child) ? [child.key] : []));
  expect(keys.length).toBeGreaterThan(10);
  expect(new Set(keys).size).toBe(keys.length);
});
