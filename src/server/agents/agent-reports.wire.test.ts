import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { agentNamed, type Call, runAgent, say, spawn, wait } from "@/test/agent-turns";
import { testDatabase } from "@/test/database";
import { textStep } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { findWireProblems, readWireMessages, type WirePart } from "@/test/wire-messages";
import { createWireModel, WIRE_PROVIDERS, type WireProvider } from "@/test/wire-model";
import { startWireRecorder, type WireRecorder } from "@/test/wire-recorder";

beforeAll(() => testDatabase());

/** A text, or calls, by which the provider answers; a function may let something happen meanwhile. */
type Answer = string | Call[];
type Step = Answer | (() => Promise<Answer>);

const CALL_TIME: Call[] = [{ id: "time", name: "current_time", args: {} }];

/** What follows a batch of results before a user message: some chat templates refuse it there. */
const BETWEEN: Record<WireProvider, string[]> = {
  openai: [],
  anthropic: [],
  google: [],
  "openai-compatible": ["answer"],
};

describe.each(WIRE_PROVIDERS)("%s: a report of an agent", (provider) => {
  let recorder: WireRecorder;
  beforeAll(async () => {
    recorder = await startWireRecorder();
  });
  afterAll(() => recorder.close());
  afterEach(() => recorder.reset());

  /** A chat whose agents answer by script, and whose own requests are at the provider. */
  const start = async (steps: (fixture: TurnFixture) => Step[]) => {
    const fixture = await createTurnFixture({ steps: ["First.", "Second."].map(textStep) });
    const left = steps(fixture);
    recorder.mock.on({ predicate: () => true }, async () => {
      const step = left.shift();
      if (step === undefined) throw new Error("the provider has no more answers");
      return toResponse(typeof step === "function" ? await step() : step);
    });
    return fixture;
  };
  const run = (fixture: TurnFixture) =>
    fixture.run({
      resolveModel: () => Promise.resolve(createWireModel(provider, recorder.url)),
    });
  const outline = () => {
    const bodies = recorder.bodies();
    for (const body of bodies) expect(findWireProblems(provider, body)).toEqual([]);
    const messages = readWireMessages(provider, bodies.at(-1));
    return messages.flatMap(({ role, parts }) => parts.flatMap((part) => describePart(role, part)));
  };
  const between = BETWEEN[provider];

  it("begins a turn of its own, after the result of its call", async () => {
    const fixture = await start(() => [[spawn("one")], "It works.", "Thanks."]);
    await run(fixture);
    await runAgent(fixture, "one");
    await run(fixture);
    expect(outline()).toEqual(["hello", "call one", "result one", "answer", "report one"]);
    expect((await fixture.history()).at(-1)?.parts.at(-1)).toMatchObject({ text: "Thanks." });
  });

  it("stands between the results of two steps", async () => {
    const fixture = await start((fixture) => [
      [spawn("one")],
      async () => {
        await runAgent(fixture, "one");
        return CALL_TIME;
      },
      [{ id: "again", name: "current_time", args: {} }],
      "Thanks.",
    ]);
    await run(fixture);
    expect(outline()).toEqual([
      "hello",
      "call one",
      "result one",
      "call time",
      "result time",
      ...between,
      "report one",
      "call again",
      "result again",
    ]);
  });

  it("comes with others in one message", async () => {
    const fixture = await start((fixture) => [
      [spawn("one"), spawn("two")],
      async () => {
        await runAgent(fixture, "two");
        await runAgent(fixture, "one");
        return CALL_TIME;
      },
      "Thanks.",
    ]);
    await run(fixture);
    expect(outline()).toEqual([
      "hello",
      "call one",
      "call two",
      "result one",
      "result two",
      "call time",
      "result time",
      ...between,
      "report two",
      "report one",
    ]);
  });

  it("comes after a wait for another agent", async () => {
    const fixture = await start((fixture) => [
      [spawn("one"), spawn("two")],
      async () => {
        const ids = ["one", "two"].map((title) => agentNamed(fixture, title));
        return [
          wait(
            (await Promise.all(ids)).map(({ id }) => id),
            { min_completed: 1 },
          ),
        ];
      },
      "One has ended.",
      "Both have.",
    ]);
    await run(fixture);
    await runAgent(fixture, "one");
    await run(fixture);
    await runAgent(fixture, "two");
    await run(fixture);
    expect(outline()).toEqual([
      "hello",
      "call one",
      "call two",
      "result one",
      "result two",
      "call wait",
      "result wait",
      "answer",
      "report two",
    ]);
  });

  it("stands before a message that was queued", async () => {
    const fixture = await start((fixture) => [
      [spawn("one")],
      async () => {
        await say(fixture, "And now?");
        await runAgent(fixture, "one");
        return "It works.";
      },
      "Thanks.",
    ]);
    await run(fixture);
    await run(fixture);
    expect(outline()).toEqual([
      "hello",
      "call one",
      "result one",
      "answer",
      "report one",
      "And now?",
    ]);
  });
});

const toResponse = (answer: Answer) =>
  typeof answer === "string"
    ? { content: answer }
    : {
        toolCalls: answer.map(({ id, name, args }) => ({
          id,
          name,
          arguments: JSON.stringify(args),
        })),
      };

const describePart = (role: string, part: WirePart): string[] => {
  if (part.type === "reasoning" || part.type === "file") return [];
  if (part.type !== "text") return [`${part.type} ${part.id}`];
  if (role === "assistant") return ["answer"];
  const report = /^<task_report>(.*)<\/task_report>$/.exec(part.text)?.[1];
  return [report ? `report ${(JSON.parse(report) as { label: string }).label}` : part.text];
};
