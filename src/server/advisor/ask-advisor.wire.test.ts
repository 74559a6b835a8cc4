import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { callModel } from "@/server/model/call-model";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import { sendEvents, startStubServer } from "@/test/stub-server";
import { askAdvisor } from "./ask-advisor";
import { ADVISOR_GUIDANCE, ADVISOR_PROMPT } from "./prompts";
import { createQuota } from "./quota";

type WireProvider = "openai" | "anthropic" | "openai-compatible";

const MODELS: Record<WireProvider, string> = {
  openai: "gpt-5",
  anthropic: "claude-sonnet-4-5",
  "openai-compatible": "local",
};
const PROVIDERS = Object.keys(MODELS) as WireProvider[];
/** Output limit in each provider's request body. */
const TOKEN_CAP: Record<WireProvider, object> = {
  openai: { max_output_tokens: 77 },
  anthropic: { max_tokens: 77 },
  "openai-compatible": { max_tokens: 77 },
};

const askOverHttp = (provider: WireProvider, url: string) => {
  const access = { apiKey: "test-key-of-mine", baseUrl: `${url}/v1` };
  const models = createModelRegistry({
    openai: access,
    anthropic: access,
    "openai-compatible": access,
  });
  const model = models.toChatModel({
    provider,
    model: MODELS[provider],
    contextLimit: null,
    prices: null,
  });
  // Options of a chat that stores responses and chains them.
  const chaining = { store: true, previousResponseId: "resp_of_the_chat" };
  return askAdvisor(
    {
      model: {
        ...model,
        providerOptions: {
          ...model.providerOptions,
          [provider]: { ...model.providerOptions?.[provider], ...chaining },
        },
      },
      maxUses: 1,
      maxOutputTokens: 77,
    },
    {
      prompt: [
        { role: "system", content: "Be brief." },
        { role: "system", content: ADVISOR_GUIDANCE },
        { role: "user", content: [{ type: "text", text: "My chain is off." }] },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "c1", toolName: "read_file", input: {} }],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "c1",
              toolName: "read_file",
              output: { type: "text", value: "a manual" },
            },
          ],
        },
      ],
      step: { text: "Let me ask.", reasoning: "" },
      question: "Left or right?",
    },
    {
      quota: createQuota(1, 0),
      callModel,
      signal: new AbortController().signal,
      emit: () => undefined,
      now: () => new Date(),
      random: () => 0,
      wait: () => Promise.resolve(),
    },
  );
};

describe.each(PROVIDERS)("askAdvisor over %s", (provider) => {
  const mock = new LLMock({ port: 0, host: "127.0.0.1" });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());
  afterEach(() => mock.reset());

  it("returns advice", async () => {
    mock.onMessage("Left or right?", { content: "Left." });
    expect((await askOverHttp(provider, mock.url)).result).toMatchObject({
      type: "advice",
      advice: "Left.",
      advisor_model: `${provider}/${MODELS[provider]}`,
      remaining_uses: 0,
    });
    expect(mock.getLastRequest()?.body).toMatchObject({
      messages: expect.arrayContaining([
        { role: "system", content: expect.stringContaining(ADVISOR_PROMPT) as string },
        { role: "user", content: "Left or right?" },
      ]) as unknown,
    });
  });

  it("sends no tools, no chaining, no storage and an output limit", async () => {
    const server = await startStubServer((response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "enough seen", type: "invalid" } }));
    });
    onTestFinished(server.close);
    const { result } = await askOverHttp(provider, server.url);
    expect(result).toMatchObject({ type: "error", remaining_uses: 1 });
    const [request] = server.requests;
    const body = request?.body as Record<string, unknown>;
    for (const key of ["tools", "tool_choice", "previous_response_id", "previousResponseId"]) {
      expect(body, key).not.toHaveProperty(key);
    }
    expect(body).toMatchObject(TOKEN_CAP[provider]);
    // Anthropic has no such option.
    if (provider === "anthropic") expect(body).not.toHaveProperty("store");
    else expect(body).toHaveProperty("store", false);
    expect(JSON.stringify(body)).not.toContain("resp_of_the_chat");
    expect(JSON.stringify(body)).not.toContain("advisor-guidance");
  });

  it("retries an overload and a truncated stream, then returns an error", async () => {
    let calls = 0;
    const server = await startStubServer((response) => {
      calls++;
      if (calls === 1) {
        response.writeHead(529, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: { message: "busy", type: "overloaded_error" } }));
        return;
      }
      sendEvents(response, []);
      response.destroy();
    });
    onTestFinished(server.close);
    expect((await askOverHttp(provider, server.url)).result).toMatchObject({
      type: "error",
      remaining_uses: 1,
    });
    expect(calls).toBeGreaterThan(1);
  });
});
