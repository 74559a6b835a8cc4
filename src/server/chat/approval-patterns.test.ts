import { describe, expect, it } from "vitest";
import * as z from "zod";
import { listApprovalRules } from "@/server/db/chats/approval-rule-reads";
import { createExecTool } from "@/server/exec/exec-tool";
import { defineTool, type Tool } from "@/server/tools/tool";
import { createBuiltinSource } from "@/server/tools/tool-source";
import { toolResult } from "@/server/tools/tool-result";
import { getLocalCalls } from "@/server/turn/decide-next";
import { toTextContent } from "@/test/chat-fixture";
import { finishPart, type ScriptedStep, textStep, toolCallParts } from "@/test/scripted-model";
import { emptyToolDeps } from "@/test/tool-fixture";
import { createTurnFixture, type TurnFixture, type TurnSetup } from "@/test/turn-fixture";
import { decideApprovals, type Decision } from "./decide-approvals";
import { revokeApprovalRule } from "./revoke-approval-rule";
import { sendMessage } from "./send-message";

const command = defineTool({
  name: "command",
  description: "Runs a command.",
  input: z.object({ command: z.string(), cwd: z.string().default("") }),
  needsApproval: true,
  approvalScope: ({ command: line, cwd }) => ({ line, cwd }),
  approvalPattern: "line",
  run: (_context, input) => Promise.resolve(toolResult(`ran ${input.command}`)),
});
const store = defineTool({
  name: "store",
  description: "Stores a text.",
  input: z.object({ text: z.string() }),
  needsApproval: true,
  approvalScope: ({ text }) => ({ line: text }),
  run: (_context, { text }) => Promise.resolve(toolResult(`stored ${text}`)),
});
const TOOLS: Tool[] = [command, store];

type Call = [name: string, args: object];
const run = (line: string, cwd?: string): Call => [
  "command",
  { command: line, ...(cwd !== undefined && { cwd }) },
];

/** One turn for each list of calls, which then ends. */
const getTurns = (...turns: Call[][]): ScriptedStep[] =>
  turns.flatMap((calls, turn) => [
    [
      ...calls.flatMap(([name, args], index) => toolCallParts(`${turn}-${index}`, name, args)),
      finishPart("tool-calls"),
    ],
    textStep("done"),
  ]);

const start = async (turns: Call[][], setup: Partial<TurnSetup> = {}): Promise<TurnFixture> => {
  const turn = await createTurnFixture({ tools: TOOLS, steps: getTurns(...turns), ...setup });
  await turn.run();
  return {
    ...turn,
    ctx: { ...turn.ctx, toolSources: [createBuiltinSource(setup.tools ?? TOOLS)] },
  };
};

const approve = (turn: TurnFixture, more: Partial<Decision>) =>
  decideApprovals(turn.ctx, {
    chatId: turn.chatId,
    decisions: [{ toolCallId: "0-0", decision: "approve", ...more }],
  });

const sendNext = async (turn: TurnFixture): Promise<void> => {
  await sendMessage(turn.ctx, {
    chatId: turn.chatId,
    content: toTextContent("again"),
    busyBehavior: "queue",
  });
  await turn.run();
};

const lastCalls = async (turn: TurnFixture) => {
  const answers = (await turn.history()).filter((message) => getLocalCalls(message).length > 0);
  const last = answers.at(-1);
  return (last ? getLocalCalls(last) : []).map(({ state, output }) => output ?? state);
};

const listRules = ({ ctx }: TurnFixture) =>
  listApprovalRules(ctx.db, { viewer: ctx.actor, limit: 100 });

