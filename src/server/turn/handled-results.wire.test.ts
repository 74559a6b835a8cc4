import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import sharp from "sharp";
import { v7 as newId } from "uuid";
import * as z from "zod";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { createWireModel, WIRE_PROVIDERS, type WireProvider } from "@/test/wire-model";
import type { ClaimedChat } from "@/server/db/sql/machine/claim";
import { defineTool } from "@/server/tools/tool";
import { toolResult, userResult, withResponseHandled } from "@/server/tools/tool-result";
import { emptyToolDeps } from "@/test/tool-fixture";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import { getLocalCalls } from "./decide-next";
import { sendMessage } from "@/server/chat/send-message";

beforeAll(() => testDatabase());

const input = z.object({});
const tools = [
  defineTool({
    name: "hand_over",
    description: "Hands over",
    input,
    run: () => Promise.resolve(withResponseHandled(userResult("Here it is."))),
  }),
  defineTool({
    name: "look_up",
    description: "Looks up",
    input,
    run: () => Promise.resolve(toolResult("found")),
  }),
];

type Sent = {
  role: string;
  content: unknown;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
};

/** Files whose names are their content. */
const openWorkspace: WorkspaceDeps["openWorkspace"] = (chat) => ({
  ...emptyToolDeps.openWorkspace(chat),
  read: (path) => (path === "dot.png" ? DOT : Promise.resolve(Buffer.from(path))),
});
const DOT = sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
  .png()
  .toBuffer();

const RESULT_AND_QUESTION: Record<WireProvider, string[]> = {
  openai: ["tool", "user"],
  // Both are in one message, of which the mock lists the text first.
  anthropic: ["user", "tool"],
  google: ["tool", "user"],
  // Some chat templates refuse a user message after a result.
  "openai-compatible": ["tool", "assistant", "user"],
};

describe.each(WIRE_PROVIDERS)("%s: a batch of calls", (provider) => {
  const mock = new LLMock({ port: 0, host: "127.0.0.1" });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());
  afterEach(() => mock.reset());

  const start = async (...names: string[]): Promise<TurnFixture> => {
    const args = JSON.stringify({ path: "a.txt" });
    const toolCalls = names.map((name) => ({ name, arguments: args, id: `call_${name}` }));
    mock.on({ userMessage: "hello", hasToolResult: false }, { toolCalls });
    mock.on({ hasToolResult: true }, { content: "That is all." });
    mock.onMessage("thanks", { content: "You are welcome." });
    return createFixture();
  };
  const createFixture = async (): Promise<TurnFixture> => {
    const db = await testDatabase();
    const toolDeps = { ...createArtifactDeps({ db, newId }), openWorkspace };
    return createTurnFixture({ steps: [], tools, toolDeps });
  };
  const run = (turn: TurnFixture, claimed?: ClaimedChat) =>
    turn.run({ resolveModel: () => Promise.resolve(createWireModel(provider, mock.url)) }, claimed);
  const say = (turn: TurnFixture, text: string) =>
    sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent(text),
      busyBehavior: "queue",
    });
  const lastMessages = () =>
    (mock.getLastRequest()?.body as unknown as { messages: Sent[] }).messages;

  it("that are all handled ends the turn without a further request", async () => {
    const turn = await start("hand_over");
    await run(turn);
    expect(mock.getRequests()).toHaveLength(1);
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 1, lastError: null });
    expect((await turn.history()).map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("that are all handled is well-formed history in the next request", async () => {
    const turn = await start("hand_over");
    await run(turn);
    await say(turn, "thanks");
    await run(turn);
    expect(mock.getRequests()).toHaveLength(2);
    const messages = lastMessages();
    const call = messages.find(({ tool_calls }) => tool_calls);
    const result = messages.find(({ role }) => role === "tool");
    expect(result?.tool_call_id).toBe(call?.tool_calls?.[0]?.id);
    expect(JSON.stringify(result?.content)).toMatch(/Here it is\..*The user already has this/);
    const roles = messages.map(({ role }) => role).filter((role) => role !== "system");
    expect(roles).toEqual(["user", "assistant", ...RESULT_AND_QUESTION[provider]]);
  });

  it("of which one is not handled is followed by one more request", async () => {
    const turn = await start("hand_over", "look_up");
    await run(turn);
    expect(mock.getRequests()).toHaveLength(2);
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 2 });
  });

  it("that are all handled is followed by one more request while a message is queued", async () => {
    const turn = await start("hand_over");
    const claimed = await turn.claim();
    await say(turn, "thanks");
    await run(turn, { ...claimed, queuedCount: 1 });
    expect(mock.getRequests()).toHaveLength(2);
    expect(await turn.chat()).toMatchObject({ status: "pending", queuedCount: 0 });
  });

  it("with deliver_file alone ends the turn, with read_file it goes on", async () => {
    const alone = await start("deliver_file");
    await run(alone);
    expect(mock.getRequests()).toHaveLength(1);
    expect(await getFiles(alone)).toMatchObject([{ name: "a.txt", mediaType: "text/plain" }]);

    mock.reset();
    await run(await start("deliver_file", "read_file"));
    expect(mock.getRequests()).toHaveLength(2);
  });

  it("with a file that is not delivered lets the next call deliver it, once", async () => {
    const call = (name: string, args: object) => ({
      toolCalls: [{ name, arguments: JSON.stringify(args), id: `call_${name}` }],
    });
    mock.on(
      { userMessage: "hello", hasToolResult: false },
      call("load_image", { path: "dot.png" }),
    );
    // The image may be in a user message after the result.
    mock.on(
      { predicate: ({ messages }) => messages.some(({ role }) => role === "tool") },
      (request) => {
        const [, artifact_id = ""] = /Artifacts: \[([\w-]+)/.exec(JSON.stringify(request)) ?? [];
        return call("deliver_file", { artifact_id });
      },
    );
    const turn = await createFixture();
    await run(turn);
    expect(mock.getRequests()).toHaveLength(2);
    const [image, ...more] = await getFiles(turn);
    expect(more).toEqual([]);
    const calls = (await turn.history()).flatMap(getLocalCalls);
    expect(calls.map(({ toolName, responseHandled }) => [toolName, responseHandled])).toEqual([
      ["load_image", false],
      ["deliver_file", true],
    ]);
    for (const { artifacts } of calls) expect(artifacts).toMatchObject([{ id: image?.id }]);
  });

  const getFiles = async ({ chatId }: TurnFixture) =>
    (await testDatabase()).prisma.artifact.findMany({ where: { chatId } });
});
