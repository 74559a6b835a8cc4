import { describe, expect, it } from "vitest";
import { nestedOptions } from "./nested-options";

describe("the options of a nested call", () => {
  it("chain it to nothing and keep nothing, on every call, and leave the original alone", () => {
    const original = {
      openai: { previousResponseId: "resp_1", store: true, reasoningEffort: "high" },
    };
    for (const call of [1, 2, 3]) {
      const nested = nestedOptions("openai", original);
      expect(nested, `call ${call}`).toEqual({ openai: { store: false, reasoningEffort: "high" } });
    }
    expect(original.openai).toEqual({
      previousResponseId: "resp_1",
      store: true,
      reasoningEffort: "high",
    });
  });

  it("say it to OpenAI also when the model has no options", () => {
    expect(nestedOptions("openai")).toEqual({ openai: { store: false } });
  });

  it("say nothing to providers that do not know the word", () => {
    expect(nestedOptions("anthropic", { anthropic: { includePings: true } })).toEqual({
      anthropic: { includePings: true },
    });
  });

  it("turn storing off wherever it was on", () => {
    expect(
      nestedOptions("openai-compatible", { compatible: { store: true, conversation: "conv_1" } }),
    ).toEqual({ compatible: { store: false } });
  });

  it("are a copy down to the last object", () => {
    const original = { openai: { text: { verbosity: "low" } } };
    const nested = nestedOptions("openai", original);
    original.openai.text.verbosity = "high";
    expect(nested).toMatchObject({ openai: { text: { verbosity: "low" } } });
  });
});
