import { expect, it } from "vitest";
import { addLineBreaks } from "./line-breaks";

const breakText = (value: string) => {
  const tree = { type: "paragraph", children: [{ type: "text", value }] };
  addLineBreaks()(tree);
  return tree.children;
};

it("makes a break of each line end, without the white space around it", () => {
  expect(breakText(" one  \n\t two\n\nthree ")).toEqual([
    { type: "text", value: " one" },
    { type: "break" },
    { type: "text", value: "two" },
    { type: "break" },
    { type: "break" },
    { type: "text", value: "three " },
  ]);
});

it("reads many spaces in time that grows with their number", () => {
  expect(breakText(`a${" ".repeat(1_000_000)}b\nc`)).toHaveLength(3);
});
