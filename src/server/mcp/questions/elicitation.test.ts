import { beforeAll, describe, expect, it } from "vitest";
import type { ElicitationAnswer } from "@/contract/elicitation";
import type { JsonObject } from "@/contract/json";
import type { McpServerInput } from "@/contract/mcp-server";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import { interruptChat } from "@/server/chat/interrupt-chat";
import type { ToolOutcome } from "@/server/tools/settle";
import type { Elicit } from "@/server/tools/tool-context";
import { testDatabase } from "@/test/database";
import {
  createMcpFixture,
  MCP_WAYS,
  reachEverything,
  runProgram,
  toRecord,
} from "@/test/mcp-fixture";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { recordedDeps } from "@/test/tool-fixture";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";

// Each test starts programs, which takes seconds on a busy machine.

beforeAll(() => testDatabase());

const TOOL = "test_trigger-elicitation-request";
const ADA = { name: "Ada", check: true, integer: 7, untitledMultipleSelectEnum: ["Piano"] };

const calls = async ({ history }: TurnFixture) =>
  (await history()).flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));

const answer = ({ ctx, chatId }: TurnFixture, answers: Record<string, ElicitationAnswer>) =>
  submitToolResults(ctx, {
    chatId,
    results: Object.entries(answers).map(([toolCallId, output]) => ({
      toolCallId,
      output,
      isError: false,
    })),
  });

describe.each(MCP_WAYS)("the reference server by %s", (way) => {
  it("has its questions answered, declined and cancelled, also several of a step", async () => {
    const { servers } = createMcpFixture([toRecord(await reachEverything(way))]);
    const fixture = await createTurnFixture({
      mcp: servers,
      steps: [
        [
          ...toolCallParts("one", TOOL, {}),
          ...toolCallParts("two", TOOL, {}),
          finishPart("tool-calls"),
        ],
        [...toolCallParts("three", TOOL, {}), finishPart("tool-calls")],
        textStep("done"),
      ],
    });
    await fixture.run();
    expect(await calls(fixture)).toMatchObject([
      {
        kind: "mcp",
        state: "awaiting_result",
        elicitations: [
          {
            message: "Please provide inputs for the following fields:",
            requested_schema: { type: "object", required: ["name"] },
          },
        ],
      },
      { kind: "mcp", state: "awaiting_result" },
    ]);
    await expect(
      answer(fixture, {
        one: { action: "accept", content: { ...ADA, integer: 1_000 } },
        two: { action: "decline" },
      }),
    ).rejects.toMatchObject({ errors: [{ pointer: "/results/0/output/content/integer" }] });
    await answer(fixture, {
      one: { action: "accept", content: ADA },
      two: { action: "decline" },
    });
    await fixture.run();
    await answer(fixture, { three: { action: "cancel" } });
    await fixture.run();
    const outputs = (await calls(fixture)).map(({ state, output }) => [state, output] as const);
    expect(outputs.map(([state]) => state)).toEqual(["completed", "completed", "completed"]);
    expect(outputs[0]?.[1]).toContain("- Name: Ada");
    expect(outputs[1]?.[1]).toContain("User declined");
    expect(outputs[2]?.[1]).toContain("User cancelled");
    expect((await fixture.chat()).status).toBe("waiting");
  });

  it("is told when nobody will answer any more, and goes on", async () => {
    const mcp = createMcpFixture([toRecord(await reachEverything(way))]);
    const fixture = await createTurnFixture({
      mcp: mcp.servers,
      steps: [[...toolCallParts("one", TOOL, {}), finishPart("tool-calls")]],
    });
    await fixture.run();
    await interruptChat(fixture.ctx, fixture);
    await fixture.heldCalls.check([fixture.chatId]);
    expect(await mcp.call("test_echo", { message: "on" })).toMatchObject({ output: "Echo: on" });
  });
});

const SHAPE = { type: "object", properties: { ok: { type: "boolean" } } };
const QUESTION = { message: "Ready?", requestedSchema: SHAPE };
const YES: ElicitationAnswer = { action: "accept", content: { ok: true } };

const askingServer = (changes: Partial<McpServerInput> = {}) =>
  createMcpFixture([toRecord(runProgram("asking-server.mjs"), changes)]);

/** Calls a tool in a chat whose person answers at once, or as they are told. */
const callIn = (
  { call }: ReturnType<typeof createMcpFixture>,
  name: string,
  {
    args,
    chatId = "x",
    elicit = () => Promise.resolve(YES),
  }: { args: JsonObject; chatId?: string; elicit?: Elicit },
): Promise<ToolOutcome> =>
  call(name, args, recordedDeps({ elicit, maxOutputBytes: 100_000, step: { chatId } }));

type Response = { result?: JsonObject; error?: { code: number; message: string } };
const responses = ({ output }: ToolOutcome): Response[] =>
  JSON.parse(output as string) as Response[];