describe("a pattern for a chat", () => {
  it("covers the later commands that it matches with the other arguments of the call, and no others", async () => {
    const turn = await start([
      [run("npm run build")],
      [
        run("npm run test -- -u"),
        run("npm runx"),
        run("npm run"),
        run("npm run x; rm -r ."),
        run("A=1 npm run x"),
        run("n\u0440m run x"),
        run("npm run x", "web"),
        ["store", { text: "npm run x" }],
      ],
    ]);
    await approve(turn, { scope: "chat", pattern: "npm run *" });
    await turn.run();
    expect(await lastCalls(turn)).toEqual(["ran npm run build"]);
    await sendNext(turn);
    const [covered, ...others] = await lastCalls(turn);
    expect(covered).toBe("ran npm run test -- -u");
    expect(others).toEqual(Array.from({ length: 7 }, () => "awaiting_approval"));
    expect(await listRules(turn)).toMatchObject([
      { chatId: turn.chatId, scope: { line: "npm run *", cwd: "" }, pattern: "npm run *" },
    ]);
  });

  it("does not count in another chat of the same person", async () => {
    const first = await start([[run("npm run a")]]);
    await approve(first, { scope: "chat", pattern: "npm run *" });
    const second = await start([[run("npm run a")]], { ctx: first.ctx });
    expect(await second.chat()).toMatchObject({ status: "requires_action" });
  });

  it("counts in the agents of the chat", async () => {
    const turn = await start([[run("npm run a")]]);
    await approve(turn, { scope: "chat", pattern: "npm run *" });
    const child = await createTurnFixture({
      ctx: turn.ctx,
      tools: TOOLS,
      steps: getTurns([run("npm run b")]),
    });
    await turn.ctx.db.prisma.chat.update({
      where: { id: child.chatId },
      data: { parentChatId: turn.chatId, rootChatId: turn.chatId },
    });
    await child.run();
    expect(await lastCalls(child)).toEqual(["ran npm run b"]);
  });

  it("must match the command as the person has changed it", async () => {
    const turn = await start([[run("rm -r x")], [run("npm run c")]]);
    const args = { command: "npm run b" };
    await expect(approve(turn, { scope: "chat", pattern: "rm -r *", args })).rejects.toMatchObject({
      errors: [{ pointer: "/decisions/0/pattern" }],
    });
    await approve(turn, { scope: "chat", pattern: "npm run *", args });
    await turn.run();
    expect(await lastCalls(turn)).toEqual(["ran npm run b"]);
    await sendNext(turn);
    expect(await lastCalls(turn)).toEqual(["ran npm run c"]);
  });

  it("is another rule than an approval of the command with the same text", async () => {
    const turn = await start([[run("npm run *"), run("npm run a")], [run("npm run b")]]);
    await approve(turn, { scope: "chat" });
    await approve(turn, { toolCallId: "0-1", scope: "chat", pattern: "npm run *" });
    await turn.run();
    expect(await listRules(turn)).toHaveLength(2);
    await sendNext(turn);
    expect(await lastCalls(turn)).toEqual(["ran npm run b"]);
  });
});

describe("a pattern for all chats", () => {
  it("counts in each chat of the person, until it is revoked", async () => {
    const first = await start([[run("npm run a")]]);
    await approve(first, { scope: "tool", pattern: "npm run *" });
    const calls = [run("npm run b")];
    const second = await start([calls, calls], { ctx: first.ctx });
    expect(await lastCalls(second)).toEqual(["ran npm run b"]);
    const [rule] = await listRules(second);
    expect(rule).toMatchObject({ chatId: null, chatTitle: null, pattern: "npm run *" });
    await revokeApprovalRule(second.ctx, { ruleId: rule?.id ?? "" });
    await sendNext(second);
    expect(await second.chat()).toMatchObject({ status: "requires_action" });
  });

  it("outlives the chat in which it was made", async () => {
    const first = await start([[run("npm run a")]]);
    await approve(first, { scope: "tool", pattern: "npm run *" });
    const { prisma } = first.ctx.db;
    await prisma.chat.delete({ where: { id: first.chatId } });
    const second = await start([[run("npm run b")]], { ctx: first.ctx });
    expect(await lastCalls(second)).toEqual(["ran npm run b"]);
  });

  it("neither counts for another person, nor is seen or revoked by one, and ends with its owner", async () => {
    const first = await start([[run("npm run a")]]);
    await approve(first, { scope: "tool", pattern: "npm run *" });
    const [rule] = await listRules(first);
    const other = await start([[run("npm run b")]]);
    expect(other.ctx.actor.userId).not.toBe(first.ctx.actor.userId);
    expect(await other.chat()).toMatchObject({ status: "requires_action" });
    expect(await listRules(other)).toEqual([]);
    await expect(revokeApprovalRule(other.ctx, { ruleId: rule?.id ?? "" })).rejects.toMatchObject({
      code: "not_found",
    });
    const { prisma } = first.ctx.db;
    await prisma.user.delete({ where: { id: first.ctx.actor.userId } });
    expect(await prisma.approvalRule.count({ where: { id: rule?.id ?? "" } })).toBe(0);
  });
});

