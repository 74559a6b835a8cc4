import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { expect, it, onTestFinished } from "vitest";
import { startStubServer } from "@/test/stub-server";
import { createWireModel } from "@/test/wire-model";
import { callModel } from "./call-model";
import type { StepOutcome } from "./model-step";

const LONG_ID = `call_one__thought__${"aB/+=".repeat(500)}`;
const DETAILS = [
  { type: "reasoning.summary", summary: "Ports", index: 0, format: "f" },
  { type: "reasoning.encrypted", data: "opaque", id: "rd_1", index: 1 },
];

/** Answers each request with a call, whose reasoning comes in pieces. @returns what calls it, and the messages it got. */
const startGateway = async (details: object[], callId: string) => {
  const call = { index: 0, id: callId, function: { name: "get_tide", arguments: "{}" } };
  const server = await startStubServer((response) => {
    const send = (delta: object, finish_reason: string | null = null): void =>
      void response.write(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
      );
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const detail of details) send({ reasoning: "", reasoning_details: [detail] });
    send({ tool_calls: [call] });
    send({}, "tool_calls");
    response.end("data: [DONE]\n\n");
  });
  onTestFinished(server.close);
  return {
    send: (prompt: LanguageModelV4Prompt): Promise<StepOutcome> =>
      callModel(
        createWireModel("openai-compatible", server.url),
        { prompt, tools: [] },
        {
          sink: { start: () => undefined, append: () => undefined, end: () => undefined },
          signal: new AbortController().signal,
          now: () => new Date(),
        },
      ),
    getMessages: () => (server.requests.at(-1)?.body as { messages: unknown[] }).messages,
  };
};

const QUESTION: LanguageModelV4Prompt = [
  { role: "system", content: "Be brief." },
  { role: "system", content: "Speak of tides." },
  { role: "user", content: [{ type: "text", text: "Hi" }] },
];

/** @returns the prompt after the result of the answer's call. */
const answerCall = ({ parts }: StepOutcome): LanguageModelV4Prompt => [
  ...QUESTION,
  {
    role: "assistant",
    content: parts.flatMap((part) =>
      part.type !== "tool_call"
        ? []
        : {
            type: "tool-call" as const,
            toolCallId: part.toolCallId,
            toolName: part.toolName,
            input: {},
            providerOptions: part.providerMetadata as never,
          },
    ),
  },
  {
    role: "tool",
    content: parts.flatMap((part) =>
      part.type !== "tool_call"
        ? []
        : {
            type: "tool-result" as const,
            toolCallId: part.toolCallId,
            toolName: part.toolName,
            output: { type: "text" as const, value: "high" },
          },
    ),
  },
];

it("returns reasoning and a signed id to their server, after one system message", async () => {
  const [summary, encrypted] = DETAILS;
  const { send, getMessages } = await startGateway(
    [{ ...summary, summary: "Po" }, { ...summary, summary: "rts" }, { ...encrypted }],
    LONG_ID,
  );
  const outcome = await send(QUESTION);
  expect(outcome.parts[0]).toMatchObject({
    toolCallId: expect.stringMatching(/^[\w-]{1,64}$/) as unknown,
  });
  await send(answerCall(outcome));
  expect(getMessages()).toMatchObject([
    { role: "system", content: "Be brief.\n\nSpeak of tides." },
    { role: "user" },
    { role: "assistant", reasoning_details: DETAILS, tool_calls: [{ id: LONG_ID }] },
    { role: "tool", tool_call_id: LONG_ID, content: "high" },
  ]);
});

it("keeps pieces of reasoning that repeat", async () => {
  const piece = { type: "reasoning.text", text: "ha", index: 0 };
  const { send, getMessages } = await startGateway([piece, piece, piece], "call_one");
  await send(answerCall(await send(QUESTION)));
  expect(getMessages()).toMatchObject([
    {},
    {},
    { reasoning_details: [{ ...piece, text: "hahaha" }], tool_calls: [{ id: "call_one" }] },
    { tool_call_id: "call_one" },
  ]);
});

it.each(["call\u0000_1", "größer", "x".repeat(70_000)])(
  "gives a call another id than %j",
  async (id) => {
    const { send, getMessages } = await startGateway([], id);
    const outcome = await send(QUESTION);
    await send(answerCall(outcome));
    const [call] = outcome.parts;
    const own = call?.type === "tool_call" ? call.toolCallId : undefined;
    expect(own).toMatch(/^call_\w+$/);
    expect(getMessages()).toMatchObject([
      {},
      {},
      { tool_calls: [{ id: own }] },
      { tool_call_id: own },
    ]);
  },
);
