import { setImmediate as nextTick } from "node:timers/promises";
import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import type { ModelPrices } from "@/contract/model";
import { callModel } from "@/server/model/call-model";
import {
  textStep,
  toolCallParts,
  finishPart,
  pendingForever,
  textParts,
  type ScriptedStep,
  createScriptedModel,
  reasoningParts,
} from "@/test/scripted-model";
import { type AdvisorEmit, askAdvisor, MAX_ADVISOR_ATTEMPTS } from "./ask-advisor";
import { createQuota } from "./quota";

type Progress = Parameters<AdvisorEmit>[0];

const failure = (statusCode: number) =>
  Object.assign(new Error("failed"), { statusCode, isRetryable: statusCode >= 429 });
const failingStep = (statusCode: number): ScriptedStep => ({ throws: failure(statusCode) });

const setUp = (
  steps: ScriptedStep[],
  { maxUses = 1, prices = null }: { maxUses?: number | null; prices?: ModelPrices | null } = {},
) => {
  const client = createScriptedModel(steps);
  const quota = createQuota(maxUses, 0);
  const progress: Progress[] = [];
  const waits: number[] = [];
  const controller = new AbortController();
  const ask = (question = "What next?") =>
    askAdvisor(
      {
        model: {
          provider: "demo",
          model: "advisor",
          label: "demo/advisor",
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
        step: { text: "", reasoning: "" },
        question,
      },
      {
        quota,
        callModel,
        signal: controller.signal,
        emit: (event) => progress.push(event),
        now: () => new Date(0),
        random: () => 0,
        wait: (ms) => {
          waits.push(ms);
          return Promise.resolve();
        },
      },
    );
  return { ask, client, quota, progress, waits, abort: () => controller.abort("interrupted") };
};

describe("askAdvisor: advice", () => {
  it("returns advice with model, remaining uses and usage", async () => {
    const { ask, client } = setUp([textStep("Take the small step.")], { maxUses: 3 });
    expect((await ask()).result).toEqual({
      type: "advice",
      advice: "Take the small step.",
      advisor_model: "demo/advisor",
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

  it("disables storage and response chaining in every call", async () => {
    const { ask, client } = setUp([textStep("one"), textStep("two")], { maxUses: null });
    await ask();
    await ask();
    const options = client.requests.map(({ providerOptions }) => providerOptions);
    expect(options).toEqual([{ openai: { store: false } }, { openai: { store: false } }]);
  });

  it("joins trimmed text parts without blank parts and reasoning", async () => {
    const { ask } = setUp([
      [
        ...reasoningParts("I wonder"),
        ...textParts("  First.  ", "a"),
        { type: "text-start", id: "b" },
        { type: "text-delta", id: "b", delta: " \n" },
        { type: "text-end", id: "b" },
        ...textParts("Second.", "c"),
        finishPart(),
      ],
    ]);
    expect((await ask()).result).toMatchObject({ advice: "First.\n\nSecond." });
  });

  it("calculates the cost from the model's prices", async () => {
    const { ask } = setUp([textStep("Wait.")], { prices: { input: 1_000_000, output: 2_000_000 } });
    const { result, spend } = await ask();
    expect(result).toMatchObject({ usage: { cost_micros: 20 } });
    expect(spend).toMatchObject({ model: "demo/advisor", costMicros: 20 });
  });

  it("truncates advice that is too long for a tool result", async () => {
    const { ask } = setUp([textStep(`"${"\u0001".repeat(60_000)}" end`)]);
    const { result } = await ask();
    expect(result).toMatchObject({ type: "advice" });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(60_000);
  });

  it("returns null as remaining uses without a limit", async () => {
    const { ask } = setUp([textStep("Wait.")], { maxUses: null });
    expect((await ask()).result).toMatchObject({ type: "advice", remaining_uses: null });
  });
});

describe("askAdvisor: limit", () => {
  it("reports the limit without a model call", async () => {
    const { ask, client } = setUp([textStep("one"), textStep("two")]);
    expect((await ask()).result).toMatchObject({ type: "advice", remaining_uses: 0 });
    expect((await ask()).result).toMatchObject({ type: "limit_reached", remaining_uses: 0 });
    expect(client.requests).toHaveLength(1);
  });

  it("allows one of two concurrent calls with one use remaining", async () => {
    const { ask, client } = setUp([textStep("one"), textStep("two")]);
    const outcomes = await Promise.all([ask(), ask()]);
    expect(outcomes.map(({ result }) => result.type).sort()).toEqual(["advice", "limit_reached"]);
    expect(client.requests).toHaveLength(1);
  });
});

describe("askAdvisor: released uses", () => {
  it("releases the use after a provider's error, so that a later question succeeds", async () => {
    const { ask, client } = setUp([failingStep(400), textStep("Now.")]);
    const failed = await ask();
    expect(failed.result).toMatchObject({
      type: "error",
      error: expect.any(String) as string,
      advisor_model: "demo/advisor",
      remaining_uses: 1,
    });
    expect(failed.spend).toBeUndefined();
    expect((await ask()).result).toMatchObject({ type: "advice", remaining_uses: 0 });
    expect(client.requests).toHaveLength(2);
  });

  it("releases the use after an answer without text but reports its usage", async () => {
    const { ask } = setUp([[...reasoningParts("hm"), finishPart()], textStep("Now.")]);
    const { result, spend } = await ask();
    expect(result).toMatchObject({
      type: "error",
      error: expect.stringContaining("no text output") as string,
      remaining_uses: 1,
    });
    expect(spend?.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
    expect((await ask()).result).toMatchObject({ type: "advice" });
  });

  it("releases the use after an answer with only a tool call", async () => {
    const { ask } = setUp([[...toolCallParts("a", "read_file", {}), finishPart("tool-calls")]]);
    expect((await ask()).result).toMatchObject({ type: "error", remaining_uses: 1 });
  });

  it("releases the use and rejects on abort", async () => {
    const { ask, client, quota, abort } = setUp([[...textParts("Well"), pendingForever()]]);
    const pending = ask();
    await client.waitForCalls(1);
    abort();
    await expect(pending).rejects.toBe("interrupted");
    expect(quota.remaining()).toBe(1);
  });

  it("rejects without a model call when the signal is already aborted", async () => {
    const { ask, client, quota, abort } = setUp([]);
    abort();
    await expect(ask()).rejects.toBe("interrupted");
    expect(quota.remaining()).toBe(1);
    expect(client.requests).toHaveLength(0);
  });
});

describe("askAdvisor: retries", () => {
  it("retries a retryable failure", async () => {
    const { ask, waits } = setUp([failingStep(529), textStep("Now.")]);
    expect((await ask()).result).toMatchObject({ type: "advice", remaining_uses: 0 });
    expect(waits).toHaveLength(1);
  });

  it("fails after the maximum number of attempts", async () => {
    const { ask, client } = setUp(Array.from({ length: 9 }, () => failingStep(529)));
    expect((await ask()).result).toMatchObject({ type: "error", remaining_uses: 1 });
    expect(client.requests).toHaveLength(MAX_ADVISOR_ATTEMPTS);
  });

  it("does not retry when the provider asks for a delay of minutes", async () => {
    const rateLimit = new APICallError({
      message: "later",
      url: "test:",
      requestBodyValues: {},
      statusCode: 429,
      responseHeaders: { "retry-after": "600" },
      isRetryable: true,
    });
    const { ask, client } = setUp([{ throws: rateLimit }, textStep("Now.")]);
    expect((await ask()).result).toMatchObject({ type: "error" });
    expect(client.requests).toHaveLength(1);
  });
});

describe("askAdvisor: progress", () => {
  it("emits phases, then text deltas", async () => {
    const gate = Promise.withResolvers<undefined>();
    const { ask, progress, client } = setUp([
      [...reasoningParts("hm"), gate.promise, ...textParts("Take care.", "a"), finishPart()],
    ]);
    const pending = ask();
    await client.waitForCalls(1);
    await nextTick();
    expect(progress).toEqual([
      { type: "append", phase: "preparing", text: "" },
      { type: "append", phase: "thinking", text: "" },
    ]);
    gate.resolve(undefined);
    await pending;
    expect(progress.slice(2)).toEqual([
      { type: "append", phase: "answering", text: "Take" },
      { type: "append", phase: "answering", text: " care." },
    ]);
  });

  it("emits a reset before a retry", async () => {
    const { ask, progress } = setUp([
      [...textParts("Half"), { type: "error", error: failure(529) }],
      textStep("Whole."),
    ]);
    expect((await ask()).result).toMatchObject({ type: "advice", advice: "Whole." });
    const after = progress.slice(progress.findIndex(({ type }) => type === "reset"));
    expect(after).toEqual([
      { type: "reset" },
      { type: "append", phase: "thinking", text: "" },
      { type: "append", phase: "answering", text: "Whole." },
    ]);
  });
});
