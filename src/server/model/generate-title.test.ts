import { describe, expect, it } from "vitest";
import {
  textStep,
  finishPart,
  pendingForever,
  createScriptedModel,
  type ScriptedStep,
} from "@/test/scripted-model";
import { createDemoModel } from "./demo/demo-model";
import { generateTitle } from "./generate-title";
import type { ChatModel } from "./model-step";
import { normalizeTitle } from "./normalize-title";

const chatModel = (client: ChatModel["client"]): ChatModel => ({
  provider: "openai",
  model: "m",
  label: "openai/m",
  contextLimit: null,
  prices: null,
  client,
  providerOptions: { openai: { store: false } },
});
const title = (step: ScriptedStep, signal = new AbortController().signal) =>
  generateTitle(chatModel(createScriptedModel([step])), "How do I bake bread?", signal);

describe("generateTitle", () => {
  it("returns title and usage", async () => {
    const step = textStep('{"title": "Baking bread at home"}');
    expect(await title(step)).toEqual({
      title: "Baking bread at home",
      usage: { input_tokens: 10, output_tokens: 5 },
    });
  });

  it("requests JSON with few tokens, without tools and without storage", async () => {
    const client = createScriptedModel([textStep("x")]);
    await generateTitle(chatModel(client), "y".repeat(10_000), new AbortController().signal);
    const [request] = client.requests;
    expect(request).toMatchObject({
      maxOutputTokens: 256,
      responseFormat: { type: "json" },
      providerOptions: { openai: { store: false } },
    });
    expect(request).not.toHaveProperty("tools");
    expect(JSON.stringify(request?.prompt).length).toBeLessThan(6_000);
  });

  it("returns undefined when the call fails or the answer is empty", async () => {
    expect(await title({ throws: new Error("down") })).toBeUndefined();
    expect(await title([finishPart()])).toBeUndefined();
    expect(await title(textStep('{"title": " "}'))).toBeUndefined();
  });

  it("returns undefined on abort although the provider hangs", async () => {
    const abort = new AbortController();
    const hangingClient = { ...createScriptedModel([]), doGenerate: () => pendingForever() };
    const result = generateTitle(chatModel(hangingClient), "Hello", abort.signal);
    abort.abort();
    expect(await result).toBeUndefined();
    expect(await generateTitle(chatModel(hangingClient), "Hello", abort.signal)).toBeUndefined();
  });

  it("works with the demo model", async () => {
    const model = chatModel(createDemoModel(0));
    expect(await generateTitle(model, "plan a trip", new AbortController().signal)).toMatchObject({
      title: "Plan a trip",
    });
  });
});

describe("normalizeTitle", () => {
  it.each([
    ['{"title":"Two words"}', "Two words"],
    ['```json\n{"title": "In a fence"}\n```', "In a fence"],
    ['Sure: {"title": "After a word"}', "After a word"],
    ['"Quoted title."', "Quoted title"],
    ["**Title: Bold one**", "Bold one"],
    ["# Heading\nand more", "Heading"],
    ["one two three four five six seven eight nine ten", "one two three four five six seven eight"],
    ["a\tb\n c", "a b"],
    ["not {json} at all", "not {json} at all"],
    ['{"other": 1}', ""],
    ["", ""],
    ["…", ""],
    ['They bake {bread}.\n</think>\n\n{"title": "Baking bread"}', "Baking bread"],
    ["They bake.</think>Baking bread", "Baking bread"],
    ["パンの焼き方。", "パンの焼き方"],
  ])("converts %j to %j", (answer, expected) => {
    expect(normalizeTitle(answer)).toBe(expected);
  });

  it("truncates to 80 characters", () => {
    expect(normalizeTitle("w".repeat(200))).toHaveLength(80);
  });
});
