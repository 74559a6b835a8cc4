import { describe, expect, it } from "vitest";
import {
  COMMAND_TEXT,
  COMMANDS_TEXT,
  DOLLARS_TEXT,
  objectText,
  type TextFormat,
  valuesText,
} from "./text-formats";

const HEADERS = valuesText({ separator: ": ", error: "One header per line." });
const VALUES = valuesText({ separator: "=", isQuoted: true, error: "One value per line." });

describe("a value that is entered as text is the same after it is formatted and parsed", () => {
  it.each<[string, TextFormat, Parameters<TextFormat["format"]>[0], string]>([
    ["commands", COMMANDS_TEXT, [["printf", "%s\n", "a b"], ["ls"]], "printf \"%s\\n\" 'a b'\nls"],
    ["a command", COMMAND_TEXT, ["npx", "-y", "server"], "npx -y server"],
    ["an object", objectText("An object."), { a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
    ["dollars", DOLLARS_TEXT, 1_250_000, "1.25"],
    [
      "headers",
      HEADERS,
      { "X-Team": "docs: all", "If-Match": '"x"' },
      'X-Team: docs: all\nIf-Match: "x"',
    ],
    ["values", VALUES, { unit: "metric", at: 'a="b"\nc' }, 'unit="metric"\nat="a=\\"b\\"\\nc"'],
  ])("%s", (_name, { format, parse }, value, text) => {
    expect(format(value)).toBe(text);
    expect(parse(text)).toEqual({ value });
  });
});

it.each<[string, TextFormat, string, string]>([
  ["a quote without an end", COMMANDS_TEXT, "ls\ncat 'x", "Line 2 has a quote without an end."],
  ["no command", COMMANDS_TEXT, " \n", "Enter at least one command."],
  ["two commands", COMMAND_TEXT, "ls\nls", "Enter one command."],
  ["an unfinished command", COMMAND_TEXT, "'x", "The command has a quote without an end."],
  ["a list", objectText("An object."), "[]", "An object."],
  ["no JSON", objectText("An object."), "{", "An object."],
  ["too small an amount", DOLLARS_TEXT, "0.0000001", "Enter dollars, such as 1.25."],
  ["a line without a separator", HEADERS, "X-Team: docs\nmore", "One header per line."],
  ["a line without a name", HEADERS, ": docs", "One header per line."],
  ["an unfinished text", VALUES, 'unit="metric', "One value per line."],
])("%s is refused in words", (_name, { parse }, text, error) => {
  expect(parse(text)).toEqual({ error });
});

it("plain texts of values need no quotes, and no text is no value", () => {
  expect(VALUES.parse(" unit = metric system \n\n")).toEqual({ value: { unit: "metric system" } });
  expect(VALUES.parse("\n")).toEqual({ value: undefined });
  expect(DOLLARS_TEXT.parse(" ")).toEqual({ value: undefined });
});
