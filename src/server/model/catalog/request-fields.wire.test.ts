import { describe, expect, it, onTestFinished } from "vitest";
import { isAnthropicAddress } from "@/server/model/catalog/is-own-address";
import { probeModel } from "@/server/model/catalog/probe-model";
import { generateTitle } from "@/server/model/generate-title";
import { callModel } from "@/server/model/call-model";
import { sendEvents, startStubServer, type StubRequest } from "@/test/stub-server";
import { createWireModel } from "@/test/wire-model";

type Body = { max_tokens?: number; max_completion_tokens?: number; stream: boolean };
const limitsOf = (requests: readonly StubRequest[]) =>
  requests.map(({ body }) => {
    const { max_tokens, max_completion_tokens } = body as Body;
    return { max_tokens, max_completion_tokens };
  });

const OLD = { max_tokens: 256, max_completion_tokens: undefined };
const NEW = { max_tokens: undefined, max_completion_tokens: 256 };

const startServer = async (refusal: string, status: number) => {
  const server = await startStubServer((response, { body }) => {
    if ((body as Body).max_tokens !== undefined) {
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: refusal } }));
      return;
    }
    const choice = { index: 0, delta: { content: '{"title":"Bread"}' }, finish_reason: "stop" };
    sendEvents(response, [{ id: "c", choices: [choice] }, "[DONE]"]);
    response.end();
  });
  onTestFinished(server.close);
  return server;
};

describe("a compatible server that refuses max_tokens", () => {
  it.each([
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      400,
    ],
    ["unknown field max_tokens", 422],
    ["max_tokens is not permitted", 400],
  ])(
    "is asked once more with max_completion_tokens, and with that from then on: %s",
    async (refusal, status) => {
      const server = await startServer(refusal, status);
      const model = createWireModel("openai-compatible", server.url);
      expect(await probeModel(model, "Mine")).toMatchObject({ ok: true });
      expect(limitsOf(server.requests)).toEqual([OLD, NEW]);
      const title = await generateTitle(
        model,
        "Why does bread rise?",
        new AbortController().signal,
      );
      expect(title).toMatchObject({ title: "Bread" });
      expect(limitsOf(server.requests)).toEqual([OLD, NEW, NEW]);
    },
  );

  it("is found out by a title too", async () => {
    const server = await startServer("Use max_completion_tokens.", 400);
    const model = createWireModel("openai-compatible", server.url);
    const { signal } = new AbortController();
    expect(await generateTitle(model, "Why?", signal)).toMatchObject({ title: "Bread" });
    expect(limitsOf(server.requests)).toEqual([OLD, NEW]);
  });

  it.each([
    ["no", 400],
    ["max_completion_tokens", 500],
  ])("is not asked again for another reason: %s (%d)", async (refusal, status) => {
    const server = await startServer(refusal, status);
    expect(
      await probeModel(createWireModel("openai-compatible", server.url), "Mine"),
    ).toMatchObject({ ok: false });
    expect(limitsOf(server.requests)).toEqual([OLD]);
  });
});

it("a compatible server that takes a lower limit is asked with that", async () => {
  const server = await startServer(
    "max_tokens is too large: 256. This model supports at most 128.",
    400,
  );
  await probeModel(createWireModel("openai-compatible", server.url), "Mine");
  expect(limitsOf(server.requests)).toEqual([OLD, { ...OLD, max_tokens: 128 }]);
});

describe("eager_input_streaming of Anthropic's tools", () => {
  it.each([
    [undefined, true],
    ["", true],
    ["https://api.anthropic.com/v1", true],
    ["https://API.eu.Anthropic.com/v1", true],
    ["https://anthropic.com.example.org/v1", false],
    ["https://notanthropic.com/v1", false],
    ["http://127.0.0.1:4000/v1", false],
  ])("is for Anthropic's own address: %s", (baseUrl, isOwn) => {
    expect(isAnthropicAddress(baseUrl)).toBe(isOwn);
  });

  it("is not sent to another address", async () => {
    const server = await startStubServer((response) => response.writeHead(401).end());
    onTestFinished(server.close);
    await callModel(
      createWireModel("anthropic", server.url),
      {
        prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
        tools: [{ type: "function", name: "t", inputSchema: { type: "object", properties: {} } }],
      },
      {
        sink: { start: () => undefined, append: () => undefined, end: () => undefined },
        signal: new AbortController().signal,
        now: () => new Date(),
      },
    );
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("eager_input_streaming");
  });
});
