import { expect, it } from "vitest";
import { toPlainText, toPrintable } from "@/components/tool-cards/printable-text";
import { stripTerminalCodes } from "./strip-terminal-codes";

const LENGTH = 256 * 1024;
/** Repetitions for which a search that begins at each of them takes minutes. */
const HOSTILE = [
  "\r",
  "a\r",
  "\r\n\r",
  "\u001b",
  "\u001b[",
  "\u001b]",
  "\u001b]a",
  "\u001b]8;;",
  "\u001b]\u009b",
  "\u001b\u001b]]",
  "\u001b\u001b]]a",
  "\u009b",
  "!",
  " ",
  ";",
  "1;",
  ";a",
  "#;",
  "?",
  "[",
  "\u001b(",
].flatMap((piece) =>
  ["", "\u001b[", "\u001b]", "\u001b]0;\u0007"].flatMap((before) =>
    ["", "x", "\n", "\u0007", "\u001b\\"].map((after) => ({ before, piece, after })),
  ),
);

it.each([
  ["stripTerminalCodes", stripTerminalCodes],
  ["toPrintable", toPrintable],
  ["toPlainText", toPlainText],
])("%s reads each repetition once", (_name, strip) => {
  for (const { before, piece, after } of HOSTILE) {
    const text = before + piece.repeat(LENGTH / piece.length) + after;
    expect(strip(text).length).toBeLessThanOrEqual(text.length);
  }
});

it("leaves out the codes of terminals, and of a command without an end its beginning", () => {
  const link = "\u001b]8;;https://a.b\u001b\\link\u001b]8;;\u0007";
  expect(stripTerminalCodes(`\u001b[1;31mred\u001b[0m ${link} \u001b[2K.`)).toBe("red link .");
  expect(stripTerminalCodes("a\u001b]0;title")).toBe("a0;title");
  expect(stripTerminalCodes("\u001b]0;one\u0007a\u001b]b")).toBe("ab");
  expect(stripTerminalCodes("\u001b[1mb\u001b[0m")).toBe("b");
});

it("keeps the last version of a line that is written again", () => {
  expect(toPrintable("10 %\r20 %\r30 %\ndone\r\n\r\r\nend\r")).toBe("30 %\ndone\n\nend");
  expect(toPrintable("\u001b[!pa\u001b[?25lb\u001b[31mc")).toBe("ab\u001b[31mc");
});