describe("a question", () => {
  it.each([
    ["text", "requestedSchema", { type: "string" }],
    ["a nested object", "requestedSchema", { ...SHAPE, properties: { deep: SHAPE } }],
    [
      "a list of texts",
      "requestedSchema",
      { ...SHAPE, properties: { a: { type: "array", items: { type: "string" } } } },
    ],
    [
      "a reference",
      "requestedSchema",
      { ...SHAPE, properties: { a: { $ref: "#/definitions/a" } } },
    ],
    ["rules for several fields", "must be an object", { ...SHAPE, allOf: [{ required: ["a"] }] }],
    [
      "a large schema",
      "65536 bytes",
      { ...SHAPE, properties: { a: { type: "string", description: "x".repeat(70_000) } } },
    ],
  ])("for %s is refused", async (_name, reason, requestedSchema) => {
    const questions = [{ message: "What?", requestedSchema }];
    const outcome = await callIn(askingServer(), "test_ask", { args: { questions } });
    const [{ error } = {}] = responses(outcome);
    expect(error).toMatchObject({ code: -32602 });
    expect(error?.message).toContain(reason);
  });

  it("of 10,001 characters, by an address, or for the model is refused", async () => {
    const server = askingServer();
    const url = { mode: "url", message: "Go", url: "https://example.org", elicitationId: "1" };
    const long = { ...QUESTION, message: "x".repeat(10_001) };
    const questions = [long, url, QUESTION];
    const outcome = await callIn(server, "test_ask", { args: { questions } });
    expect(responses(outcome)).toMatchObject([
      { error: { message: expect.stringContaining("longer than 10000") as string } },
      { error: { code: -32602 } },
      { result: YES },
    ]);
    const sampling = {
      questions: [{ messages: [], maxTokens: 1 }],
      method: "sampling/createMessage",
    };
    const refused = await callIn(server, "test_ask", { args: sampling });
    expect(responses(refused)).toMatchObject([{ error: { code: -32601 } }]);
  });

  it("does not count to the time of its call, which goes on after it", async () => {
    const server = askingServer({ timeout_seconds: 1 });
    const args = { questions: [QUESTION] };
    // The person answers when another call has used up the same limit.
    const slow: Elicit = async () => {
      expect((await callIn(server, "test_hang", { args: {} })).output).toMatch(/^Timed out/);
      return YES;
    };
    const outcome = await callIn(server, "test_ask", { args, elicit: slow });
    expect(responses(outcome)).toMatchObject([{ result: YES }]);
  });

  it("that the server takes back is withdrawn", async () => {
    const withdrawn = Promise.withResolvers<undefined>();
    const elicit: Elicit = (_question, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          withdrawn.resolve(undefined);
          reject(new Error("withdrawn"));
        });
      });
    const args = { question: QUESTION, ms: 50 };
    const outcome = await callIn(askingServer(), "test_withdraw", { args, elicit });
    expect(outcome).toMatchObject({ state: "completed", output: '"went on"' });
    await withdrawn.promise;
  });

  it("never reaches another chat", async () => {
    const server = askingServer();
    const hang = recordedDeps({ elicit: () => Promise.resolve(YES), step: { chatId: "x" } });
    const hanging = server.call("test_hang", {}, hang);
    const args = { questions: [QUESTION] };
    // Which of the two calls asks is not known.
    const first = await callIn(server, "test_ask", { args, chatId: "y" });
    expect(responses(first)).toMatchObject([
      { error: { message: expect.stringContaining("several chats") as string } },
    ]);
    // From then on, calls of different chats wait for each other.
    const second = callIn(server, "test_ask", { args, chatId: "y" });
    const another = await callIn(server, "test_ask", { args, chatId: "x" });
    expect(responses(another)).toMatchObject([{ result: YES }]);
    hang.abort();
    expect(await hanging).toMatchObject({ state: "cancelled" });
    expect(responses(await second)).toMatchObject([{ result: YES }]);
  });

  it("lets the calls of other chats run while it is open", async () => {
    const server = askingServer();
    const args = { questions: [QUESTION] };
    const answered = Promise.withResolvers<ElicitationAnswer>();
    const asked = Promise.withResolvers<undefined>();
    const elicit: Elicit = () => {
      asked.resolve(undefined);
      return answered.promise;
    };
    const open = callIn(server, "test_ask", { args, chatId: "x", elicit });
    await asked.promise;
    // Its question may as well be another one of the call that is open.
    const other = await callIn(server, "test_ask", { args, chatId: "y" });
    expect(responses(other)).toMatchObject([
      { error: { message: expect.stringContaining("several chats") as string } },
    ]);
    answered.resolve({ action: "decline" });
    expect(responses(await open)).toMatchObject([{ result: { action: "decline" } }]);
  });
});
