import { expect, describe, it, afterEach } from "vitest";
import * as z from "zod";
import { ToolMode } from "@/contract/tool";
import { listApprovalRules } from "@/server/db/chats/approval-rule-reads";
import type { Transaction } from "@/server/db/connection/database";
import { lockChat } from "@/server/db/sql/machine/row-locks";
import { writeToolMode } from "@/server/db/settings/setting-writes";
import { testDatabase } from "@/test/database";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { finishPart, type ScriptedStep, textStep, toolCallParts } from "@/test/scripted-model";
import { toTextContent } from "@/test/chat-fixture";
import { defineTool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { getLocalCalls } from "@/server/turn/decide-next";
import { revokeApprovalRule } from "./revoke-approval-rule";
import { decideApprovals } from "./decide-approvals";
import { sendMessage } from "./send-message";

afterEach(async () => {
  const { prisma } = await testDatabase();
  await prisma.setting.deleteMany();
});

const command = defineTool({
  name: "command",
  description: "Runs a command.",
  input: z.object({ command: z.string(), env: z.record(z.string(), z.string()).optional() }),
  needsApproval: true,
  approvalScope: ({ command: line, env = {} }) => ({ line, env }),
  run: (_context, input) => Promise.resolve(toolResult(`ran ${input.command}`)),
});
const store = defineTool({
  name: "store",
  description: "Stores a text.",
  input: z.object({ text: z.string() }),
  needsApproval: true,
  run: (_context, { text }) => Promise.resolve(toolResult(`stored ${text}`)),
});
const tools = [command, store];

/** One turn for each list of calls, which then ends. */
const getTurns = (...turns: [name: string, args: object][][]): ScriptedStep[] =>
  turns.flatMap((calls, turn) => [
    [
      ...calls.flatMap(([name, args], index) => toolCallParts(`${turn}-${index}`, name, args)),
      finishPart("tool-calls"),
    ],
    textStep("done"),
  ]);

const approve = (turn: TurnFixture, toolCallIds: string[], scope?: "chat") =>
  decideApprovals(turn.ctx, {
    chatId: turn.chatId,
    decisions: toolCallIds.map((toolCallId) => ({ toolCallId, decision: "approve", scope })),
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

const WAITING = {
  name: "test-waiting-locks",
  text: "SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted",
};
/** The embedded database runs one transaction at a time, so nothing is ever blocked there. */
const MAX_LOOKS = 300;

/** Resolves when another transaction waits for a lock. */
const waitUntilBlocked = async (tx: Transaction): Promise<void> => {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const [row] = await tx.query<{ count: number }>(WAITING, []);
    if (row && row.count > 0) return;
  }
};

describe("an approval for the whole chat", () => {
  it("covers later calls with the same scope, in any order of keys, and no others", async () => {
    const turn = await createTurnFixture({
      tools,
      steps: getTurns(
        [["command", { command: "ls", env: { A: "1", B: "2" } }]],
        [["command", { command: "ls", env: { B: "2", A: "1" } }]],
        [["command", { command: "ls -l", env: { A: "1", B: "2" } }]],
      ),
    });
    await turn.run();
    await approve(turn, ["0-0"], "chat");
    await turn.run();
    await sendNext(turn);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    expect(await lastCalls(turn)).toEqual(["ran ls"]);
    await sendNext(turn);
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
    expect(await lastCalls(turn)).toEqual(["awaiting_approval"]);
  });

  it("covers every call of a tool that declares no scope", async () => {
    const turn = await createTurnFixture({
      tools,
      steps: getTurns(
        [["store", { text: "a" }]],
        [
          ["store", { text: "b" }],
          ["command", { command: "b" }],
        ],
      ),
    });
    await turn.run();
    await approve(turn, ["0-0"], "chat");
    await turn.run();
    await sendNext(turn);
    expect(await lastCalls(turn)).toEqual(["stored b", "awaiting_approval"]);
  });

  it("does not cover another chat of the same person", async () => {
    const steps = getTurns([["store", { text: "a" }]]);
    const first = await createTurnFixture({ tools, steps });
    await first.run();
    await approve(first, ["0-0"], "chat");
    const second = await createTurnFixture({ ctx: first.ctx, tools, steps });
    await second.run();
    expect(await second.chat()).toMatchObject({ status: "requires_action" });
  });

  it("can be revoked, which counts from the next call on", async () => {
    const calls: [string, object][] = [["store", { text: "a" }]];
    const turn = await createTurnFixture({ tools, steps: getTurns(calls, calls, calls) });
    await turn.run();
    await approve(turn, ["0-0"], "chat");
    await turn.run();
    await sendNext(turn);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    const viewer = turn.ctx.actor;
    const [rule] = await listApprovalRules(turn.ctx.db, { viewer, limit: 1 });
    await revokeApprovalRule(turn.ctx, { ruleId: rule?.id ?? "" });
    await sendNext(turn);
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
  });

  it("is stored once when it is given twice, and for a whole batch at once", async () => {
    const calls: [string, object][] = [
      ...(["a", "b", "c"] as const).map((text): [string, object] => ["store", { text }]),
      ["command", { command: "ls" }],
    ];
    const turn = await createTurnFixture({ tools, steps: getTurns(calls, calls) });
    await turn.run();
    await approve(turn, ["0-0", "0-1", "0-2", "0-3"], "chat");
    await turn.run();
    expect(await lastCalls(turn)).toEqual(["stored a", "stored b", "stored c", "ran ls"]);
    expect(await turn.ctx.db.prisma.approvalRule.count({ where: { chatId: turn.chatId } })).toBe(2);
    await sendNext(turn);
    expect(await lastCalls(turn)).toEqual(["stored a", "stored b", "stored c", "ran ls"]);
  });

  it("in a child chat belongs to its root, which is locked first, as by what archives the family", async () => {
    const steps = getTurns([["store", { text: "a" }]]);
    const root = await createTurnFixture({ tools, steps });
    await root.run();
    const { ctx } = root;
    const child = await createTurnFixture({ ctx, tools, steps });
    await ctx.db.prisma.chat.update({
      where: { id: child.chatId },
      data: { parentChatId: root.chatId, rootChatId: root.chatId },
    });
    await child.run();
    const rootLock = Promise.withResolvers<undefined>();
    const approval = rootLock.promise.then(() => approve(child, ["0-0"], "chat"));
    await ctx.db.transaction(async (tx) => {
      await lockChat(tx, root.chatId);
      rootLock.resolve(undefined);
      await waitUntilBlocked(tx);
      // Had the approval locked the child already, the two would wait for each other.
      await lockChat(tx, child.chatId);
    });
    await approval;
    const rules = await ctx.db.prisma.approvalRule.findMany({ where: { chatId: root.chatId } });
    expect(rules).toMatchObject([{ toolName: "store" }]);
  });
});

describe("a tool that administrators have set to", () => {
  it("ask first: each call needs an approval, until one is given for the chat", async () => {
    const { prisma } = await testDatabase();
    expect(await prisma.setting.count()).toBe(0);
    const calls: [string, object][] = [["current_time", {}]];
    const turn = await createTurnFixture({ tools, steps: getTurns(calls, calls, calls) });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    await writeToolMode(turn.ctx.db, "current_time", "ask");
    await sendNext(turn);
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
    await approve(turn, ["1-0"], "chat");
    await turn.run();
    await sendNext(turn);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
  });

  it("off: it is not offered, and a call says so", async () => {
    const turn = await createTurnFixture({ tools, steps: getTurns([["current_time", {}]]) });
    await writeToolMode(turn.ctx.db, "current_time", "off");
    await turn.run();
    expect(await lastCalls(turn)).toEqual([
      'The tool "current_time" is not offered. An administrator has turned this tool off.',
    ]);
    expect(turn.model.requests[0]?.tools?.map(({ name }) => name)).not.toContain("current_time");
  });

  it("off while a call of it waits: the approved call is not run", async () => {
    const turn = await createTurnFixture({ tools, steps: getTurns([["store", { text: "a" }]]) });
    await turn.run();
    await writeToolMode(turn.ctx.db, "store", "off");
    await approve(turn, ["0-0"]);
    await turn.run();
    expect(await lastCalls(turn)).toEqual([
      'The tool "store" is not offered. An administrator has turned this tool off.',
    ]);
  });
});

describe("a mode that is changed in the middle of a turn counts from its next step:", () => {
  const look = defineTool({
    name: "look",
    description: "Looks.",
    input: z.object({}),
    run: () => Promise.resolve(toolResult("seen")),
  });
  /** An administrator sets the mode of `look` while the first step's call runs. */
  const change = defineTool({
    name: "change",
    description: "Waits.",
    input: z.object({ mode: ToolMode }),
    run: async (_context, { mode }) => {
      await writeToolMode(await testDatabase(), "look", mode);
      return toolResult("changed");
    },
  });
  const start = (...steps: [name: string, args: object][][]) =>
    createTurnFixture({
      tools: [look, change],
      steps: [
        ...steps.map((calls, step) => [
          ...calls.flatMap(([name, args], index) => toolCallParts(`${step}-${index}`, name, args)),
          finishPart("tool-calls"),
        ]),
        textStep("done"),
      ],
    });
  const offersLook = ({ model }: TurnFixture) =>
    model.requests.map(({ tools: offered }) => offered?.some(({ name }) => name === "look"));

  it("off, and the tool is not offered any more", async () => {
    const turn = await start([["look", {}]], [["change", { mode: "off" }]], [["look", {}]]);
    await turn.run();
    expect(offersLook(turn)).toEqual([true, true, false, false]);
    expect(await lastCalls(turn)).toEqual([
      'The tool "look" is not offered. An administrator has turned this tool off.',
    ]);
  });

  it("ask, and the next call waits for an approval", async () => {
    const turn = await start([["change", { mode: "ask" }]], [["look", {}]]);
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
  });

  it("on, and the tool is offered again, also after a step whose call was refused", async () => {
    await writeToolMode(await testDatabase(), "look", "off");
    const turn = await start([["look", {}]], [["change", { mode: "on" }]], [["look", {}]]);
    await turn.run();
    expect(offersLook(turn)).toEqual([false, false, true, true]);
    expect(await lastCalls(turn)).toEqual(["seen"]);
  });
});

it("a chat that chose its tools is offered those only", async () => {
  const turn = await createTurnFixture({
    tools,
    toolNames: ["read_file"],
    dynamicTools: [{ name: "deploy" }],
    steps: [textStep("Hi")],
  });
  await turn.run();
  expect(turn.model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["read_file", "deploy"]);
});
