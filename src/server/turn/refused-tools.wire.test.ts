import { beforeAll, expect, it, onTestFinished } from "vitest";
import { sendMessage } from "@/server/chat/send-message";
import { testDatabase } from "@/test/database";
import { toTextContent } from "@/test/chat-fixture";
import { startStubServer } from "@/test/stub-server";
import { createTurnFixture } from "@/test/turn-fixture";
import { createWireModel } from "@/test/wire-model";

beforeAll(() => testDatabase());

const TOOLS = [{ name: "fine" }, { name: "bad" }];
const WARNING =
  'The tool "bad" is not offered: the server of openai-compatible/local refuses its definition.';

/** Starts a server that refuses the tool "bad" by name, and answers without it. */
const startStrictServer = async () => {
  const server = await startStubServer((response, { text }) => {
    if (text.includes('"bad"')) {
      const message = "Failed to compile the grammar of tool 'bad'";
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message } }));
      return;
    }
    const choice = { index: 0, delta: { content: "Hi." }, finish_reason: "stop" };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
  });
  onTestFinished(server.close);
  return server;
};

it("a tool that the server refuses is a warning of each chat that has it, once", async () => {
  const { url, requests } = await startStrictServer();
  const model = createWireModel("openai-compatible", url);
  const resolveModel = () => Promise.resolve(model);
  const turn = await createTurnFixture({ steps: [], dynamicTools: TOOLS });
  await turn.run({ resolveModel });
  expect(await turn.chat()).toMatchObject({ status: "waiting", warnings: [WARNING] });
  expect(requests).toHaveLength(2);
  const content = toTextContent("And now?");
  await sendMessage(turn.ctx, { chatId: turn.chatId, content, busyBehavior: "reject" });
  await turn.run({ resolveModel });
  expect(await turn.chat()).toMatchObject({ status: "waiting", warnings: [WARNING] });

  // The model is known to refuse it by now, which the people of another chat have not been told.
  const other = await createTurnFixture({ steps: [], dynamicTools: TOOLS });
  await other.run({ resolveModel });
  expect(await other.chat()).toMatchObject({ status: "waiting", warnings: [WARNING] });
  expect(requests).toHaveLength(4);
});
