import { describe, expect, it } from "vitest";
import { isolateOptions } from "./isolate-options";

describe("isolateOptions", () => {
  it("removes chaining and storage on every call without mutating the original", () => {
    const original = {
      openai: { previousResponseId: "resp_1", store: true, reasoningEffort: "high" },
    };
    for (const call of [1, 2, 3]) {
      const isolated = isolateOptions("openai", original);
      expect(isolated, `call ${call}`).toEqual({
        openai: { store: false, reasoningEffort: "high" },
      });
    }
    expect(original.openai).toEqual({
      previousResponseId: "resp_1",
      store: true,
      reasoningEffort: "high",
    });
  });

  it("disables storage at OpenAI when the model has no options", () => {
    expect(isolateOptions("openai")).toEqual({ openai: { store: false } });
  });

  it("does not add `store` for other providers", () => {
    expect(isolateOptions("anthropic", { anthropic: { includePings: true } })).toEqual({
      anthropic: { includePings: true },
    });
  });

  it("disables storage wherever it was enabled", () => {
    expect(
      isolateOptions("openai-compatible", { compatible: { store: true, conversation: "conv_1" } }),
    ).toEqual({ compatible: { store: false } });
  });

  it("returns a deep copy", () => {
    const original = { openai: { text: { verbosity: "low" } } };
    const isolated = isolateOptions("openai", original);
    original.openai.text.verbosity = "high";
    expect(isolated).toMatchObject({ openai: { text: { verbosity: "low" } } });
  });
});
