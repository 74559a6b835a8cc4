import { beforeAll, expect, it, onTestFinished } from "vitest";
import type { ProviderName } from "@/contract/model";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import { createApiFixture, ORIGIN } from "@/test/api-client";
import { createContext } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { startStubServer } from "@/test/stub-server";
import { createTurnFixture } from "@/test/turn-fixture";
import { getLocalCalls } from "./decide-next";

beforeAll(() => testDatabase());

const EXACT = "1234567890123456789";
/** Rounded, 1234567890123456800, 1764028800123456800, null and 0. */
const ARGUMENTS =
  '{"order":1234567890123456789,"at":[{"ns":1764028800123456789}],"large":1e400,"small":1e-400}';
const OUTPUT = '{"message":9223372036854775807,"share":0.12345678901234567890}';

type Answer = { call: string; text: string };

const toEvents = (...events: string[]): string =>
  events.map((data) => `data: ${data}\n\n`).join("");

const toChunk = (delta: string, reason: string | null): string =>
  `{"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":${delta},"finish_reason":${JSON.stringify(reason)}}]}`;

const COMPATIBLE: Answer = {
  call: toEvents(
    toChunk(
      `{"tool_calls":[{"id":"call_1","index":0,"type":"function","function":{"name":"check_order","arguments":${JSON.stringify(ARGUMENTS)}}}]}`,
      null,
    ),
    toChunk("{}", "tool_calls"),
    "[DONE]",
  ),
  text: toEvents(toChunk('{"content":"Done."}', null), toChunk("{}", "stop"), "[DONE]"),
};

/** Some servers send the arguments as an object. */
const COMPATIBLE_OBJECT: Answer = {
  ...COMPATIBLE,
  call: COMPATIBLE.call.replace(JSON.stringify(ARGUMENTS), ARGUMENTS),
};

const toMessage = (block: string, delta: string, reason: string): string =>
  toEvents(
    '{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}',
    `{"type":"content_block_start","index":0,"content_block":${block}}`,
    `{"type":"content_block_delta","index":0,"delta":${delta}}`,
    '{"type":"content_block_stop","index":0}',
    `{"type":"message_delta","delta":{"stop_reason":"${reason}","stop_sequence":null},"usage":{"output_tokens":4}}`,
    '{"type":"message_stop"}',
  );

const ANTHROPIC: Answer = {
  call: toMessage(
    '{"type":"tool_use","id":"call_1","name":"check_order","input":{}}',
    `{"type":"input_json_delta","partial_json":${JSON.stringify(ARGUMENTS)}}`,
    "tool_use",
  ),
  text: toMessage('{"type":"text","text":""}', '{"type":"text_delta","text":"Done."}', "end_turn"),
};

const toCandidate = (part: string): string =>
  toEvents(
    `{"candidates":[{"content":{"role":"model","parts":[${part}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`,
  );

const GOOGLE: Answer = {
  call: toCandidate(`{"functionCall":{"name":"check_order","args":${ARGUMENTS}}}`),
  text: toCandidate('{"text":"Done."}'),
};

const startModel = async (provider: ProviderName, { call, text }: Answer) => {
  const server = await startStubServer((response, request) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(server.requests.indexOf(request) === 0 ? call : text);
  });
  onTestFinished(server.close);
  const access = { apiKey: "test-key-of-mine", baseUrl: `${server.url}/v1` };
  const model = createModelRegistry({ [provider]: access }).toChatModel({
    provider,
    model: "m",
    contextLimit: null,
    prices: null,
  });
  return { requests: server.requests, resolveModel: () => Promise.resolve(model) };
};

/** Whether a request has JSON as such, or as a text. */
const hasJson = (text: string, json: string): boolean =>
  text.includes(json) || text.includes(JSON.stringify(json).slice(1, -1));

it.each([
  { name: "OpenAI's protocol", provider: "openai-compatible", answer: COMPATIBLE },
  { name: "arguments as an object", provider: "openai-compatible", answer: COMPATIBLE_OBJECT },
  { name: "Anthropic", provider: "anthropic", answer: ANTHROPIC },
  { name: "Google", provider: "google", answer: GOOGLE },
] as const)(
  "numbers keep their digits to the client and back: $name",
  async ({ provider, answer }) => {
    const { requests, resolveModel } = await startModel(provider, answer);
    const { db, api, client } = await createApiFixture();
    const send = async (route: string, body?: string) =>
      (await api.api.handleRest(client.request(route, body))).text();
    const schema = { type: "object", properties: { order: { type: "integer" } } };
    const turn = await createTurnFixture({
      steps: [],
      ctx: createContext(db, client.userId),
      dynamicTools: [
        {
          name: "check_order",
          input_schema: schema,
          output_schema: { type: "object", properties: { message: { type: "integer" } } },
        },
      ],
    });
    await turn.run({ resolveModel });
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });

    const path = `/chats/${turn.chatId}`;
    expect(await send(`GET ${path}/messages`)).toContain(`"args":${ARGUMENTS}`);
    const [call] = (await turn.history()).flatMap(getLocalCalls);
    await send(
      `POST ${path}/tool-results`,
      `{"results":[{"tool_call_id":"${call?.toolCallId}","output":${OUTPUT}}]}`,
    );
    expect(await send(`GET ${path}/messages`)).toContain(`"output":${OUTPUT}`);

    await turn.run({ resolveModel });
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
    const sent = requests[1]?.text ?? "";
    expect(hasJson(sent, ARGUMENTS)).toBe(true);
    expect(hasJson(sent, OUTPUT)).toBe(true);
  },
);

it("a tool that runs here refuses a number that it could only read rounded", async () => {
  const call = toolCallParts("a", "current_time", `{"timezone":${EXACT}}`);
  const turn = await createTurnFixture({
    steps: [[...call, finishPart("tool-calls")], textStep("Done.")],
  });
  await turn.run();
  const [refused] = (await turn.history()).flatMap(getLocalCalls);
  expect(refused).toMatchObject({ state: "error" });
  expect(JSON.stringify(refused?.output)).toContain("/timezone: is a number with more digits");
});

it("an answer by tRPC keeps its digits", async () => {
  const { db, api, client } = await createApiFixture();
  const chatId = await client.startChat({ dynamic_tools: [{ name: "check_order" }] });
  const parts = [openCall("call_1", "check_order", { state: "awaiting_result" })];
  await commitAnswer(db, chatId, { parts, after: "park" });
  const response = await api.api.handleTrpc(
    new Request(`${ORIGIN}/api/trpc/chats.submitToolResults`, {
      method: "POST",
      headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
      body: `{"chat_id":"${chatId}","results":[{"tool_call_id":"call_1","output":{"id":${EXACT}}}]}`,
    }),
  );
  expect(response.status).toBe(200);
  const history = await api.api.handleRest(client.request(`GET /chats/${chatId}/messages`));
  expect(await history.text()).toContain(`"output":{"id":${EXACT}}`);
});
