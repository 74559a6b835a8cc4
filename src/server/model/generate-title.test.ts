import { describe, expect, it } from "vitest";
import { answers, finishes, hangs, scriptedModel, type ScriptedStep } from "@/test/scripted-model";
import { createDemoModel } from "./demo-model";
import { generateTitle } from "./generate-title";
import type { ChatModel } from "./model-step";
import { normaliseTitle } from "./normalise-title";

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
  generateTitle(chatModel(scriptedModel([step])), "How do I bake bread?", signal);

describe("generateTitle", () => {
  it("gives the title and what it cost", async () => {
    const step = answers('{"title": "Baking bread at home"}');
    expect(await title(step)).toEqual({
      title: "Baking bread at home",
      usage: { input_tokens: 10, output_tokens: 5 },
    });
  });

  it("asks for JSON in few tokens, without tools, keeping nothing at the provider", async () => {
    const client = scriptedModel([answers("x")]);
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

  it("gives none when the call fails or says nothing", async () => {
    expect(await title({ throws: new Error("down") })).toBeUndefined();
    expect(await title([finishes()])).toBeUndefined();
    expect(await title(answers('{"title": " "}'))).toBeUndefined();
  });

  it("gives none once it is aborted, although the provider hangs", async () => {
    const abort = new AbortController();
    const deaf = { ...scriptedModel([]), doGenerate: () => hangs() };
    const result = generateTitle(chatModel(deaf), "Hello", abort.signal);
    abort.abort();
    expect(await result).toBeUndefined();
    expect(await generateTitle(chatModel(deaf), "Hello", abort.signal)).toBeUndefined();
  });

  it("gets a title from the demo model", async () => {
    const model = chatModel(createDemoModel(0));
    expect(await generateTitle(model, "plan a trip", new AbortController().signal)).toMatchObject({
      title: "Plan a trip",
    });
  });
});

describe("normaliseTitle", () => {
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
    ["パンの焼き方。", "パンの焼き方"],
  ])("makes %j into %j", (answer, expected) => {
    expect(normaliseTitle(answer)).toBe(expected);
  });

  it("is never longer than 80 characters", () => {
    expect(normaliseTitle("w".repeat(200))).toHaveLength(80);
  });
});
