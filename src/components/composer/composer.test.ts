import { expect, it } from "vitest";
import { MAX_TEXT_LENGTH } from "@/contract/limits";
import { validateMessage } from "./composer";

it.each<[what: string, text: string, problem: string | undefined]>([
  ["accepts a text", "hello", undefined],
  ["reports nothing for a blank text", " \n", undefined],
  ["accepts the longest text", "x".repeat(MAX_TEXT_LENGTH), undefined],
  ["rejects one character more", "x".repeat(MAX_TEXT_LENGTH + 1), "Too long by 1 character."],
  [
    "rejects many characters more",
    "x".repeat(MAX_TEXT_LENGTH + 1_500),
    "Too long by 1,500 characters.",
  ],
  ["rejects a NUL character", "a\0b", "The text has a NUL character, which cannot be sent."],
  ["rejects a lone surrogate", "\ud83d", "Remove the incomplete character, such as half an emoji."],
])("%s", (_what, text, problem) => {
  expect(validateMessage(text)).toBe(problem);
});
