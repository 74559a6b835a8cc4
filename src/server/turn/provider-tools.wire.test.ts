import type { ServerResponse } from "node:http";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import type { ProviderToolName } from "@/contract/provider-tool";
import { sendMessage } from "@/server/chat/send-message";
import type { ServerContext } from "@/server/context";
import type { ChatModel } from "@/server/model/model-step";
import { defineTool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { createToolModel } from "@/test/own-tools";
import { endAnswer, PLAIN_ANSWERS, type ToolProvider } from "@/test/provider-events";
import { startStubServer } from "@/test/stub-server";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";

let ctx: ServerContext;
beforeAll(async () => {
  ctx = await createTestContext(await testDatabase());
});

const startServer = async (
  answer: (response: ServerResponse, request: { text: string }) => void,
) => {
  const server = await startStubServer(answer);
  onTestFinished(server.close);
  return server;
};
const run = (turn: TurnFixture, model: ChatModel) =>
  turn.run({ resolveModel: () => Promise.resolve(model) });
const say = ({ chatId }: TurnFixture, text: string) =>
  sendMessage(ctx, { chatId, content: toTextContent(text), busyBehavior: "reject" });
const listSent = (body: unknown): unknown[] => (body as { tools?: unknown[] }).tools ?? [];

const OFFERED: [provider: ToolProvider, tools: Partial<Record<ProviderToolName, object>>][] = [
  [
    "openai",
    {
      web_search: { type: "web_search" },
      code_execution: { type: "code_interpreter", container: { type: "auto" } },
      file_search: { type: "file_search", vector_store_ids: ["store-1"] },
    },
  ],
  [
    "anthropic",
    {
      web_search: { type: "web_search_20250305", name: "web_search", max_uses: 8 },
      code_execution: { type: "code_execution_20250825", name: "code_execution" },
    },
  ],
  [
    "google",
    {
      web_search: { googleSearch: {} },
      code_execution: { codeExecution: {} },
      file_search: { fileSearch: { fileSearchStoreNames: ["store-1"] } },
    },
  ],
];

describe.each(OFFERED)("%s", (provider, offered) => {
  const answer = (response: ServerResponse) => endAnswer(response, PLAIN_ANSWERS[provider]);

  it("gets the tools that its model has, in addition to those of the server", async () => {
    const server = await startServer(answer);
    const turn = await createTurnFixture({ steps: [], ctx, dynamicTools: [{ name: "deploy" }] });
    await run(turn, createToolModel(provider, server.url));
    const sent = server.requests[0];
    for (const tool of Object.values(offered)) {
      expect(listSent(sent?.body)).toContainEqual(expect.objectContaining(tool));
    }
    expect(sent?.text).toContain('"deploy"');
    expect(await turn.chat()).toMatchObject({ status: "waiting", warnings: [] });
  });

  it("gets those only that the chat has switched on", async () => {
    const server = await startServer(answer);
    const turn = await createTurnFixture({
      steps: [],
      ctx,
      parameters: { provider_tools: ["code_execution"] },
    });
    await run(turn, createToolModel(provider, server.url));
    const sent = listSent(server.requests[0]?.body);
    expect(sent).toContainEqual(expect.objectContaining(offered.code_execution));
    expect(sent).not.toContainEqual(expect.objectContaining(offered.web_search));
  });

  it("gets none where the model has none", async () => {
    const server = await startServer(answer);
    const turn = await createTurnFixture({ steps: [], ctx });
    await run(turn, createToolModel(provider, server.url, { tools: [] }));
    expect(listSent(server.requests[0]?.body)).not.toContainEqual(
      expect.objectContaining(offered.web_search),
    );
  });

  it("goes without one that its server refuses, and people see one warning", async () => {
    const [type] = Object.values(offered.web_search ?? {}) as string[];
    const refused = provider === "google" ? "google_search" : (type ?? "");
    const wanted = provider === "google" ? "googleSearch" : refused;
    const server = await startServer((response, { text }) => {
      if (!text.includes(wanted)) return answer(response);
      response.writeHead(400, { "content-type": "application/json" });
      const message = `This model does not support the tool ${refused}`;
      response.end(
        JSON.stringify({ type: "error", error: { message, type: "invalid_request_error" } }),
      );
    });
    const model = createToolModel(provider, server.url);
    const turn = await createTurnFixture({ steps: [], ctx });
    await run(turn, model);
    expect(await turn.chat()).toMatchObject({
      status: "waiting",
      warnings: [expect.stringMatching(/search" is not offered/)],
    });
    expect(server.requests).toHaveLength(2);
    await say(turn, "again");
    await run(turn, model);
    expect(server.requests).toHaveLength(3);
    expect((await turn.chat()).warnings).toHaveLength(1);
  });
});

it("a refusal of a call in the prompt is not taken for one of its tool", async () => {
  const server = await startServer((response) => {
    response.writeHead(400, { "content-type": "application/json" });
    const message = "messages.1.content.2: web_search_tool_result: Invalid `encrypted_content`";
    response.end(
      JSON.stringify({ type: "error", error: { message, type: "invalid_request_error" } }),
    );
  });
  const turn = await createTurnFixture({ steps: [], ctx });
  await run(turn, createToolModel("anthropic", server.url));
  expect(server.requests).toHaveLength(1);
  expect(await turn.chat()).toMatchObject({ status: "error", warnings: [] });
});

const search = defineTool({
  name: "web_search",
  description: "Searches.",
  input: z.object({}),
  run: () => Promise.resolve(toolResult("")),
});

describe("a tool of the same name", () => {
  const startAnthropic = () =>
    startServer((response) => endAnswer(response, PLAIN_ANSWERS.anthropic));

  it("of the server is replaced", async () => {
    const server = await startAnthropic();
    const turn = await createTurnFixture({ steps: [], ctx, tools: [search] });
    await run(turn, createToolModel("anthropic", server.url));
    const names = listSent(server.requests[0]?.body).filter(
      (tool) => (tool as { name: string }).name === "web_search",
    );
    expect(names).toEqual([expect.objectContaining({ type: "web_search_20250305" })]);
  });
});

it("Gemini before version 3, which takes one kind of tools, gets those of the server", async () => {
  const server = await startServer((response) => endAnswer(response, PLAIN_ANSWERS.google));
  const turn = await createTurnFixture({ steps: [], ctx, dynamicTools: [{ name: "deploy" }] });
  await run(turn, createToolModel("google", server.url, { model: "gemini-2.5-flash" }));
  const sent = server.requests[0]?.text ?? "";
  expect(sent).toContain('"deploy"');
  expect(sent).not.toContain("googleSearch");
  expect((await turn.chat()).warnings).toEqual([
    expect.stringMatching(/takes either the tools of this server or those of its provider/),
  ]);
});
