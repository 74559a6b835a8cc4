import { setImmediate as nextTick } from "node:timers/promises";
import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import type { ModelPrices } from "@/contract/model";
import { callModel } from "@/server/model/call-model";
import {
  answers,
  callsTool,
  finishes,
  hangs,
  saysText,
  type ScriptedStep,
  scriptedModel,
  thinks,
} from "@/test/scripted-model";
import { type AdvisorEmit, askAdvisor, MAX_ADVISOR_ATTEMPTS } from "./ask-advisor";
import { createQuota } from "./quota";

type Progress = Parameters<AdvisorEmit>[0];

const failure = (statusCode: number) =>
  Object.assign(new Error("no luck"), { statusCode, isRetryable: statusCode >= 429 });
const fails = (statusCode: number): ScriptedStep => ({ throws: failure(statusCode) });

const set = (
  steps: ScriptedStep[],
  { maxUses = 1, prices = null }: { maxUses?: number | null; prices?: ModelPrices | null } = {},
) => {
  const client = scriptedModel(steps);
  const quota = createQuota(maxUses, 0);
  const heard: Progress[] = [];
  const waits: number[] = [];
  const controller = new AbortController();
  const ask = (question = "What next?") =>
    askAdvisor(
      {
        model: {
          provider: "demo",
          model: "wise",
          label: "demo/wise",
          contextLimit: null,
          prices,
          client,
          providerOptions: { openai: { previousResponseId: "resp_1", store: true } },
        },
        maxUses,
        maxOutputTokens: 77,
      },
      {
        prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
        promptModel: "demo/wise",
        step: { text: "", reasoning: "" },
        question,
      },
      {
        quota,
        callModel,
        signal: controller.signal,
        emit: (progress) => heard.push(progress),
        now: () => new Date(0),
        chance: () => 0,
        wait: (ms) => {
          waits.push(ms);
          return Promise.resolve();
        },
      },
    );
  return { ask, client, quota, heard, waits, abort: () => controller.abort("interrupted") };
};

describe("advice", () => {
  it("names its model, what is left and what it used", async () => {
    const { ask, client } = set([answers("Take the small step.")], { maxUses: 3 });
    expect((await ask()).result).toEqual({
      type: "advice",
      advice: "Take the small step.",
      advisor_model: "demo/wise",
      remaining_uses: 2,
      usage: { input_tokens: 10, output_tokens: 5 },
    });
    const [request] = client.requests;
    expect(request).not.toHaveProperty("tools");
    expect(request).not.toHaveProperty("toolChoice");
    expect(request).toMatchObject({ maxOutputTokens: 77 });
    expect(request?.prompt.at(-1)).toEqual({
      role: "user",
      content: [{ type: "text", text: "What next?" }],
    });
  });

  it("is asked for unchained and unstored, on every call alike", async () => {
    const { ask, client } = set([answers("one"), answers("two")], { maxUses: null });
    await ask();
    await ask();
    const options = client.requests.map(({ providerOptions }) => providerOptions);
    expect(options).toEqual([{ openai: { store: false } }, { openai: { store: false } }]);
  });

  it("is text alone: parts are trimmed, blank ones skipped, reasoning is none", async () => {
    const { ask } = set([
      [
        ...thinks("I wonder"),
        ...saysText("  First.  ", "a"),
        { type: "text-start", id: "b" },
        { type: "text-delta", id: "b", delta: " \n" },
        { type: "text-end", id: "b" },
        ...saysText("Second.", "c"),
        finishes(),
      ],
    ]);
    expect((await ask()).result).toMatchObject({ advice: "First.\n\nSecond." });
  });

  it("costs what its model's prices say", async () => {
    const { ask } = set([answers("Wait.")], { prices: { input: 1_000_000, output: 2_000_000 } });
    const { result, spend } = await ask();
    expect(result).toMatchObject({ usage: { cost_micros: 20 } });
    expect(spend).toMatchObject({ model: "demo/wise", costMicros: 20 });
  });

  it("that is too long for a tool result is cut, and stays advice", async () => {
    const { ask } = set([answers(`"${"\u0001".repeat(60_000)}" end`)]);
    const { result } = await ask();
    expect(result).toMatchObject({ type: "advice" });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(60_000);
  });

  it("without a limit leaves no number", async () => {
    const { ask } = set([answers("Wait.")], { maxUses: null });
    expect((await ask()).result).toMatchObject({ type: "advice", remaining_uses: null });
  });
});

