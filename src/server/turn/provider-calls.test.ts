import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { editMessage } from "@/server/chat/edit-message";
import { forkChat } from "@/server/chat/fork-chat";
import { sendMessage } from "@/server/chat/send-message";
import type { ServerContext } from "@/server/context";
import { type ClaimedChat, claimChats } from "@/server/db/sql/machine/claim";
import type { ChatModel } from "@/server/model/model-step";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { createToolModel } from "@/test/own-tools";
import {
  anthropicAnswer,
  anthropicBlock,
  anthropicCall,
  anthropicSearchResult,
  anthropicText,
  endAnswer,
  googleAnswer,
  openAiAnswer,
  PLAIN_ANSWERS,
  type ToolProvider,
} from "@/test/provider-events";
import { startStubServer } from "@/test/stub-server";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { findWireProblems } from "@/test/wire-messages";

let ctx: ServerContext;
beforeAll(async () => {
  ctx = await createTestContext(await testDatabase());
});

/** Starts a server that answers with these, one after the other, and then without calls. */
const startServer = async (provider: ToolProvider, answers: unknown[][]) => {
  let count = 0;
  const server = await startStubServer((response) => {
    endAnswer(response, answers[count] ?? PLAIN_ANSWERS[provider]);
    count += 1;
  });
  onTestFinished(server.close);
  return server;
};
const run = (turn: TurnFixture, model: ChatModel) =>
  turn.run({ resolveModel: () => Promise.resolve(model) });
const say = ({ chatId }: Pick<TurnFixture, "chatId">, text = "And tomorrow?") =>
  sendMessage(ctx, { chatId, content: toTextContent(text), busyBehavior: "reject" });

const claim = async (chatId: string): Promise<ClaimedChat> => {
  const claimed = await claimChats(ctx.db, { owner: "test", limit: 10_000 });
  const mine = claimed.find(({ id }) => id === chatId);
  if (!mine) throw new Error("the chat could not be claimed");
  return mine;
};

type Server = Awaited<ReturnType<typeof startServer>>;

const expectNoProblems = (provider: ToolProvider, { requests }: Server): void => {
  for (const { body } of requests) expect(findWireProblems(provider, body)).toEqual([]);
};

