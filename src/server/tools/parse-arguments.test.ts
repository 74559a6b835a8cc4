import { expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { parseArguments } from "./parse-arguments";

const tooDeep = "[".repeat(200) + "]".repeat(200);

it.each<[what: string, input: string, args: JsonValue]>([
  ["an object", '{"a":1}', { a: 1 }],
  ["nothing", "", {}],
  ["blanks", " \n", {}],
  ["null", "null", null],
  ["cut JSON", '{"a":', '{"a":'],
  ["a lone surrogate in JSON", '{"a":"\\ud800"}', '{"a":"\\ud800"}'],
  ["a lone surrogate as such", "\ud800", "\ufffd"],
  ["what is nested too deeply", tooDeep, tooDeep],
])("parseArguments reads %s", (_what, input, args) => {
  expect(parseArguments(input)).toEqual(args);
});
