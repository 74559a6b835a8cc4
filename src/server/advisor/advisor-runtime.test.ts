import { describe, expect, it, vi } from "vitest";
import { DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import type { ChatModel } from "@/server/model/model-step";
import { createScriptedModel } from "@/test/scripted-model";
import {
  type AdvisorRuntimeDeps,
  DEFAULT_OUTPUT_TOKENS,
  createAdvisorRuntime,
} from "./advisor-runtime";

const model = (label: string): ChatModel => ({
  provider: "demo",
  model: label,
  label,
  contextLimit: null,
  prices: null,
  client: createScriptedModel([]),
});
const CHAT = model("demo/chat");
const OTHER = model("demo/other");
const OTHER_ID = "0199a0a0-0000-7000-8000-000000000000";

const createRuntime = async (
  config: Partial<typeof DEFAULT_ADVISOR_CONFIG> = {},
  changes: Partial<AdvisorRuntimeDeps> = {},
) => {
  const warn = vi.fn();
  const advisor = await createAdvisorRuntime({
    config: { ...DEFAULT_ADVISOR_CONFIG, enabled: true, ...config },
    resolveChatModel: () => Promise.resolve(CHAT),
    resolveOverride: () => Promise.resolve(OTHER),
    log: { warn },
    ...changes,
  });
  return { advisor, warnings: warn.mock.calls.length };
};

describe("createAdvisorRuntime", () => {
  it("uses the chat's own model by default", async () => {
    const { advisor, warnings } = await createRuntime();
    expect(advisor).toMatchObject({ model: CHAT, maxUses: 3 });
    expect(warnings).toBe(0);
  });

  it("sets no limit for 0 uses", async () => {
    expect((await createRuntime({ max_uses_per_run: 0 })).advisor).toMatchObject({ maxUses: null });
  });

  it("uses the default output limit for 0 tokens, else the configured one", async () => {
    const defaultLimit = await createRuntime({ max_output_tokens: 0 });
    expect(defaultLimit.advisor).toMatchObject({ maxOutputTokens: DEFAULT_OUTPUT_TOKENS });
    expect(DEFAULT_OUTPUT_TOKENS).toBe(16_384);
    const configured = await createRuntime({ max_output_tokens: 77 });
    expect(configured.advisor).toMatchObject({ maxOutputTokens: 77 });
  });

  it("uses the configured model with its options", async () => {
    const options = { openai: { reasoningEffort: "high" } };
    const { advisor } = await createRuntime(
      { model_id: OTHER_ID },
      { resolveOverride: () => Promise.resolve({ ...OTHER, providerOptions: options }) },
    );
    expect(advisor?.model).toMatchObject({ label: "demo/other", providerOptions: options });
  });
});

describe("createAdvisorRuntime: no advisor", () => {
  it("returns undefined with a warning for a negative number of uses", async () => {
    expect(await createRuntime({ max_uses_per_run: -1 })).toEqual({
      advisor: undefined,
      warnings: 1,
    });
  });

  it("returns undefined with a warning when no model can be resolved", async () => {
    const failure = { kind: "config" as const, message: "none", retryable: false };
    const unresolved = await createRuntime(
      {},
      { resolveChatModel: () => Promise.resolve({ failure }) },
    );
    expect(unresolved).toEqual({ advisor: undefined, warnings: 1 });
    const rejected = await createRuntime(
      {},
      { resolveChatModel: () => Promise.reject(new Error("gone")) },
    );
    expect(rejected).toEqual({ advisor: undefined, warnings: 1 });
  });
});

describe("createAdvisorRuntime: falls back to the chat's model with a warning when the configured one", () => {
  it.each<[string, AdvisorRuntimeDeps["resolveOverride"]]>([
    ["is not usable", () => Promise.resolve({ problem: "it is disabled" })],
    ["cannot be looked up", () => Promise.reject(new Error("gone"))],
  ])("%s", async (_case, resolveOverride) => {
    const { advisor, warnings } = await createRuntime({ model_id: OTHER_ID }, { resolveOverride });
    expect(advisor).toMatchObject({ model: CHAT });
    expect(warnings).toBe(1);
  });
});
