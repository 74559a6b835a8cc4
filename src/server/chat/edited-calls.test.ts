import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { JsonObject } from "@/contract/json";
import { writeToolMode } from "@/server/db/settings/setting-writes";
import { defineTool, type Tool } from "@/server/tools/tool";
import { createBuiltinSource } from "@/server/tools/tool-source";
import { toolResult } from "@/server/tools/tool-result";
import { getLocalCalls } from "@/server/turn/decide-next";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { decideApprovals, type Decision } from "./decide-approvals";
import { sendMessage } from "./send-message";

const runs: unknown[] = [];
const command = defineTool({
  name: "command",
  description: "Runs a command.",
  input: z.object({
    command: z.string().max(20),
    env: z.record(z.string(), z.string()).optional(),
  }),
  needsApproval: true,
  approvalScope: ({ command: line }) => ({ line }),
  run: (_context, input) => {
    runs.push(input);
    return Promise.resolve(toolResult(`ran ${input.command}`));
  },
});

/** A tool of an MCP server, whose arguments are checked by its schema only. */
const remote: Tool = {
  ...command,
  kind: "mcp",
  name: "remote",
  argumentsSchema: {
    type: "object",
    properties: { page: { type: "integer", minimum: 1 } },
    required: ["page"],
  },
  bind: (args) => ({
    needsApproval: () => Promise.resolve(true),
    approvalScope: () => null,
    run: () => Promise.resolve(toolResult(`page ${JSON.stringify(args)}`)),
  }),
};

const toSteps = (calls: [name: string, args: object][]) => [
  [
    ...calls.flatMap(([name, args], index) => toolCallParts(`call-${index}`, name, args)),
    finishPart("tool-calls"),
  ],
  textStep("done"),
];

const park = async (
  calls: [name: string, args: object][] = [["command", { command: "ls" }]],
  ...later: [name: string, args: object][][]
): Promise<TurnFixture> => {
  const tools = [command, remote];
  const started = await createTurnFixture({
    tools,
    steps: [calls, ...later].flatMap(toSteps),
  });
  await started.run();
  expect(await started.chat()).toMatchObject({ status: "requires_action" });
  return { ...started, ctx: { ...started.ctx, toolSources: [createBuiltinSource(tools)] } };
};

const decide = (turn: TurnFixture, args: JsonObject, more: Partial<Decision> = {}) =>
  decideApprovals(turn.ctx, {
    chatId: turn.chatId,
    decisions: [{ toolCallId: "call-0", decision: "approve", args, ...more }],
  });

const readCall = async (turn: TurnFixture) =>
  (await turn.history()).flatMap((message) => getLocalCalls(message))[0];

