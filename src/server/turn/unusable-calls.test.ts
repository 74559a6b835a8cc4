import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { SubmitToolResultsInput } from "@/contract/call-inputs";
import { defineTool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { testDatabase } from "@/test/database";
import { findPromptProblems } from "@/test/prompt-problems";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { getLocalCalls } from "./decide-next";
import { submitToolResults } from "@/server/chat/submit-tool-results";

beforeAll(() => testDatabase());

const wipe = { name: "wipe", input_schema: { type: "object", properties: {} } };

const createSave = () => {
  const saved: string[] = [];
  const save = defineTool({
    name: "save",
    description: "Saves a text.",
    input: z.object({ text: z.string().optional() }),
    run: (_context, { text = "nothing" }) => {
      saved.push(text);
      return Promise.resolve(toolResult("saved"));
    },
  });
  return { saved, save };
};

const localCalls = async (turn: TurnFixture) => (await turn.history()).flatMap(getLocalCalls);

/** A call as providers send it whose arguments stop in the middle. */
const cutCall = (id: string, toolName: string, input: string): LanguageModelV4StreamPart[] => [
  { type: "tool-input-start", id, toolName },
  ...(input === "" ? [] : [{ type: "tool-input-delta" as const, id, delta: input }]),
  { type: "tool-input-end", id },
  { type: "tool-call", toolCallId: id, toolName, input },
];

describe("a call that was cut", () => {
  it.each([
    ["length", "", /length limit/],
    ["length", '{"text": "the first ha', /length limit/],
    ["length", '{"text": "whole"}', /length limit/],
    ["content-filter", "", /content filter/],
  ] as const)("by %s with the arguments %j is not run, and the model reads why", async (...cut) => {
    const [reason, input, message] = cut;
    const { save, saved } = createSave();
    const turn = await createTurnFixture({
      tools: [save],
      steps: [[...cutCall("a", "save", input), finishPart(reason)], textStep("Sorry.")],
    });
    await turn.run();
    expect(saved).toEqual([]);
    expect(await localCalls(turn)).toMatchObject([
      { state: "error", isError: true, output: expect.stringMatching(message) as string },
    ]);
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 2, lastError: null });
    const prompt = turn.model.requests[1]?.prompt ?? [];
    expect(findPromptProblems(prompt)).toEqual([]);
    expect(JSON.stringify(prompt.at(-1))).toMatch(message);
  });

  it.each(["length", "content-filter"] as const)(
    "by %s is not offered to a client",
    async (reason) => {
      const turn = await createTurnFixture({
        dynamicTools: [wipe],
        steps: [[...cutCall("a", "wipe", ""), finishPart(reason)], textStep("Sorry.")],
      });
      await turn.run();
      expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 2 });
      expect(await localCalls(turn)).toMatchObject([{ kind: "dynamic", state: "error" }]);
    },
  );

  it("does not keep the complete calls before it from running", async () => {
    const { save, saved } = createSave();
    const turn = await createTurnFixture({
      tools: [save],
      steps: [
        [
          ...toolCallParts("a", "save", { text: "one" }),
          ...cutCall("b", "save", '{"text": "tw'),
          finishPart("length"),
        ],
        textStep("Sorry."),
      ],
    });
    await turn.run();
    expect(saved).toEqual(["one"]);
    expect(await localCalls(turn)).toMatchObject([{ state: "completed" }, { state: "error" }]);
  });

  it("by a provider that ends its answer without the call is not run", async () => {
    const { save, saved } = createSave();
    const turn = await createTurnFixture({
      tools: [save],
      steps: [
        [{ type: "tool-input-start", id: "a", toolName: "save" }, finishPart("tool-calls")],
        textStep("Sorry."),
      ],
    });
    await turn.run();
    expect(saved).toEqual([]);
    expect(await localCalls(turn)).toMatchObject([
      { state: "error", output: expect.stringMatching(/did not arrive completely/) as string },
    ]);
  });

  it("in each step ends the turn at its step limit", async () => {
    const turn = await createTurnFixture({
      maxSteps: 3,
      tools: [createSave().save],
      steps: [1, 2, 3].map((step) => [...cutCall(`a${step}`, "save", ""), finishPart("length")]),
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 3 });
    expect((await turn.history()).at(-1)).toMatchObject({ finishReason: "step-limit" });
  });
});

