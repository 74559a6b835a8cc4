import { Worker } from "node:worker_threads";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import type { ToolProtocol } from "@/contract/model";
import { createModelRegistry } from "@/server/model/model-registry";
import type { ChatModel } from "@/server/model/model-step";
import { collectGarbage, readCpuMs } from "@/test/cpu-time";
import { testDatabase } from "@/test/database";
import { createTurnFixture } from "@/test/turn-fixture";
import { NO_PROVIDERS } from "@/test/wire-model";

beforeAll(() => testDatabase());

/** A provider in a thread of its own, whose CPU time does not count. It answers with a call, and then with a text. */
const PROVIDER = `
const { createServer } = require("node:http");
const { parentPort } = require("node:worker_threads");
const words = (n) => Array.from({ length: n }, (_, i) => "word" + i + " ");
const code = "if (a < b) {\\n  return \\"" + "x".repeat(40) + "\\";\\n}\\n";
const args = JSON.stringify({ action: "poll", command: code.repeat(20) });
const cut = (text) => text.match(/[^]{1,12}/g);
const xml = "\\n\\n\`\`\`xml\\n<tools>\\n<tool name=\\"nothing\\">\\n<action><![CDATA[poll]]></action>\\n<command><![CDATA[" + code.repeat(20) + "]]></command>\\n</tool>\\n</tools>\\n\`\`\`";
const server = createServer((req, res) => {
  let body = ""; req.on("data", (d) => body += d);
  req.on("end", () => {
    const request = JSON.parse(body);
    const isNative = request.tools !== undefined;
    const isSecond = request.messages.some((m) => m.role === "assistant");
    const send = (delta, finish_reason = null) => res.write("data: " + JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] }) + "\\n\\n");
    res.writeHead(200, { "content-type": "text/event-stream" });
    for (const content of words(isSecond ? 300 : 30)) send({ content });
    if (!isSecond && isNative) {
      send({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "nothing", arguments: "" } }] });
      for (const part of cut(args)) send({ tool_calls: [{ index: 0, function: { arguments: part } }] });
    }
    if (!isSecond && !isNative) for (const content of cut(xml)) send({ content });
    send({}, !isSecond && isNative ? "tool_calls" : "stop");
    res.end("data: [DONE]\\n\\n");
  });
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** A turn of a model that calls tools as XML may cost this much of a native one. */
const MAX_RATIO = 1.15;
const ROUNDS = 7;
const TURNS_PER_ROUND = 5;

const startProvider = async () => {
  const worker = new Worker(PROVIDER, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const registry = createModelRegistry({ ...NO_PROVIDERS, openaiCompatible: { baseUrl } });
  return (toolProtocol: ToolProtocol): ChatModel =>
    registry.toChatModel({
      ...{ provider: "openai-compatible", model: toolProtocol, toolProtocol },
      ...{ contextLimit: null, prices: null },
    });
};

/** @returns milliseconds of CPU time of some turns with one call and two answers each. */
const measureTurns = async (model: ChatModel): Promise<number> => {
  let cost = 0;
  for (let count = 0; count < TURNS_PER_ROUND; count++) {
    const turn = await createTurnFixture({ steps: [] });
    const claimed = await turn.claim();
    const before = process.threadCpuUsage();
    await turn.run({ resolveModel: () => Promise.resolve(model) }, claimed);
    cost += readCpuMs(before);
    expect((await turn.chat()).turnSteps).toBe(2);
  }
  return cost;
};

const median = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

it("a turn with XML costs about as much as a native one", { timeout: 120_000 }, async () => {
  const toModel = await startProvider();
  const [native, xml] = [toModel("native"), toModel("xml")];
  await measureTurns(native);
  await measureTurns(xml);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    collectGarbage();
    const nativeMs = await measureTurns(native);
    ratios.push((await measureTurns(xml)) / nativeMs);
  }
  expect(median(ratios)).toBeLessThanOrEqual(MAX_RATIO);
});
