import { expect, it } from "vitest";
import { MAX_TEXT_LENGTH } from "@/contract/limits";
import { messageProblem } from "./composer";

it.each<[what: string, text: string, problem: string | undefined]>([
  ["a text", "hello", undefined],
  ["a blank text, which is no problem to tell", " \n", undefined],
  ["the longest text", "x".repeat(MAX_TEXT_LENGTH), undefined],
  ["one character more", "x".repeat(MAX_TEXT_LENGTH + 1), "Too long by 1 character."],
  ["many more", "x".repeat(MAX_TEXT_LENGTH + 1_500), "Too long by 1,500 characters."],
  ["a NUL", "a\0b", "The text has a NUL character, which cannot be sent."],
  ["half an emoji", "\ud83d", "The text has half a character, which cannot be sent."],
])("%s", (_what, text, problem) => {
  expect(messageProblem(text)).toBe(problem);
});