describe("changed arguments", () => {
  it("are what runs; the part keeps the model's, and the model is told of both", async () => {
    runs.length = 0;
    const turn = await park();
    await decide(turn, { command: "ls -l", env: { B: "1", A: "2" } });
    await turn.run();
    expect(runs).toEqual([{ command: "ls -l", env: { B: "1", A: "2" } }]);
    const changed = { command: "ls -l", env: { B: "1", A: "2" } };
    expect(await readCall(turn)).toMatchObject({
      args: { command: "ls" },
      approvedArgs: changed,
      state: "completed",
      output: "ran ls -l",
    });
    const [, , call, result] = turn.model.requests[1]?.prompt ?? [];
    expect([call, result]).toMatchObject([
      { content: [{ type: "tool-call", input: { command: "ls" } }] },
      {
        content: [
          {
            output: {
              type: "text",
              value: expect.stringMatching(
                /^The user changed .*\{"command":"ls -l","env":\{"B":"1","A":"2"\}\}\n\nran ls -l$/,
              ) as string,
            },
          },
        ],
      },
    ]);
  });

  it("that are equal to the model's are no change", async () => {
    const turn = await park([["command", { command: "ls", env: { A: "1", B: "2" } }]]);
    await decide(turn, { env: { B: "2", A: "1" }, command: "ls" });
    await turn.run();
    expect(await readCall(turn)).toMatchObject({ approvedArgs: null, output: "ran ls" });
  });

  it.each([
    [{ command: 5 }, "/decisions/0/args/command"],
    [{}, "/decisions/0/args/command"],
    [{ command: "ls", env: { A: 1 } }, "/decisions/0/args/env/A"],
    [{ command: "x".repeat(21) }, "/decisions/0/args/command"],
  ])("%j that do not fit are refused at %s, and change nothing", async (args, pointer) => {
    const turn = await park();
    const { version } = await turn.chat();
    await expect(decide(turn, args)).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer }],
    });
    expect(await turn.chat()).toMatchObject({ version, status: "requires_action" });
    expect(await readCall(turn)).toMatchObject({ state: "awaiting_approval", approvedArgs: null });
  });

  it("of a tool with a schema from outside are checked by it", async () => {
    const turn = await park([["remote", { page: 1 }]]);
    await expect(decide(turn, { page: 0 })).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/decisions/0/args/page" }],
    });
    await decide(turn, { page: 2 });
    await turn.run();
    expect(await readCall(turn)).toMatchObject({ output: 'page {"page":2}' });
  });

  it("approve the other calls of the request only with them", async () => {
    const turn = await park([
      ["command", { command: "ls" }],
      ["command", { command: "pwd" }],
    ]);
    const decisions: Decision[] = [
      { toolCallId: "call-1", decision: "approve" },
      { toolCallId: "call-0", decision: "approve", args: {} },
    ];
    await expect(
      decideApprovals(turn.ctx, { chatId: turn.chatId, decisions }),
    ).rejects.toMatchObject({ errors: [{ pointer: "/decisions/1/args/command" }] });
    await decideApprovals(turn.ctx, { chatId: turn.chatId, decisions: decisions.slice(0, 1) });
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
  });

  it("are what an approval for the chat covers", async () => {
    const turn = await park(undefined, [
      ["command", { command: "ls -l" }],
      ["command", { command: "ls" }],
    ]);
    await decide(turn, { command: "ls -l" }, { scope: "chat" });
    await turn.run();
    await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent("again"),
      busyBehavior: "queue",
    });
    await turn.run();
    const calls = getLocalCalls((await turn.history()).at(-1) ?? ({ parts: [] } as never));
    expect(calls.map(({ state, output }) => output ?? state)).toEqual([
      "ran ls -l",
      "awaiting_approval",
    ]);
  });

  it("lose against the decision before them", async () => {
    const turn = await park();
    const results = await Promise.allSettled([
      decide(turn, { command: "one" }),
      decide(turn, { command: "two" }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const won = results[0].status === "fulfilled" ? "one" : "two";
    await turn.run();
    expect(await readCall(turn)).toMatchObject({ output: `ran ${won}` });
    await expect(decide(turn, { command: "three" })).rejects.toMatchObject({ code: "conflict" });
  });

  it("of a tool that the server has no more are refused, but the call can be rejected", async () => {
    const turn = await park();
    const gone = { ...turn, ctx: { ...turn.ctx, toolSources: [] } };
    await expect(decide(gone, { command: "pwd" })).rejects.toMatchObject({
      code: "invalid",
      errors: [
        {
          pointer: "/decisions/0/args",
          message: expect.stringContaining("no such tool") as string,
        },
      ],
    });
    await decideApprovals(gone.ctx, {
      chatId: turn.chatId,
      decisions: [{ toolCallId: "call-0", decision: "reject" }],
    });
  });

  it("do not run when the tool is off by then", async () => {
    runs.length = 0;
    const turn = await park();
    await writeToolMode(await testDatabase(), "command", "off");
    await decide(turn, { command: "pwd" });
    await turn.run();
    await (await testDatabase()).prisma.setting.deleteMany();
    expect(runs).toEqual([]);
    expect(await readCall(turn)).toMatchObject({ state: "error", args: { command: "ls" } });
  });
});
