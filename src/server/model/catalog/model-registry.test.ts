import { describe, expect, it, onTestFinished } from "vitest";
import type { ProviderName } from "@/contract/model";
import { callModel } from "@/server/model/call-model";
import type { ChatModel } from "@/server/model/model-step";
import { startStubServer } from "@/test/stub-server";
import { lookUpModel } from "./model-catalog";
import { createModelRegistry } from "./model-registry";
import type { ProviderSettings } from "./provider-access";

const chatModel = (provider: ProviderName, settings: ProviderSettings = {}) =>
  createModelRegistry(settings).toChatModel({
    provider,
    model: "some-model",
    contextLimit: 1_000,
    prices: null,
  });

const callProvider = (provider: ProviderName) => call(chatModel(provider));

const TEXT = { type: "text", text: "Hi" } as const;
const IMAGE = {
  type: "file",
  mediaType: "image/png",
  data: { type: "data", data: new Uint8Array([1]) },
} as const;

const call = (model: ChatModel, content: typeof TEXT | typeof IMAGE = TEXT) =>
  callModel(
    model,
    { prompt: [{ role: "user", content: [content] }], tools: [] },
    {
      sink: { start: () => undefined, append: () => undefined, end: () => undefined },
      signal: new AbortController().signal,
      now: () => new Date(),
    },
  );

describe("createModelRegistry", () => {
  it("joins a row with its client", () => {
    const model = chatModel("openai", { openai: { apiKey: "sk-test" } });
    expect(model).toMatchObject({
      label: "openai/some-model",
      contextLimit: 1_000,
      prices: null,
      providerOptions: { openai: { store: false } },
    });
    expect(model.client.modelId).toBe("some-model");
  });

  it.each([
    [undefined, 300_000],
    [null, 300_000],
    [20, 1_200_000],
  ])("waits for the first part of an answer: %s minutes are %d ms", (waitMinutes, ms) => {
    const row = { provider: "demo" as const, model: "demo", contextLimit: null, prices: null };
    const model = createModelRegistry({}).toChatModel({
      ...row,
      ...(waitMinutes !== undefined && { waitMinutes }),
    });
    expect(model.firstPartMs).toBe(ms);
  });

  it("creates one client per model", () => {
    const registry = createModelRegistry({});
    const row = { provider: "demo" as const, model: "demo", contextLimit: null, prices: null };
    const { client } = registry.toChatModel(row);
    expect(registry.toChatModel({ ...row, contextLimit: 5 }).client).toBe(client);
    expect(registry.toChatModel({ ...row, model: "other" }).client).not.toBe(client);
    const xml = registry.toChatModel({ ...row, toolProtocol: "xml" }).client;
    expect(xml).not.toBe(client);
    expect(registry.toChatModel({ ...row, toolProtocol: "xml" }).client).toBe(xml);
  });

  it("leaves what a server refuses out of the abilities, until other ones are set", async () => {
    const server = await startStubServer((response) => {
      response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: "local is not a multimodal model" } }));
    });
    onTestFinished(server.close);
    const access = { apiKey: "test-key-of-mine", baseUrl: `${server.url}/v1` };
    const registry = createModelRegistry({ "openai-compatible": access });
    const row = {
      provider: "openai-compatible" as const,
      model: "local",
      contextLimit: null,
      prices: null,
    };
    expect(registry.listAbilities(row)).toBeUndefined();
    await call(registry.toChatModel(row), IMAGE);
    expect(server.requests).toHaveLength(2);
    expect(registry.listAbilities(row)).toEqual(["tools"]);
    const set = { ...row, reads: "images" as const };
    expect(registry.listAbilities(set)).toEqual(["tools", "images"]);
    await call(registry.toChatModel(set), IMAGE);
    expect(server.requests).toHaveLength(4);
    expect(registry.listAbilities(set)).toEqual(["tools"]);
  });

  it.each([
    ["openai", "OPENAI_API_KEY"],
    ["anthropic", "ANTHROPIC_API_KEY"],
    ["google", "GOOGLE_GENERATIVE_AI_API_KEY"],
  ] as const)("names the missing key of %s", async (provider, variable) => {
    expect(await callProvider(provider)).toMatchObject({
      type: "failed",
      failure: {
        kind: "missing_key",
        retryable: false,
        provider,
        message: expect.stringContaining(`set ${variable} and restart`) as unknown,
      },
    });
  });

  it("names the missing base URL of a compatible server", async () => {
    expect(await callProvider("openai-compatible")).toMatchObject({
      failure: {
        kind: "config",
        message: expect.stringContaining("OPENAI_COMPATIBLE_BASE_URL") as unknown,
      },
    });
  });
});

const UNKNOWN = { contextLimit: null, prices: null, toolProtocol: "native" };

describe("lookUpModel", () => {
  it("finds a model and its dated releases", () => {
    const entry = lookUpModel("anthropic", "claude-sonnet-4-5");
    expect(entry).toMatchObject({ contextLimit: 200_000, prices: { input: 3_000_000 } });
    expect(lookUpModel("anthropic", "claude-sonnet-4-5-20250929")).toEqual(entry);
    expect(lookUpModel("openai", "gpt-5-2025-08-07")).toEqual(lookUpModel("openai", "gpt-5"));
  });

  it.each(["__proto__", "constructor"])("finds no entry for %s", (id) => {
    expect(lookUpModel("openai", id)).toEqual({ ...UNKNOWN, name: id });
  });

  it("returns no prices for an unknown model", () => {
    expect(lookUpModel("openai", "gpt-5-turbo")).toEqual({ ...UNKNOWN, name: "gpt-5-turbo" });
    expect(lookUpModel("openai-compatible", "gpt-5")).toMatchObject({ contextLimit: null });
  });
});
