import { describe, expect, it } from "vitest";
import type { ProviderName } from "@/contract/model";
import { callModel } from "./call-model";
import { knownModel } from "./known-model";
import { createModelRegistry } from "./model-registry";
import type { ProviderSettings } from "./provider-settings";

const nothing: ProviderSettings = { openai: {}, anthropic: {}, google: {}, openaiCompatible: {} };

const chatModel = (provider: ProviderName, settings = nothing) =>
  createModelRegistry(settings).toChatModel({
    provider,
    model: "some-model",
    contextLimit: 1_000,
    prices: null,
  });

const ask = (provider: ProviderName) =>
  callModel(
    chatModel(provider),
    { prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }], tools: [] },
    {
      sink: { start: () => undefined, append: () => undefined, end: () => undefined },
      signal: new AbortController().signal,
      now: () => new Date(),
    },
  );

describe("createModelRegistry", () => {
  it("joins the row with its client", () => {
    const model = chatModel("openai", { ...nothing, openai: { apiKey: "sk-test" } });
    expect(model).toMatchObject({
      label: "openai/some-model",
      contextLimit: 1_000,
      prices: null,
      providerOptions: { openai: { store: false } },
    });
    expect(model.client.modelId).toBe("some-model");
  });

  it("makes one client for each model", () => {
    const registry = createModelRegistry(nothing);
    const row = { provider: "demo" as const, model: "demo", contextLimit: null, prices: null };
    const { client } = registry.toChatModel(row);
    expect(registry.toChatModel({ ...row, contextLimit: 5 }).client).toBe(client);
    expect(registry.toChatModel({ ...row, model: "other" }).client).not.toBe(client);
  });

  it.each([
    ["openai", "OPENAI_API_KEY"],
    ["anthropic", "ANTHROPIC_API_KEY"],
    ["google", "GOOGLE_GENERATIVE_AI_API_KEY"],
  ] as const)("says which key %s needs", async (provider, variable) => {
    expect(await ask(provider)).toMatchObject({
      type: "failed",
      failure: {
        kind: "missing_key",
        retryable: false,
        provider,
        message: expect.stringContaining(`set ${variable} and restart`) as unknown,
      },
    });
  });

  it("says that a compatible server needs its address", async () => {
    expect(await ask("openai-compatible")).toMatchObject({
      failure: {
        kind: "config",
        message: expect.stringContaining("OPENAI_COMPATIBLE_BASE_URL") as unknown,
      },
    });
  });
});

describe("knownModel", () => {
  it("knows a model and its dated releases", () => {
    const known = knownModel("anthropic", "claude-sonnet-4-5");
    expect(known).toMatchObject({ contextLimit: 200_000, prices: { input: 3_000_000 } });
    expect(knownModel("anthropic", "claude-sonnet-4-5-20250929")).toEqual(known);
    expect(knownModel("openai", "gpt-5-2025-08-07")).toEqual(knownModel("openai", "gpt-5"));
  });

  it("does not guess", () => {
    const unknown = { name: "gpt-5-turbo", contextLimit: null, prices: null };
    expect(knownModel("openai", "gpt-5-turbo")).toEqual(unknown);
    expect(knownModel("openai-compatible", "gpt-5")).toMatchObject({ contextLimit: null });
  });
});
