import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { addCacheBreakpoints } from "./add-cache-breakpoints";

const system = (content: string) => ({ role: "system" as const, content });
const user = (text: string) => ({
  role: "user" as const,
  content: [{ type: "text" as const, text }],
});
const assistant = (text: string) => ({
  role: "assistant" as const,
  content: [{ type: "text" as const, text }],
  providerOptions: { anthropic: { existing: true }, other: { x: 1 } },
});

const marks = (prompt: LanguageModelV4Prompt): number[] =>
  addCacheBreakpoints(prompt).flatMap((message, index) =>
    message.providerOptions?.anthropic?.cacheControl ? [index] : [],
  );

describe("addCacheBreakpoints", () => {
  it("marks the last leading system message and the last two messages", () => {
    const prompt = [system("a"), system("b"), user("1"), assistant("2"), user("3")];
    expect(marks(prompt)).toEqual([1, 3, 4]);
  });

  it.each([
    ["nothing", [], []],
    ["only system messages", [system("a"), system("b")], [0, 1]],
    ["no system message", [user("1")], [0]],
    ["a system message in between", [user("1"), system("a"), user("2"), user("3")], [2, 3]],
  ] as [string, LanguageModelV4Prompt, number[]][])("handles %s", (...[, prompt, expected]) => {
    expect(marks(prompt)).toEqual(expected);
  });

  it("preserves other options and does not mutate the prompt", () => {
    const prompt = [user("1"), assistant("2")];
    const before = structuredClone(prompt);
    expect(addCacheBreakpoints(prompt)[1]?.providerOptions).toEqual({
      anthropic: { existing: true, cacheControl: { type: "ephemeral" } },
      other: { x: 1 },
    });
    expect(prompt).toEqual(before);
  });
});
