import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "@/server/tools/tool";
import { jsonResult, toolResult, withTruncation } from "@/server/tools/tool-result";
import { finishPart, type ScriptedStep, textStep, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { getLocalCalls } from "./decide-next";
import { calculateResultShare } from "./result-share";
import { submitToolResults } from "@/server/chat/submit-tool-results";

it.each<[what: string, contextLimit: number | null, calls: number, bytes: number]>([
  ["64 KiB when the context is not known", null, 1, 65_536],
  ["an eighth of the context", 128_000, 1, 64_000],
  ["the same of up to four calls", 128_000, 4, 64_000],
  ["less of more calls", 128_000, 16, 16_000],
  ["never too little to be of use", 4_000, 128, 2_048],
  ["never more than 256 KiB", 2_000_000, 1, 262_144],
])("a result has %s", (_what, contextLimit, calls, bytes) => {
  expect(calculateResultShare(contextLimit, calls)).toBe(bytes);
});

const long = "0123456789".repeat(2_000);
const RESULTS = {
  long_text: toolResult(long),
  long_data: jsonResult({ long }),
  partial_data: withTruncation(jsonResult({ long }), true),
  huge_data: jsonResult({ long: long.repeat(5) }),
};
const tools = Object.entries(RESULTS).map(([name, result]) =>
  defineTool({
    name,
    description: "Long",
    input: z.object({}),
    run: () => Promise.resolve(result),
  }),
);
/** A refusal after which the chat is released, as the wait is long. */
const busy = {
  throws: new APICallError({
    message: "slow down",
    url: "https://example.org",
    requestBodyValues: {},
    statusCode: 429,
    responseHeaders: { "retry-after": "600" },
  }),
};

/** A context of which a result has 4,000 bytes. */
const CONTEXT_TOKENS = 8_000;

const start = (call: string, ...failures: ScriptedStep[]) =>
  createTurnFixture({
    tools,
    dynamicTools: [{ name: "long_client" }],
    steps: [
      [...toolCallParts("call_1", call, {}), finishPart("tool-calls")],
      ...failures,
      textStep("I see."),
    ],
  });
const postResult = ({ ctx, chatId }: TurnFixture) =>
  submitToolResults(ctx, {
    chatId,
    results: [{ toolCallId: "call_1", output: long, isError: false }],
  });
const run = async (turn: TurnFixture) => {
  const model = {
    provider: "demo" as const,
    model: "scripted",
    label: "demo/scripted",
    prices: null,
    contextLimit: CONTEXT_TOKENS,
    client: turn.model,
  };
  await turn.run({ resolveModel: () => Promise.resolve(model) });
};
const sentResult = ({ model }: TurnFixture) => {
  const result = model.requests[1]?.prompt.at(-1);
  if (result?.role !== "tool") throw new Error("no result was sent");
  const [part] = result.content;
  if (part?.type !== "tool-result" || part.output.type !== "text") throw new Error("no text");
  return part.output.value;
};
const countCuts = async ({ register }: TurnFixture) =>
  (await register.getSingleMetric("parley_tool_result_truncated_total")?.get())?.values.map(
    ({ labels, value }) => [labels.tool, value],
  );

describe("a model with a small context reads its share of", () => {
  it("a text, which is stored so", async () => {
    const turn = await start("long_text");
    await run(turn);
    const [call] = (await turn.history()).flatMap(getLocalCalls);
    expect((call?.output as string).length).toBeLessThanOrEqual(4_000);
    expect(sentResult(turn)).toContain(call?.output as string);
    expect(await countCuts(turn)).toEqual([["unknown", 1]]);
  });

  it("data, which is stored whole for its card", async () => {
    const turn = await start("long_data");
    await run(turn);
    const [call] = (await turn.history()).flatMap(getLocalCalls);
    expect(call?.output).toEqual({ long });
    expect(sentResult(turn).length).toBeLessThanOrEqual(4_000);
    expect(await countCuts(turn)).toEqual([["unknown", 1]]);
  });

  it("what a client has posted", async () => {
    const turn = await start("long_client");
    await run(turn);
    await postResult(turn);
    await run(turn);
    expect(sentResult(turn).length).toBeLessThanOrEqual(4_000);
    expect(await countCuts(turn)).toEqual([["dynamic", 1]]);
  });
});

describe("a result that is cut counts once when", () => {
  it.each(["partial_data", "huge_data"])("it was cut before as %s", async (name) => {
    const turn = await start(name);
    await run(turn);
    expect(sentResult(turn)).toContain("bytes left out");
    expect(await countCuts(turn)).toEqual([["unknown", 1]]);
  });

  it.each([
    ["of this server", "long_data", "unknown"],
    ["of a client", "long_client", "dynamic"],
  ])("the step is tried again later, with one %s", async (_, name, label) => {
    const turn = await start(name, busy);
    await run(turn);
    if (name === "long_client") {
      await postResult(turn);
      await run(turn);
    }
    expect(turn.deferrals).toHaveLength(1);
    await turn.arrive();
    await run(turn);
    expect(turn.model.requests).toHaveLength(3);
    expect(await countCuts(turn)).toEqual([[label, 1]]);
  });
});
