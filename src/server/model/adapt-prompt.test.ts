import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { findPromptProblems } from "@/test/prompt-problems";
import { ensureUserFirst } from "./adapt-prompt";

const system: LanguageModelV4Message = { role: "system", content: "Be brief." };
const user: LanguageModelV4Message = { role: "user", content: [{ type: "text", text: "hi" }] };
const answer: LanguageModelV4Message = {
  role: "assistant",
  content: [{ type: "text", text: "hello" }],
};

it("returns a prompt that begins with a user message unchanged", () => {
  for (const prompt of [[], [system], [system, user, answer, user]]) {
    expect(ensureUserFirst(prompt)).toBe(prompt);
  }
});

it("inserts a user message before a leading assistant message", () => {
  const prompt = [system, answer, user];
  const result = ensureUserFirst(prompt);
  expect(findPromptProblems(result)).toEqual([]);
  expect(result.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(prompt).toEqual([system, answer, user]);
});