const SEARCH = { id: "srvtoolu_1", name: "web_search", input: { query: "tides" } };
const THOUGHT = (index: number) => [
  { type: "content_block_start", index, content_block: { type: "thinking", thinking: "" } },
  { type: "content_block_delta", index, delta: { type: "thinking_delta", thinking: "Hm." } },
  { type: "content_block_delta", index, delta: { type: "signature_delta", signature: "signed" } },
  { type: "content_block_stop", index },
];
const SEARCHED = anthropicAnswer([
  anthropicCall("server_tool_use", SEARCH),
  anthropicSearchResult("srvtoolu_1"),
  anthropicText("At noon."),
]);
const RAN_CODE = anthropicAnswer([
  anthropicCall("server_tool_use", {
    id: "srvtoolu_2",
    name: "bash_code_execution",
    input: { command: "ls" },
  }),
  anthropicBlock({
    type: "bash_code_execution_tool_result",
    tool_use_id: "srvtoolu_2",
    content: {
      type: "bash_code_execution_result",
      stdout: "a.txt",
      stderr: "",
      return_code: 0,
      content: [],
    },
  }),
  anthropicText("One file."),
]);
const SEARCH_FAILED = anthropicAnswer([
  anthropicCall("server_tool_use", SEARCH),
  anthropicBlock({
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_1",
    content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
  }),
  anthropicText("I cannot search."),
]);
const OPENAI_SEARCH = {
  type: "web_search_call",
  id: "ws_1",
  status: "completed",
  action: {
    type: "search",
    query: "tides",
    sources: [{ type: "url", url: "https://tides.example/oban" }],
  },
};
const reasoning = (id: string) => ({
  type: "reasoning",
  id,
  summary: [],
  encrypted_content: `sealed-${id}`,
});
const CODE_CALL = {
  type: "code_interpreter_call",
  id: "ci_1",
  status: "completed",
  container_id: "cntr_1",
  code: "print(1)",
  outputs: [{ type: "logs", logs: "1" }],
};
const GOOGLE_SEARCHED = googleAnswer([
  {
    toolCall: { toolType: "GOOGLE_SEARCH_WEB", args: { queries: ["tides"] }, id: "g_1" },
    thoughtSignature: "signed-call",
  },
  {
    toolResponse: {
      toolType: "GOOGLE_SEARCH_WEB",
      response: { search_suggestions: "<div>tides</div>" },
      id: "g_1",
    },
    thoughtSignature: "signed-response",
  },
  { text: "At noon." },
]);
const GOOGLE_RAN_CODE = googleAnswer([
  { executableCode: { language: "PYTHON", code: "print(1)" } },
  { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
  { text: "It is 1." },
]);

/** An answer, what is stored of its calls, and what of it goes back to the provider. */
const ANSWERED: [
  what: string,
  provider: ToolProvider,
  events: unknown[],
  calls: object[],
  sent: RegExp[],
  omitted?: RegExp[],
][] = [
  [
    "a search of Anthropic",
    "anthropic",
    SEARCHED,
    [{ toolName: "web_search", state: "completed", args: { query: "tides" } }],
    [/"type":"server_tool_use","id":"srvtoolu_1"/, /"encrypted_content":"sealed-content"/],
  ],
  [
    "a search of Anthropic that failed",
    "anthropic",
    SEARCH_FAILED,
    [{ toolName: "web_search", state: "error", isError: true }],
    [/"error_code":"max_uses_exceeded"/],
  ],
  [
    "code that Anthropic has run",
    "anthropic",
    RAN_CODE,
    [{ toolName: "code_execution", state: "completed" }],
    [/"name":"bash_code_execution"/, /"stdout":"a.txt"/],
  ],
  [
    "a search of OpenAI",
    "openai",
    openAiAnswer("At noon.", [reasoning("rs_1"), OPENAI_SEARCH]),
    [{ toolName: "web_search", state: "completed" }],
    [/"type":"web_search_call","id":"ws_1"/, /sealed-rs_1/, /At noon\./],
  ],
  [
    "code that OpenAI has run, which it does not take back",
    "openai",
    openAiAnswer("It is 1.", [reasoning("rs_1"), CODE_CALL, reasoning("rs_2")]),
    [{ toolName: "code_interpreter", state: "completed" }],
    [/It is 1\./],
    [/"type":"code_interpreter_call"/, /sealed-rs/],
  ],
  [
    "a search of Google",
    "google",
    GOOGLE_SEARCHED,
    [{ kind: "provider", state: "completed", args: { queries: ["tides"] } }],
    [
      /"toolCall":\{"toolType":"GOOGLE_SEARCH_WEB"/,
      /"toolResponse":/,
      /signed-call/,
      /signed-response/,
    ],
  ],
  [
    "code that Google has run",
    "google",
    GOOGLE_RAN_CODE,
    [{ toolName: "code_execution", state: "completed" }],
    [/"executableCode":\{"language":"PYTHON"/, /"codeExecutionResult":\{"outcome":"OUTCOME_OK"/],
  ],
];

describe.each(ANSWERED)("%s", (_what, provider, events, calls, sent, omitted = []) => {
  const answerOnce = async () => {
    const server = await startServer(provider, [events]);
    const model = createToolModel(provider, server.url);
    const turn = await createTurnFixture({ steps: [], ctx });
    await run(turn, model);
    return { server, model, turn };
  };

  it("is stored, and goes back in the next turn, in a fork, and after an edit", async () => {
    const { server, model, turn } = await answerOnce();
    const parts = (await turn.history()).at(-1)?.parts ?? [];
    expect(parts.filter(({ type }) => type === "tool_call")).toMatchObject(
      calls.map((call) => ({ kind: "provider", ...call })),
    );
    await say(turn);
    await run(turn, model);
    const fork = await forkChat(ctx, { chatId: turn.chatId });
    await say({ chatId: fork.id });
    await turn.run({ resolveModel: () => Promise.resolve(model) }, await claim(fork.id));
    const question = (await turn.history()).at(-2);
    await editMessage(ctx, {
      chatId: turn.chatId,
      messageId: question?.id ?? "",
      content: toTextContent("And on Sunday?"),
    });
    await run(turn, model);
    const later = server.requests.slice(1);
    expect(later).toHaveLength(3);
    for (const { text } of later) {
      for (const pattern of sent) expect(text).toMatch(pattern);
      for (const pattern of omitted) expect(text).not.toMatch(pattern);
    }
    expectNoProblems(provider, server);
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  });

  it("goes neither to another model, nor to its own without the tools", async () => {
    const { server, model, turn } = await answerOnce();
    await say(turn);
    await run(turn, createToolModel(provider, server.url, { tools: [] }));
    await say(turn);
    await run(turn, createToolModel(provider, server.url, { model: "another-model", tools: [] }));
    expect(model.label).not.toContain("another");
    for (const { text } of server.requests.slice(1)) {
      expect(text).not.toMatch(
        /server_tool_use|"web_search_call"|toolCall|executableCode|sealed|signed/,
      );
    }
    expectNoProblems(provider, server);
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  });
});

it("a result that is longer than its share is left out with its call, and with what cites it", async () => {
  const cited = (index: number) => [
    {
      type: "content_block_start",
      index,
      content_block: { type: "text", text: "", citations: [] },
    },
    { type: "content_block_delta", index, delta: { type: "text_delta", text: "At noon." } },
    {
      type: "content_block_delta",
      index,
      delta: {
        type: "citations_delta",
        citation: {
          type: "web_search_result_location",
          url: "https://tides.example/oban",
          title: "Tides in Oban",
          encrypted_index: "sealed-index",
          cited_text: "noon",
        },
      },
    },
    { type: "content_block_stop", index },
  ];
  const answer = (content: string) =>
    anthropicAnswer([
      anthropicCall("server_tool_use", SEARCH),
      anthropicSearchResult("srvtoolu_1", content),
      cited,
    ]);
  for (const [content, isSent] of [
    ["c".repeat(2_000), true],
    ["c".repeat(30_000), false],
  ] as const) {
    const server = await startServer("anthropic", [answer(content)]);
    const model = createToolModel("anthropic", server.url, { contextLimit: 20_000 });
    const turn = await createTurnFixture({ steps: [], ctx });
    await run(turn, model);
    await say(turn);
    await run(turn, model);
    const text = server.requests[1]?.text ?? "";
    expect(text).toContain("At noon.");
    expect(text.includes("server_tool_use")).toBe(isSent);
    expect(text.includes("sealed-index")).toBe(isSent);
    expectNoProblems("anthropic", server);
  }
});

describe("an answer that Anthropic pauses", () => {
  const paused = anthropicAnswer(
    [
      THOUGHT,
      anthropicCall("server_tool_use", SEARCH),
      anthropicSearchResult("srvtoolu_1"),
      anthropicCall("server_tool_use", { ...SEARCH, id: "srvtoolu_2" }),
    ],
    { reason: "pause_turn", container: "container_1" },
  );

  it("is sent back as it is, and goes on as one message", async () => {
    const server = await startServer("anthropic", [
      paused,
      anthropicAnswer([anthropicSearchResult("srvtoolu_2", "sealed-2"), anthropicText("At noon.")]),
    ]);
    const turn = await createTurnFixture({ steps: [], ctx });
    await run(turn, createToolModel("anthropic", server.url));
    const [first, second] = server.requests;
    const messages = ({ body }: { body: unknown }) => (body as { messages: object[] }).messages;
    if (!first || !second) throw new Error("the answer did not go on");
    expect(server.requests).toHaveLength(2);
    expect(messages(second).slice(0, -1)).toMatchObject(
      messages(first).map(({ ...one }) => ({
        role: (one as { role: string }).role,
      })),
    );
    expect(messages(second).at(-1)).toMatchObject({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "signed" },
        { type: "server_tool_use", id: "srvtoolu_1", input: { query: "tides" } },
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_1" },
        { type: "server_tool_use", id: "srvtoolu_2" },
      ],
    });
    expect(second.body).toMatchObject({ container: "container_1" });
    expect((second.body as { tools: object[] }).tools).toEqual(
      (first.body as { tools: object[] }).tools,
    );
    const history = await turn.history();
    expect(history).toHaveLength(2);
    expect(history[1]).toMatchObject({
      finishReason: "stop",
      usage: { input_tokens: 18, output_tokens: 8 },
    });
    expect(history[1]?.parts.filter(({ type }) => type === "tool_call")).toMatchObject([
      { toolCallId: "srvtoolu_1", state: "completed" },
      { toolCallId: "srvtoolu_2", state: "completed" },
    ]);
    expectNoProblems("anthropic", server);
  });

  it("ends after as many pauses as it may have", async () => {
    let count = 0;
    const server = await startStubServer((response) => {
      count += 1;
      endAnswer(
        response,
        anthropicAnswer(
          [
            anthropicCall("server_tool_use", { ...SEARCH, id: `srvtoolu_${count}` }),
            anthropicSearchResult(`srvtoolu_${count}`),
          ],
          { reason: "pause_turn" },
        ),
      );
    });
    onTestFinished(server.close);
    const turn = await createTurnFixture({ steps: [], ctx });
    await run(turn, createToolModel("anthropic", server.url));
    expect(count).toBe(11);
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
    expect((await turn.history()).at(-1)).toMatchObject({ finishReason: "other" });
    expectNoProblems("anthropic", server);
  });

  it("keeps what has come if it cannot go on", async () => {
    let count = 0;
    const server = await startStubServer((response) => {
      count += 1;
      if (count === 1) return endAnswer(response, paused);
      response.writeHead(400, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          type: "error",
          error: { type: "invalid_request_error", message: "messages.1.content.3: no prefill" },
        }),
      );
    });
    onTestFinished(server.close);
    const turn = await createTurnFixture({ steps: [], ctx });
    await run(turn, createToolModel("anthropic", server.url));
    expect(await turn.chat()).toMatchObject({ status: "error" });
    expect((await turn.history()).at(-1)?.parts).toMatchObject([
      { type: "reasoning" },
      { toolCallId: "srvtoolu_1", state: "completed" },
      { type: "source" },
      { toolCallId: "srvtoolu_2", state: "cancelled", output: null },
    ]);
  });
});

