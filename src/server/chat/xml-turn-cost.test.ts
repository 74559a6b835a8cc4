import { beforeAll, expect, it } from "vitest";
import type { ChatModel } from "@/server/model/model-step";
import { collectGarbage, findMedian, readCpuMs } from "@/test/cpu-time";
import { testDatabase } from "@/test/database";
import { startProviderThread } from "@/test/provider-thread";
import { createTurnFixture } from "@/test/turn-fixture";

beforeAll(() => testDatabase());

/** Answers with a call, and then with a text. */
const REPLY = `(() => {
const words = (n) => Array.from({ length: n }, (_, i) => "word" + i + " ");
const code = "if (a < b) {\\n  return \\"" + "x".repeat(40) + "\\";\\n}\\n";
const args = JSON.stringify({ action: "poll", command: code.repeat(20) });
const cut = (text) => text.match(/[^]{1,12}/g);
const xml = "\\n\\n\`\`\`xml\\n<tools>\\n<tool name=\\"nothing\\">\\n<action><![CDATA[poll]]></action>\\n<command><![CDATA[" + code.repeat(20) + "]]></command>\\n</tool>\\n</tools>\\n\`\`\`";
return (body, send) => {
  const request = JSON.parse(body);
  const isNative = request.tools !== undefined;
  const isSecond = request.messages.some((m) => m.role === "assistant");
  for (const content of words(isSecond ? 300 : 30)) send({ content });
  if (!isSecond && isNative) {
    send({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "nothing", arguments: "" } }] });
    for (const part of cut(args)) send({ tool_calls: [{ index: 0, function: { arguments: part } }] });
  }
  if (!isSecond && !isNative) for (const content of cut(xml)) send({ content });
  send({}, !isSecond && isNative ? "tool_calls" : "stop");
};
})()`;

/** A turn of a model that calls tools as XML may cost this much of a native one. */
const MAX_RATIO = 1.15;
const ROUNDS = 7;
const TURNS_PER_ROUND = 5;

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

it("a turn with XML costs about as much as a native one", { timeout: 120_000 }, async () => {
  const toModel = await startProviderThread(REPLY);
  const [native, xml] = [toModel("native"), toModel("xml")];
  await measureTurns(native);
  await measureTurns(xml);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    collectGarbage();
    const nativeMs = await measureTurns(native);
    ratios.push((await measureTurns(xml)) / nativeMs);
  }
  expect(findMedian(ratios)).toBeLessThanOrEqual(MAX_RATIO);
});
