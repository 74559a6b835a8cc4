import { describe, expect, it } from "vitest";
import {
  AdvisorConfig,
  AdvisorInput,
  AdvisorResult,
  DEFAULT_ADVISOR_CONFIG,
  MAX_ADVISOR_OUTPUT_TOKENS,
  MAX_ADVISOR_USES,
  MAX_QUESTION_POINTS,
} from "./advisor";

describe("the question", () => {
  it("is trimmed", () => {
    expect(AdvisorInput.parse({ question: "  What next?\n" })).toEqual({ question: "What next?" });
  });

  it.each([
    ["have the maximum number of letters", "x".repeat(MAX_QUESTION_POINTS)],
    ["have the maximum number of emoji, each counted once", "🤔".repeat(MAX_QUESTION_POINTS)],
    ["have surrounding whitespace, which is not counted", ` ${"x".repeat(MAX_QUESTION_POINTS)} `],
  ])("may %s", (_case, question) => {
    expect(AdvisorInput.safeParse({ question }).success).toBe(true);
  });

  it.each([
    ["empty", { question: "" }],
    ["blank", { question: " \n\t " }],
    ["one letter above the maximum", { question: "x".repeat(MAX_QUESTION_POINTS + 1) }],
    ["one emoji above the maximum", { question: "🤔".repeat(MAX_QUESTION_POINTS + 1) }],
    ["a number", { question: 7 }],
    ["null", { question: null }],
    ["a list", { question: ["What next?"] }],
    ["missing", {}],
    ["a string instead of an object", "What next?"],
    ["an array of arguments", ["What next?"]],
  ])("may not be %s", (_case, args) => {
    expect(AdvisorInput.safeParse(args).success).toBe(false);
  });
});

describe("the result", () => {
  it.each<AdvisorResult>([
    { type: "advice", advice: "Wait.", advisor_model: "demo/demo", remaining_uses: 0 },
    { type: "advice", advice: "Wait.", advisor_model: "demo/demo", remaining_uses: null },
    { type: "limit_reached", remaining_uses: 0 },
    { type: "error", error: "It failed.", remaining_uses: 2 },
  ])("may be of type $type", (result) => {
    expect(AdvisorResult.parse(result)).toEqual(result);
  });

  it.each([
    ["of an unknown type", { type: "hint", advice: "Wait.", remaining_uses: 1 }],
    ["without a type", { advice: "Wait.", remaining_uses: 1 }],
    ["without remaining_uses", { type: "limit_reached" }],
    ["with negative remaining_uses", { type: "limit_reached", remaining_uses: -1 }],
    ["that is only text", "Wait."],
  ])("is rejected when it is one %s", (_case, result) => {
    expect(AdvisorResult.safeParse(result).success).toBe(false);
  });
});

describe("the settings", () => {
  const change = (changes: object) =>
    AdvisorConfig.safeParse({ ...DEFAULT_ADVISOR_CONFIG, ...changes }).success;

  it.each([
    [{ max_uses_per_run: 0 }],
    [{ max_uses_per_run: -1 }],
    [{ max_uses_per_run: MAX_ADVISOR_USES }],
    [{ max_output_tokens: 0 }],
    [{ max_output_tokens: MAX_ADVISOR_OUTPUT_TOKENS }],
    [{ model_id: "0199a0a0-0000-7000-8000-000000000000" }],
  ])("may be %j", (changes) => expect(change(changes)).toBe(true));

  it.each([
    [{ max_uses_per_run: MAX_ADVISOR_USES + 1 }],
    [{ max_uses_per_run: 1.5 }],
    [{ max_uses_per_run: "3" }],
    [{ max_output_tokens: -1 }],
    [{ max_output_tokens: MAX_ADVISOR_OUTPUT_TOKENS + 1 }],
    [{ max_output_tokens: 1e300 }],
    [{ max_output_tokens: null }],
    [{ model_id: "gpt-5" }],
    [{ model_id: undefined }],
    [{ enabled: "yes" }],
    [{ model: null }],
  ])("may not be %j", (changes) => expect(change(changes)).toBe(false));
});