describe("a search in a step with another tool, after whose results Anthropic runs it", () => {
  const asked = anthropicAnswer(
    [
      THOUGHT,
      anthropicCall("server_tool_use", SEARCH),
      anthropicCall("tool_use", { id: "toolu_1", name: "current_time", input: {} }),
    ],
    { reason: "tool_use" },
  );
  const answered = anthropicAnswer([
    anthropicSearchResult("srvtoolu_1"),
    anthropicText("At noon."),
  ]);

  it("is sent back without a result, and has it in the next answer", async () => {
    const server = await startServer("anthropic", [asked, answered]);
    const model = createToolModel("anthropic", server.url);
    const turn = await createTurnFixture({ steps: [], ctx });
    await run(turn, model);
    expect(server.requests[1]?.text).toMatch(/"type":"server_tool_use","id":"srvtoolu_1"/);
    const [, first, second] = await turn.history();
    expect(first?.parts).toMatchObject([
      { type: "reasoning" },
      { toolCallId: "srvtoolu_1", kind: "provider", state: "cancelled", output: null },
      { toolCallId: "toolu_1", state: "completed" },
    ]);
    expect(second?.parts[0]).toMatchObject({
      toolCallId: expect.stringMatching(/^srvtoolu_1_\w+$/) as string,
      kind: "provider",
      state: "completed",
      args: { query: "tides" },
    });
    await say(turn);
    await run(turn, model);
    // Where the provider has sent them: the call before the results of the other tool, and its result after these.
    const { messages } = server.requests[2]?.body as { messages: { content: object[] }[] };
    expect(messages[1]?.content).toMatchObject([
      { type: "thinking", signature: "signed" },
      { type: "server_tool_use", id: "srvtoolu_1", input: { query: "tides" } },
      { type: "tool_use", id: "toolu_1" },
    ]);
    expect(messages[3]?.content).toMatchObject([
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_1" },
      { type: "text", text: "At noon." },
    ]);
    const withoutTools = createToolModel("anthropic", server.url, { tools: [] });
    await say(turn);
    await run(turn, withoutTools);
    expect(server.requests[3]?.text).not.toMatch(/server_tool_use|sealed|signed/);
    expectNoProblems("anthropic", server);
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  });

  it("does not go on after a message of a person", async () => {
    const server = await startServer("anthropic", [asked]);
    const model = createToolModel("anthropic", server.url);
    const turn = await createTurnFixture({ steps: [], ctx, autoSubmit: { success: false } });
    await run(turn, model);
    await say(turn);
    await run(turn, model);
    expect(server.requests[1]?.text).not.toContain("server_tool_use");
    expectNoProblems("anthropic", server);
  });
});
