import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCommandLines, parseCommandLines } from "./command-lines";

describe("command lines", () => {
  it.each([
    ["words", "echo a  b", [["echo", "a", "b"]]],
    ["quotes", `sh -c 'echo "$HOME"' "a\\nb"`, [["sh", "-c", 'echo "$HOME"', "a\nb"]]],
    ["quotes in a word", "a'b c'd", [["ab cd"]]],
    ["an empty word", "echo ''", [["echo", ""]]],
    ["several lines", "true\n\n false \n", [["true"], ["false"]]],
    ["nothing", " \n", []],
  ])("have %s", (_what, text, commands) => {
    expect(parseCommandLines(text)).toEqual(commands);
  });

  it.each([
    ["a quote without an end", "true\necho 'a", 2],
    ["an escape that is none", 'echo "\\q"', 1],
  ])("are refused with %s", (_what, text, line) => {
    expect(parseCommandLines(text)).toMatchObject({ line });
  });

  it("are parsed as they were formatted", () => {
    const commands = fc.array(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }));
    fc.assert(
      fc.property(commands, (list) => {
        expect(parseCommandLines(formatCommandLines(list))).toEqual(list);
      }),
    );
  });
});
