import { setImmediate as nextTick } from "node:timers/promises";
import { expect } from "vitest";
import { AwaitedAgents } from "@/contract/agent";
import { listOpenCalls } from "@/server/db/chats/call-reads";
import type { ReportPartRow } from "@/server/db/chats/rows";
import { end } from "./agent-turns";
import { findPromptProblems } from "./prompt-problems";
import { type ScriptedStep, textStep } from "./scripted-model";
import { createTurnFixture, type TurnFixture } from "./turn-fixture";

// A chat and its agents in races: their model tells them apart, whoever calls it first.

/** More calls than a race makes. */
const MAX_CALLS = 30;
/** More turns than the reports and messages of a race begin. */
const MAX_TURNS = 8;

/** Creates a chat whose model has these steps, and answers `So.` after them. Each agent answers `It is 42.`. */
export const createRace = (steps: ScriptedStep[]): Promise<TurnFixture> => {
  const left = [...steps];
  const step: ScriptedStep = ({ prompt }) =>
    prompt.some(({ role, content }) => role === "system" && content.includes("You are an agent"))
      ? textStep("It is 42.")
      : (left.shift() ?? textStep("So."));
  return createTurnFixture({ steps: Array.from({ length: MAX_CALLS }, () => step) });
};

/** Runs both at the same time, the second one some turns of the event loop later, or the first one if negative. */
export const race = async (
  offset: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>[]> => {
  const late = async (turns: number, run: () => Promise<unknown>) => {
    for (let turn = 0; turn < turns; turn += 1) await nextTick();
    await run();
  };
  return Promise.allSettled([late(Math.max(0, -offset), first), late(Math.max(0, offset), second)]);
};

/** Fails with the error of a side that may not reject. */
export const expectNoError = (results: readonly PromiseSettledResult<unknown>[]): void => {
  for (const result of results) if (result.status === "rejected") throw result.reason;
};

/** Ends agents that rest, and runs the chat until nothing is left to do. */
export const runToEnd = async (
  fixture: TurnFixture,
  agentIds: readonly string[],
): Promise<void> => {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    for (const id of agentIds) await end(fixture, id);
    if ((await fixture.chat()).status !== "pending") return;
    await fixture.run();
  }
  throw new Error("the chat has more turns than it should");
};

/** Reports in the history, also those that an edit has removed. */
const LIST_REPORTS = {
  name: "test-race-reports",
  text: `SELECT p.data, m.seq FROM part p JOIN message m ON m.id = p.message_id
    WHERE m.chat_id = $1::uuid AND p.type = 'report'`,
};

const LIST_WAITS = {
  name: "test-race-waits",
  text: `SELECT p.output, m.seq FROM part p JOIN message m ON m.id = p.message_id
    WHERE m.chat_id = $1::uuid AND p.tool_name IN ('wait_agent', 'delegate') AND p.state = 'completed'`,
};

/** Expects that each agent has one task that has ended, and that its report has been delivered exactly once. */
export const expectDeliveredOnce = async (fixture: TurnFixture, count: number): Promise<void> => {
  const { ctx, chatId } = fixture;
  const { db } = ctx;
  const tasks = await db.prisma.task.findMany({ where: { chatId } });
  expect(tasks).toHaveLength(count);
  const places = tasks.map(({ endPosition, endedAt }) => `${endPosition} ${endedAt?.getTime()}`);
  expect(new Set(places).size).toBe(count);
  const reports = await db.query<{ data: ReportPartRow["data"]; seq: number }>(LIST_REPORTS, [
    chatId,
  ]);
  const waits = await db.query<{ output: unknown; seq: number }>(LIST_WAITS, [chatId]);
  const reported = waits.flatMap(({ output, seq }) =>
    AwaitedAgents.parse(output).agents.flatMap((agent) =>
      agent.report ? [{ ...agent, seq }] : [],
    ),
  );
  for (const { id, agentChatId, deliveredAt, endedAt } of tasks) {
    expect(endedAt).not.toBeNull();
    expect(deliveredAt).not.toBeNull();
    const entered = reports.filter(({ data }) => data.task_id === id);
    const calls = reported.filter(({ chat_id }) => chat_id === agentChatId);
    expect(entered.length, "times that the report has entered the history").toBe(
      calls.length === 0 ? 1 : entered.length,
    );
    expect(entered.length).toBeLessThanOrEqual(1);
    // A wait reports again what has entered before it, and nothing enters that a wait has reported.
    for (const { seq } of entered) for (const call of calls) expect(call.seq).toBeGreaterThan(seq);
  }
  await expectSound(fixture);
};

/** Expects a chat that rests without open calls, and prompts that a provider accepts. */
const expectSound = async ({ ctx, chat, chatId, model }: TurnFixture): Promise<void> => {
  const row = await chat();
  expect(row).toMatchObject({ status: "waiting", reportCount: 0 });
  expect(await ctx.db.transaction((tx) => listOpenCalls(tx, chatId))).toEqual([]);
  expect(model.requests.flatMap(({ prompt }) => findPromptProblems(prompt))).toEqual([]);
};