describe("a pattern is refused, and nothing is changed,", () => {
  it.each<[what: string, call: Call, pattern: string]>([
    ["for a tool that takes none", ["store", { text: "npm run a" }], "npm run *"],
    ["that does not match the call", run("npm run a"), "npm test *"],
    ["for a command that is not simple", run("npm run a; rm x"), "npm run *"],
    ["that is none", run("npm run a"), "*"],
  ])("%s", async (_what, call, pattern) => {
    const turn = await start([[call]]);
    const { version } = await turn.chat();
    for (const scope of ["chat", "tool"] as const) {
      await expect(approve(turn, { scope, pattern })).rejects.toMatchObject({
        code: "invalid",
        errors: [{ pointer: "/decisions/0/pattern" }],
      });
    }
    expect(await turn.chat()).toMatchObject({ version, status: "requires_action" });
    expect(await lastCalls(turn)).toEqual(["awaiting_approval"]);
    expect(await listRules(turn)).toEqual([]);
  });

  it("for a tool that took patterns when the call was made", async () => {
    const turn = await start([[run("npm run a")]]);
    const plain: Tool = { ...command, approvalPattern: undefined };
    const ctx = { ...turn.ctx, toolSources: [createBuiltinSource([plain])] };
    await expect(
      approve({ ...turn, ctx }, { scope: "tool", pattern: "npm run *" }),
    ).rejects.toMatchObject({ errors: [{ pointer: "/decisions/0/pattern" }] });
    expect(await listRules(turn)).toEqual([]);
  });
});

it("a pattern does not count while its tool takes none", async () => {
  const first = await start([[run("npm run a")]]);
  await approve(first, { scope: "tool", pattern: "npm run *" });
  const plain: Tool = { ...command, approvalPattern: undefined };
  const second = await start([[run("npm run b")]], { ctx: first.ctx, tools: [plain] });
  expect(await second.chat()).toMatchObject({ status: "requires_action" });
});

describe("a tool that asks each time", () => {
  const asking: Tool = { ...command, approvalPattern: undefined, asksEachTime: true };

  it.each([
    ["the same command in the chat", { scope: "chat" }],
    ["a pattern in the chat", { scope: "chat", pattern: "npm run *" }],
    ["a pattern in all chats", { scope: "tool", pattern: "npm run *" }],
  ] as const)("takes no rule for %s", async (_what, lasting) => {
    const turn = await start([[run("npm run a")]], { tools: [asking] });
    await expect(approve(turn, lasting)).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/decisions/0/scope" }],
    });
    expect(await lastCalls(turn)).toEqual(["awaiting_approval"]);
    expect(await listRules(turn)).toEqual([]);
    await approve(turn, { scope: "call" });
    await turn.run();
    expect(await lastCalls(turn)).toEqual(["ran npm run a"]);
  });

  it.each([
    ["the same command in the chat", { scope: "chat" }],
    ["a pattern in the chat", { scope: "chat", pattern: "npm run *" }],
    ["a pattern in all chats", { scope: "tool", pattern: "npm run *" }],
  ] as const)("is not covered by a rule from before, for %s", async (_what, lasting) => {
    const first = await start([[run("npm run a")]]);
    await approve(first, lasting);
    await first.run();
    expect(await lastCalls(first)).toEqual(["ran npm run a"]);
    const steps = getTurns([run("npm run a")]);
    const later = await createTurnFixture({ ctx: first.ctx, tools: [asking], steps });
    await later.run();
    expect(await later.chat()).toMatchObject({ status: "requires_action" });
  });
});

it("commands without a sandbox ask each time", () => {
  const asks = (kind: "bubblewrap" | "none") =>
    createExecTool({ ...emptyToolDeps, sandbox: { kind } as never }).asksEachTime;
  expect(asks("bubblewrap")).toBe(false);
  expect(asks("none")).toBe(true);
});

it("commands take patterns in a sandbox only", () => {
  const getPattern = (kind: "bubblewrap" | "none") =>
    createExecTool({ ...emptyToolDeps, sandbox: { kind } as never }).approvalPattern;
  expect(getPattern("bubblewrap")).toBe("command");
  expect(getPattern("none")).toBeUndefined();
  expect(createExecTool(emptyToolDeps).approvalPattern).toBeUndefined();
});
