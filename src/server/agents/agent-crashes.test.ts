import { describe, expect, it } from "vitest";
import { AgentWait, AwaitedAgents, StartedAgent } from "@/contract/agent";
import { DomainError } from "@/contract/domain-error";
import { decideApprovals } from "@/server/chat/decide-approvals";
import type { ClaimedChat } from "@/server/db/sql/machine/claim";
import {
  agentNamed,
  getAgents,
  type Call,
  callNamed,
  calls,
  lastPrompt,
  runAgent,
  say,
  spawn,
  wait,
  withAgents,
} from "@/test/agent-turns";
import { type ScriptedStep, textStep } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { interceptStatements } from "@/test/database-doubles";

const END_LEASE = {
  name: "test-crash-end-lease",
  text: `UPDATE chat SET lease_expires_at = now() - interval '1 second' WHERE id = $1::uuid`,
};

const ASKS_FIRST = { spawn_agent: "ask" } as const;

/** Runs the calls of the next step in a process that dies before it has committed their outcomes. */
const dieBeforeOutcomes = async (fixture: TurnFixture, claimed?: ClaimedChat): Promise<void> => {
  const { db } = fixture.ctx;
  const dying = interceptStatements(db, "settle-", () =>
    Promise.reject(new DomainError("unavailable", "The process is gone.")),
  );
  await expect(fixture.run({ db: dying }, claimed)).rejects.toThrow("The process is gone.");
  await db.query(END_LEASE, [fixture.chatId]);
};

const withSteps = (...steps: ScriptedStep[]): Promise<TurnFixture> => createTurnFixture({ steps });

const delegate: Call = { id: "one", name: "delegate", args: { prompt: "Work.", title: "one" } };

const getTasks = ({ ctx, chatId }: TurnFixture) =>
  ctx.db.prisma.task.findMany({ where: { chatId, kind: "agent" } });

describe("a process that dies before it has committed the outcome", () => {
  it("of spawn_agent leaves one agent, which the repeated call finds", async () => {
    const fixture = await withSteps(calls(spawn("one")), textStep("It works."));
    await dieBeforeOutcomes(fixture);
    const started = await agentNamed(fixture, "one");
    expect(await callNamed(fixture, "one")).toMatchObject({ state: "running" });
    await fixture.run();
    const call = await callNamed(fixture, "one");
    expect(call).toMatchObject({ state: "completed", isError: false });
    expect(StartedAgent.parse(call.output)).toMatchObject({ chat_id: started.id, title: "one" });
    expect(await getAgents(fixture)).toHaveLength(1);
    expect(await getTasks(fixture)).toHaveLength(1);
    expect(lastPrompt(fixture)).toContain(started.id);
  });

  it("of delegate leaves one agent, which the repeated call waits for", async () => {
    const fixture = await withSteps(calls(delegate), textStep("It is 42."), textStep("So."));
    await dieBeforeOutcomes(fixture);
    await fixture.run();
    expect(await fixture.chat()).toMatchObject({ status: "awaiting_agents" });
    expect(AgentWait.parse((await callNamed(fixture, "one")).output).chat_ids).toEqual([
      (await agentNamed(fixture, "one")).id,
    ]);
    await runAgent(fixture, "one");
    await fixture.run();
    expect(AwaitedAgents.parse((await callNamed(fixture, "one")).output)).toMatchObject({
      agents: [{ state: "completed", report: "It is 42." }],
    });
    expect(await getAgents(fixture)).toHaveLength(1);
    expect(await getTasks(fixture)).toHaveLength(1);
  });

  it("of calls that only read has them run again, and closes those whose effect is unknown", async () => {
    const fixture = await withAgents(["one"], (ids) => [
      calls(
        { id: "list", name: "list_agents", args: {} },
        { id: "message", name: "message_agent", args: { chat_id: ids[0], message: "Go on." } },
        wait(ids),
      ),
      textStep("It is 42."),
      textStep("So."),
    ]);
    await say(fixture, "Go on.");
    await dieBeforeOutcomes(fixture);
    await fixture.run();
    expect(await callNamed(fixture, "list")).toMatchObject({ state: "completed" });
    expect(await callNamed(fixture, "wait")).toMatchObject({ state: "awaiting_agents" });
    expect(await callNamed(fixture, "message")).toMatchObject({
      state: "error",
      output: expect.stringContaining("the server stopped") as string,
    });
  });

  it("of a call that a person has approved does not ask again", async () => {
    const fixture = await withSteps(calls(spawn("one")), textStep("It works."));
    const { ctx, chatId } = fixture;
    const asksFirst = async () => ({ ...(await fixture.claim()), toolModes: ASKS_FIRST });
    await fixture.run({}, await asksFirst());
    expect(await fixture.chat()).toMatchObject({ status: "requires_action" });
    await decideApprovals(ctx, { chatId, decisions: [{ toolCallId: "one", decision: "approve" }] });
    await dieBeforeOutcomes(fixture, await asksFirst());
    await fixture.run({}, await asksFirst());
    expect(await callNamed(fixture, "one")).toMatchObject({ state: "completed" });
    expect(await getAgents(fixture)).toHaveLength(1);
  });
});
