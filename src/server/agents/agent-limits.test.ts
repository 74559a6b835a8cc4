import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import {
  agentNamed,
  getAgents,
  callNamed,
  calls,
  end,
  runAgent,
  say,
  spawn,
  withAgents,
} from "@/test/agent-turns";
import { readChat } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { finishPart, textParts, textStep, toolCallParts } from "@/test/scripted-model";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

/** Each step of the scripted model has 10 tokens of input and 5 of output, which cost 15 millionths. */
const PRICES = { input: 1_000_000, output: 1_000_000 };

describe("the limits of a chat's agents", () => {
  it("are those of the settings", async () => {
    const fixture = await withAgents(
      ["one", "two"],
      () => [calls(spawn("three")), textStep("No.")],
      {
        agentLimits: { running: 1, perChat: 2 },
      },
    );
    const states = (await getAgents(fixture)).map(({ task }) => task.state);
    expect(states.toSorted()).toEqual(["queued", "running"]);
    await say(fixture, "One more.");
    await fixture.run();
    const call = await callNamed(fixture, "three");
    expect(call).toMatchObject({ state: "error", isError: true });
    expect(call.output).toContain("a chat has at most 2. Give one that has ended more work");
    expect(await getAgents(fixture)).toHaveLength(2);
    expect((await fixture.chat()).status).toBe("waiting");
  });

  it("refuse the 51st agent of a chat, and the 21st of a turn", async () => {
    const createTurn = (from: number, count: number) =>
      calls(...Array.from({ length: count }, (_, index) => spawn(`a${from + index}`)));
    const fixture = await withAgents(["a0"], () => [
      createTurn(1, 21),
      textStep("20."),
      createTurn(30, 20),
      textStep("20."),
      createTurn(60, 10),
      textStep("9."),
    ]);
    for (const [started, text] of [
      [21, "a turn starts at most 20. Wait"],
      [41, undefined],
      [50, "a chat has at most 50. Give"],
    ] as const) {
      await say(fixture, "More.");
      await fixture.run();
      expect(await getAgents(fixture)).toHaveLength(started);
      expect((await fixture.chat()).status).toBe("waiting");
      const errors = (await fixture.history())
        .slice(-2)
        .flatMap(({ parts }) => parts)
        .filter((part) => part.type === "tool_call" && part.isError);
      expect(errors.map((part) => part.type === "tool_call" && part.output)).toEqual(
        text === undefined ? [] : [expect.stringContaining(text)],
      );
    }
  });

  it("queue agents again when more are started than may run", async () => {
    const fixture = await withAgents(["one", "two"], () => [textStep("Done.")], {
      agentLimits: { running: 1 },
    });
    const queued = (await getAgents(fixture)).filter(({ agentQueued }) => agentQueued);
    expect(queued).toHaveLength(1);
    const [running] = (await getAgents(fixture)).filter(({ agentQueued }) => !agentQueued);
    await runAgent(fixture, running?.title ?? "");
    expect((await agentNamed(fixture, queued[0]?.title ?? "")).task.state).toBe("running");
  });
});

describe("the limit of an agent's steps", () => {
  it("ends it as failed, with what it has written", async () => {
    const step = [
      ...textParts("So far."),
      ...toolCallParts("now", "current_time", {}),
      finishPart(),
    ];
    const fixture = await withAgents(["one"], () => [step, textStep("It failed.")]);
    const { id } = await agentNamed(fixture, "one");
    await db.prisma.chat.update({ where: { id }, data: { maxSteps: 1 } });
    await runAgent(fixture, "one");
    await end(fixture, id);
    const { task } = await agentNamed(fixture, "one");
    expect(task).toMatchObject({
      state: "failed",
      report: {
        output:
          "The agent has done as many steps as it may in a turn. What it had written:\n\nSo far.",
      },
    });
  });
});

describe("the limit of what agents cost", () => {
  it("ends those that work at their next step, with what they have written, and refuses others", async () => {
    const fixture = await withAgents(
      ["one"],
      ([id = ""]) => [
        [
          ...textParts("It is about 40."),
          ...toolCallParts("now", "current_time", {}),
          finishPart("tool-calls"),
        ],
        calls(
          spawn("two"),
          { id: "say", name: "message_agent", args: { chat_id: id, message: "Go on." } },
          { id: "work", name: "delegate", args: { prompt: "Work.", title: "three" } },
        ),
        textStep("I do it here."),
      ],
      { prices: PRICES, agentLimits: { costMicros: 15 } },
    );
    await runAgent(fixture, "one");
    const agent = await agentNamed(fixture, "one");
    expect(agent.task.state).toBe("failed");
    expect(agent.task.report?.output).toBe(
      "The agent failed: It reached a limit: the agents of this chat have cost $0.000015, and may cost $0.000015. What it had written:\n\nIt is about 40.",
    );
    expect(await readChat(db, agent.id)).toMatchObject({
      status: "error",
      lastError: { kind: "quota", retryable: false },
    });
    await fixture.run();
    for (const id of ["two", "say", "work"]) {
      const call = await callNamed(fixture, id);
      expect(call).toMatchObject({ state: "error", isError: true });
      expect(call.output).toMatch(
        /have cost \$0.000015, and may cost \$0.000015. Do the work here/,
      );
    }
    expect(await getAgents(fixture)).toHaveLength(1);
    expect(await fixture.chat()).toMatchObject({ status: "waiting" });
  });

  it("lets an agent that has come to its end end as it has", async () => {
    const fixture = await withAgents(["one"], () => [textStep("It is 42."), textStep("Thanks.")], {
      prices: PRICES,
      agentLimits: { costMicros: 15 },
    });
    await runAgent(fixture, "one");
    expect((await agentNamed(fixture, "one")).task).toMatchObject({ state: "completed" });
    // The chat itself may go on.
    await fixture.run();
    expect(await fixture.chat()).toMatchObject({
      status: "waiting",
      usage: { child: { cost_micros: 15 } },
    });
  });
});
