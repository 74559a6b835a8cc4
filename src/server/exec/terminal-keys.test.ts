import { expect, it } from "vitest";
import { encodeKeys } from "./terminal-keys";

const normal = { applicationCursorKeys: false };
const E = "\u001b";

it.each([
  ["enter", "\r"],
  ["ctrl-c", "\u0003"],
  ["Ctrl-C", "\u0003"],
  ["ctrl-[", E],
  ["ctrl-space", "\0"],
  ["alt-x", `${E}x`],
  ["alt-enter", `${E}\r`],
  ["alt-X", `${E}X`],
  ["f5", `${E}[15~`],
  ["up", `${E}[A`],
  ["up up enter", `${E}[A${E}[A\r`],
  ["up, down, enter", `${E}[A${E}[B\r`],
  ["hello", "hello"],
  ["echo hi enter", "echo hi\r"],
  ["escape :wq enter", `${E}:wq\r`],
  ["cd home<enter>", "cd home\r"],
  ["a <b> c", "a <b> c"],
  ["ctrl-", "ctrl-"],
  ["ctrl-1", "ctrl-1"],
  [["echo the end", "enter"], "echo the end\r"],
  [["ctrl-a", " ", "d"], "\u0001 d"],
])("encodes %j", (keys, encoded) => {
  expect(encodeKeys(keys, normal)).toBe(encoded);
});

it("follows the cursor mode of the program", () => {
  const keys = ["up", "home", "pageup", "ctrl-c"];
  expect(encodeKeys(keys, normal)).toBe(`${E}[A${E}[H${E}[5~\u0003`);
  expect(encodeKeys(keys, { applicationCursorKeys: true })).toBe(`${E}OA${E}OH${E}[5~\u0003`);
});

it.each([[""], [[]], [[""]]])("refuses %j", (keys) => {
  expect(() => encodeKeys(keys, normal)).toThrow("needs keys");
});
