import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { sendMessage } from "@/server/chat/send-message";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import { findSummary } from "@/server/machine/model-history";
import { defineTool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { finishPart, textParts, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture } from "@/test/turn-fixture";
import { createWireModel, type WireProvider } from "@/test/wire-model";
import { startWireRecorder, type WireRecorder } from "@/test/wire-recorder";

beforeAll(() => testDatabase());

const LIMIT = 20_000;
const FULL = { input: 17_000, output: 100 };

const lookUp = defineTool({
  name: "look_up",
  description: "Looks up.",
  input: z.object({}),
  run: () => Promise.resolve(toolResult("an earlier result ".repeat(1_000))),
});

/** How each API has a call and its result. */
const PAIRS: [provider: WireProvider, pair: RegExp][] = [
  ["openai", /"type":"function_call",.*"type":"function_call_output"/],
  ["anthropic", /"type":"tool_use".*"type":"tool_result"/],
  ["google", /"functionCall".*"functionResponse"/],
  ["openai-compatible", /"tool_calls".*"role":"tool"/],
];

describe.each(PAIRS)("%s: a history with calls that is summed up", (provider, pair) => {
  let recorder: WireRecorder;
  beforeAll(async () => {
    recorder = await startWireRecorder();
  });
  afterAll(() => recorder.close());

  it("is sent without tools, and then as its summary with the results that are not read", async () => {
    recorder.mock.on({ predicate: () => true }, { content: "IN SHORT" });
    const turn = await createTurnFixture({
      content: toTextContent("the question of the turn"),
      tools: [lookUp],
      dynamicTools: [{ name: "ask", input_schema: { type: "object", properties: {} } }],
      steps: [
        [...toolCallParts("call_look_up", "look_up", {}), finishPart("tool-calls")],
        [
          ...textParts("I ask."),
          ...toolCallParts("call_ask", "ask", {}),
          finishPart("tool-calls", FULL),
        ],
      ],
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
    await submitToolResults(turn.ctx, {
      chatId: turn.chatId,
      results: [{ toolCallId: "call_ask", output: "the newest result", isError: false }],
    });
    const model = { ...createWireModel(provider, recorder.url), contextLimit: LIMIT };
    const run = () => turn.run({ resolveModel: () => Promise.resolve(model) });
    await run();
    const [summary = "", step = "", ...more] = recorder
      .bodies()
      .map((body) => JSON.stringify(body));
    expect(more).toEqual([]);
    expect(summary).not.toContain('"tools"');
    expect(summary).toContain("an earlier result");
    expect(step).toMatch(/conversation_summary>.*IN SHORT.*the question of the turn/);
    expect(step).toMatch(pair);
    expect(step).toContain("the newest result");
    expect(step).not.toContain("an earlier result");
    const history = await turn.history();
    expect(history.filter((message) => findSummary(message))).toHaveLength(1);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });

    await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent("and then?"),
      busyBehavior: "queue",
    });
    await run();
    expect(JSON.stringify(recorder.bodies().at(-1))).toMatch(/IN SHORT.*and then\?/);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
  });
});