describe("more calls than an answer can have", () => {
  it("are left out, and the model reads why", async () => {
    const calls = Array.from({ length: 2_000 }, (_, index) =>
      toolCallParts(`c${index}`, "wipe", {}),
    );
    const turn = await createTurnFixture({
      dynamicTools: [wipe],
      steps: [[...calls.flat(), finishPart("tool-calls")], textStep("Done.")],
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
    const stored = await localCalls(turn);
    const open = stored.filter(({ state }) => state === "awaiting_result");
    expect(open).toHaveLength(128);
    expect(stored.slice(128)).toMatchObject([
      { state: "error", output: expect.stringMatching(/at most 128 tool calls/) as string },
    ]);
    const results = open.map(({ toolCallId }) => ({ toolCallId, output: "ok", isError: false }));
    await submitToolResults(turn.ctx, { chatId: turn.chatId, results });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    expect(JSON.stringify(turn.model.requests[1]?.prompt)).toContain("at most 128 tool calls");
  });
});

describe("an id that cannot be used", () => {
  it.each([
    ["too long", "x".repeat(300)],
    ["too long for OpenAI", "x".repeat(65)],
    ["empty", ""],
    ["a NUL", "call\0one"],
    ["a lone surrogate", "call\ud800"],
    ["other characters", "call one/ü"],
  ])("(%s) is replaced, so that the call can be answered", async (_what, id) => {
    const turn = await createTurnFixture({
      dynamicTools: [wipe],
      steps: [[...toolCallParts(id, "wipe", {}), finishPart("tool-calls")], textStep("Done.")],
    });
    await turn.run();
    const [call] = await localCalls(turn);
    expect(call?.toolCallId).toMatch(/^call_[0-9a-f]{32}$/);
    const started = turn.ops.filter(({ op }) => op === "tool-call-start");
    expect(started).toMatchObject([{ tool_call_id: call?.toolCallId }]);
    const { results } = SubmitToolResultsInput.parse({
      chat_id: turn.chatId,
      results: [{ tool_call_id: call?.toolCallId, output: "ok" }],
    });
    await submitToolResults(turn.ctx, {
      chatId: turn.chatId,
      results: results.map(({ tool_call_id, output, is_error }) => ({
        toolCallId: tool_call_id,
        output,
        isError: is_error,
      })),
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    expect(findPromptProblems(turn.model.requests[1]?.prompt ?? [])).toEqual([]);
  });
});

describe("what else a provider sends", () => {
  it("is cut or left out before it is stored", async () => {
    const nested = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as never;
    const turn = await createTurnFixture({
      steps: [
        [
          {
            type: "source",
            sourceType: "url",
            id: "1",
            url: "https://a.example",
            title: "t".repeat(9_999),
          },
          { type: "source", sourceType: "url", id: "2", url: "no address" },
          {
            type: "source",
            sourceType: "url",
            id: "3",
            url: `https://a.example/${"x".repeat(9_000)}`,
          },
          { type: "text-start", id: "t", providerMetadata: { demo: { nested } } },
          { type: "text-delta", id: "t", delta: "Hi." },
          { type: "text-end", id: "t" },
          ...toolCallParts("a", "n".repeat(100_000), {}),
          {
            type: "tool-call",
            toolCallId: "b",
            toolName: "web_search",
            input: "{}",
            providerExecuted: true,
          },
          { type: "tool-result", toolCallId: "b", toolName: "web_search", result: nested },
          finishPart("tool-calls"),
        ],
        textStep("Done."),
      ],
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 2, lastError: null });
    const [, step] = await turn.history();
    expect(step?.parts).toMatchObject([
      { type: "source", data: { url: "https://a.example", title: "t".repeat(500) } },
      { type: "text", text: "Hi." },
      { type: "tool_call", toolName: "n".repeat(128), state: "error" },
      {
        type: "tool_call",
        kind: "provider",
        output: expect.stringMatching(/too deeply/) as string,
      },
    ]);
    expect(step?.parts[1]).not.toHaveProperty("providerMetadata");
  });

  it("ends an answer of too many parts", async () => {
    const parts = Array.from({ length: 5_000 }, (_, index): LanguageModelV4StreamPart[] => [
      { type: "text-start", id: `t${index}` },
      { type: "text-delta", id: `t${index}`, delta: "x" },
      { type: "text-end", id: `t${index}` },
    ]);
    const turn = await createTurnFixture({ steps: [[...parts.flat(), finishPart()]] });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    expect((await turn.history())[1]?.parts).toHaveLength(2_000);
  });
});
