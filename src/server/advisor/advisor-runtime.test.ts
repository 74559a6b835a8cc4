import { describe, expect, it, vi } from "vitest";
import { DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import type { ChatModel } from "@/server/model/model-step";
import { scriptedModel } from "@/test/scripted-model";
import { type AdvisorParts, DEFAULT_OUTPUT_TOKENS, openAdvisor } from "./advisor-runtime";

const model = (label: string): ChatModel => ({
  provider: "demo",
  model: label,
  label,
  contextLimit: null,
  prices: null,
  client: scriptedModel([]),
});
const CHAT = model("demo/chat");
const OTHER = model("demo/other");
const OTHER_ID = "0199a0a0-0000-7000-8000-000000000000";

const open = async (
  config: Partial<typeof DEFAULT_ADVISOR_CONFIG> = {},
  changes: Partial<AdvisorParts> = {},
) => {
  const warn = vi.fn();
  const advisor = await openAdvisor({
    isRoot: true,
    config: { ...DEFAULT_ADVISOR_CONFIG, enabled: true, ...config },
    chatModel: () => Promise.resolve(CHAT),
    overrideModel: () => Promise.resolve(OTHER),
    log: { warn },
    ...changes,
  });
  return { advisor, warnings: warn.mock.calls.length };
};

describe("a chat has an advisor", () => {
  it("when it is on, with the chat's own model", async () => {
    const { advisor, warnings } = await open();
    expect(advisor).toMatchObject({ model: CHAT, maxUses: 3 });
    expect(warnings).toBe(0);
  });

  it("without a limit when the number of uses is 0", async () => {
    expect((await open({ max_uses_per_run: 0 })).advisor).toMatchObject({ maxUses: null });
  });

  it("with the default cap when the number of tokens is 0, else with that number", async () => {
    const byDefault = await open({ max_output_tokens: 0 });
    expect(byDefault.advisor).toMatchObject({ maxOutputTokens: DEFAULT_OUTPUT_TOKENS });
    expect(DEFAULT_OUTPUT_TOKENS).toBe(16_384);
    const set = await open({ max_output_tokens: 77 });
    expect(set.advisor).toMatchObject({ maxOutputTokens: 77 });
  });

  it("with the model of the settings, and the options that it has", async () => {
    const options = { openai: { reasoningEffort: "high" } };
    const { advisor } = await open(
      { model_id: OTHER_ID },
      { overrideModel: () => Promise.resolve({ ...OTHER, providerOptions: options }) },
    );
    expect(advisor?.model).toMatchObject({ label: "demo/other", providerOptions: options });
  });
});

describe("a chat has none", () => {
  it("when it is off", async () => {
    expect(await open({ enabled: false })).toEqual({ advisor: undefined, warnings: 0 });
  });

  it("when it is a child chat, whose model is not even looked up", async () => {
    const chatModel = vi.fn();
    const { advisor } = await open({}, { isRoot: false, chatModel });
    expect(advisor).toBeUndefined();
    expect(chatModel).not.toHaveBeenCalled();
  });

  it("when the number of uses is negative, with a warning", async () => {
    expect(await open({ max_uses_per_run: -1 })).toEqual({ advisor: undefined, warnings: 1 });
  });

  it("when its own model cannot be resolved either, with a warning", async () => {
    const failure = { kind: "config" as const, message: "none", retryable: false };
    const none = await open({}, { chatModel: () => Promise.resolve({ failure }) });
    expect(none).toEqual({ advisor: undefined, warnings: 1 });
    const broken = await open({}, { chatModel: () => Promise.reject(new Error("gone")) });
    expect(broken).toEqual({ advisor: undefined, warnings: 1 });
  });
});

describe("the chat's model stands in, with a warning, for one of the settings that", () => {
  it.each<[string, AdvisorParts["overrideModel"]]>([
    ["is not usable", () => Promise.resolve({ problem: "it is disabled" })],
    ["cannot be looked up", () => Promise.reject(new Error("gone"))],
  ])("%s", async (_case, overrideModel) => {
    const { advisor, warnings } = await open({ model_id: OTHER_ID }, { overrideModel });
    expect(advisor).toMatchObject({ model: CHAT });
    expect(warnings).toBe(1);
  });
});
