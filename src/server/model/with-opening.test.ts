import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { promptProblems } from "@/test/prompt-problems";
import { withOpening } from "./with-opening";

const system: LanguageModelV4Message = { role: "system", content: "Be brief." };
const user: LanguageModelV4Message = { role: "user", content: [{ type: "text", text: "hi" }] };
const answer: LanguageModelV4Message = {
  role: "assistant",
  content: [{ type: "text", text: "hello" }],
};

it("a prompt that begins with the user stays as it is", () => {
  for (const prompt of [[], [system], [system, user, answer, user]]) {
    expect(withOpening(prompt)).toBe(prompt);
  }
});

it("a prompt that begins with an answer gets words before it", () => {
  const prompt = [system, answer, user];
  const opened = withOpening(prompt);
  expect(promptProblems(opened)).toEqual([]);
  expect(opened.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(prompt).toEqual([system, answer, user]);
});