describe("the limit", () => {
  it("is told without a model call", async () => {
    const { ask, client } = set([answers("one"), answers("two")]);
    expect((await ask()).result).toMatchObject({ type: "advice", remaining_uses: 0 });
    expect((await ask()).result).toMatchObject({ type: "limit_reached", remaining_uses: 0 });
    expect(client.requests).toHaveLength(1);
  });

  it("with one use left lets exactly one of two calls at once through", async () => {
    const { ask, client } = set([answers("one"), answers("two")]);
    const asked = await Promise.all([ask(), ask()]);
    expect(asked.map(({ result }) => result.type).sort()).toEqual(["advice", "limit_reached"]);
    expect(client.requests).toHaveLength(1);
  });
});

describe("a use is given back after", () => {
  it("a provider's error, which is a normal result, so that a later question is answered", async () => {
    const { ask, client } = set([fails(400), answers("Now.")]);
    const failed = await ask();
    expect(failed.result).toMatchObject({
      type: "error",
      error: expect.any(String) as string,
      advisor_model: "demo/wise",
      remaining_uses: 1,
    });
    expect(failed.spend).toBeUndefined();
    expect((await ask()).result).toMatchObject({ type: "advice", remaining_uses: 0 });
    expect(client.requests).toHaveLength(2);
  });

  it("an answer without text, whose tokens still count", async () => {
    const { ask } = set([[...thinks("hm"), finishes()], answers("Now.")]);
    const { result, spend } = await ask();
    expect(result).toMatchObject({
      type: "error",
      error: expect.stringContaining("no text output") as string,
      remaining_uses: 1,
    });
    expect(spend?.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
    expect((await ask()).result).toMatchObject({ type: "advice" });
  });

  it("an answer that is a tool call, which nobody runs", async () => {
    const { ask } = set([[...callsTool("a", "read_file", {}), finishes("tool-calls")]]);
    expect((await ask()).result).toMatchObject({ type: "error", remaining_uses: 1 });
  });

  it("an abort, which ends the call", async () => {
    const { ask, client, quota, abort } = set([[...saysText("Well"), hangs()]]);
    const asked = ask();
    await client.called(1);
    abort();
    await expect(asked).rejects.toBe("interrupted");
    expect(quota.remaining()).toBe(1);
  });

  it("an abort before anything was asked", async () => {
    const { ask, client, quota, abort } = set([]);
    abort();
    await expect(ask()).rejects.toBe("interrupted");
    expect(quota.remaining()).toBe(1);
    expect(client.requests).toHaveLength(0);
  });
});

describe("failures that pass", () => {
  it("are tried again", async () => {
    const { ask, waits } = set([fails(529), answers("Now.")]);
    expect((await ask()).result).toMatchObject({ type: "advice", remaining_uses: 0 });
    expect(waits).toHaveLength(1);
  });

  it("are given up after some tries", async () => {
    const { ask, client } = set(Array.from({ length: 9 }, () => fails(529)));
    expect((await ask()).result).toMatchObject({ type: "error", remaining_uses: 1 });
    expect(client.requests).toHaveLength(MAX_ADVISOR_ATTEMPTS);
  });

  it("are not waited for when the provider asks for minutes", async () => {
    const busy = new APICallError({
      message: "later",
      url: "test:",
      requestBodyValues: {},
      statusCode: 429,
      responseHeaders: { "retry-after": "600" },
      isRetryable: true,
    });
    const { ask, client } = set([{ throws: busy }, answers("Now.")]);
    expect((await ask()).result).toMatchObject({ type: "error" });
    expect(client.requests).toHaveLength(1);
  });
});

describe("what is shown while it runs", () => {
  it("is the phase, then the text as it is written", async () => {
    const held = Promise.withResolvers<undefined>();
    const { ask, heard, client } = set([
      [...thinks("hm"), held.promise, ...saysText("Take care.", "a"), finishes()],
    ]);
    const asked = ask();
    await client.called(1);
    await nextTick();
    expect(heard).toEqual([
      { type: "append", phase: "preparing", text: "" },
      { type: "append", phase: "thinking", text: "" },
    ]);
    held.resolve(undefined);
    await asked;
    expect(heard.slice(2)).toEqual([
      { type: "append", phase: "answering", text: "Take" },
      { type: "append", phase: "answering", text: " care." },
    ]);
  });

  it("begins anew with another try", async () => {
    const { ask, heard } = set([
      [...saysText("Half"), { type: "error", error: failure(529) }],
      answers("Whole."),
    ]);
    expect((await ask()).result).toMatchObject({ type: "advice", advice: "Whole." });
    const after = heard.slice(heard.findIndex(({ type }) => type === "reset"));
    expect(after).toEqual([
      { type: "reset" },
      { type: "append", phase: "thinking", text: "" },
      { type: "append", phase: "answering", text: "Whole." },
    ]);
  });
});
