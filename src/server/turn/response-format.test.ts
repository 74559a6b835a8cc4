import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "@/contract/json";
import { regenerate } from "@/server/chat/regenerate";
import { sendMessage } from "@/server/chat/send-message";
import { toWireMessage } from "@/server/api/wire-format";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { findPromptProblems } from "@/test/prompt-problems";
import {
  finishPart,
  type ScriptedStep,
  textParts,
  textStep,
  toolCallParts,
} from "@/test/scripted-model";
import {
  createSignal,
  createTurnFixture,
  type TurnFixture,
  type TurnSetup,
} from "@/test/turn-fixture";

beforeAll(() => testDatabase());

const PERSON: JsonObject = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer", minimum: 0 } },
  required: ["name", "age"],
};
const toFormat = (schema: JsonObject = PERSON) => ({
  type: "json_schema" as const,
  name: "person",
  schema,
});
const ADA = '{"name":"Ada","age":36}';

const start = (steps: ScriptedStep[], setup: Partial<TurnSetup> = {}): Promise<TurnFixture> =>
  createTurnFixture({ steps, responseFormat: toFormat(), ...setup });

const readAnswers = async (turn: TurnFixture) =>
  (await turn.history())
    .filter(({ role }) => role === "assistant")
    .map((message) => {
      const { parsed, format_errors, finish_reason } = toWireMessage(message);
      return { parsed, format_errors, finish_reason };
    });

/** What a request says to the model last. */
const readQuestion = (turn: TurnFixture): string =>
  JSON.stringify(turn.model.requests.at(-1)?.prompt.at(-1));

describe("the last answer of a turn with a format", () => {
  it.each([
    ["alone", ADA],
    ["in a block of code", `\`\`\`json\n${ADA}\n\`\`\`\n`],
    ["in a block without a language", `\`\`\`\n${ADA}\n\`\`\``],
    ["with space around it", `\n ${ADA}\n\n`],
  ])("comes as a value: %s", async (_, answer) => {
    const turn = await start([textStep(answer)]);
    await turn.run();
    expect(await readAnswers(turn)).toEqual([
      { parsed: { name: "Ada", age: 36 }, format_errors: undefined, finish_reason: "stop" },
    ]);
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  });

  it("is made anew with what was wrong, which stays in the history", async () => {
    const turn = await start([
      textStep('{"name":"Ada","age":-1}'),
      textStep("Sorry, she is 36."),
      textStep(ADA),
      textStep("You are welcome."),
    ]);
    await turn.run();
    const answers = await readAnswers(turn);
    expect(answers).toMatchObject([
      { parsed: null, format_errors: [{ pointer: "/age" }] },
      { parsed: null, format_errors: [{ pointer: "", message: "is not JSON" }] },
      { parsed: { name: "Ada", age: 36 } },
    ]);
    expect(turn.model.requests).toHaveLength(3);
    expect(readQuestion(turn)).toMatch(/does not have the form.*The answer is not JSON/);
    for (const { prompt } of turn.model.requests) expect(findPromptProblems(prompt)).toEqual([]);
    expect(JSON.stringify(turn.model.requests[0]?.prompt)).toContain("named person");

    const { chatId, ctx } = turn;
    await sendMessage(ctx, { chatId, content: toTextContent("thanks"), busyBehavior: "queue" });
    await turn.run();
    const last = JSON.stringify(turn.model.requests.at(-1)?.prompt);
    expect(last).toContain("/age");
    expect(last, "the format is that of one turn").not.toContain("named person");
    expect((await readAnswers(turn)).at(-1)).toEqual({
      parsed: undefined,
      format_errors: undefined,
      finish_reason: "stop",
    });
  });

  it("ends the turn after two repairs with a notice, and says what is wrong", async () => {
    const turn = await start(Array.from({ length: 4 }, () => textStep('{"name":5,"age":1}')));
    await turn.run();
    expect(turn.model.requests).toHaveLength(3);
    const answers = await readAnswers(turn);
    expect(answers.map(({ finish_reason }) => finish_reason)).toEqual([
      "stop",
      "stop",
      "invalid-format",
    ]);
    expect(answers.at(-1)).toMatchObject({ parsed: null, format_errors: [{ pointer: "/name" }] });
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 3, lastError: null });
  });

  it("may be made anew after tools, and is the answer after all of them", async () => {
    const turn = await start([
      [
        ...textParts("not JSON"),
        ...toolCallParts("c1", "current_time", {}),
        finishPart("tool-calls"),
      ],
      textStep("It is late."),
      textStep(ADA),
    ]);
    await turn.run();
    expect(await readAnswers(turn)).toMatchObject([
      { parsed: undefined },
      { parsed: null },
      { parsed: { name: "Ada" } },
    ]);
  });

  it("counts the repairs over crashes, by what is committed", async () => {
    const turn = await start([textStep("a"), textStep("b"), textStep("c"), textStep("d")]);
    for (const calls of [1, 2]) {
      // Between the commit of an answer and the next call.
      await turn.run({ stopping: createSignal(() => turn.model.requests.length >= calls) });
      await turn.crash();
    }
    await turn.run();
    expect(turn.model.requests).toHaveLength(3);
    expect((await readAnswers(turn)).map(({ finish_reason }) => finish_reason)).toEqual([
      "stop",
      "stop",
      "invalid-format",
    ]);
  });

  it("keeps the digits of numbers, and takes null", async () => {
    const digits = await start([textStep("[12345678901234567890,1.50]")], {
      responseFormat: toFormat({ type: "array" }),
    });
    await digits.run();
    const [, answer] = await digits.history();
    expect(JSON.stringify(answer && toWireMessage(answer).parsed)).toBe(
      "[12345678901234567890,1.5]",
    );
    const none = await start([textStep("null")], { responseFormat: toFormat({ type: "null" }) });
    await none.run();
    expect(await readAnswers(none)).toEqual([
      { parsed: null, format_errors: undefined, finish_reason: "stop" },
    ]);
  });

  it("is not made anew at the step limit", async () => {
    const turn = await start([textStep("no")], { maxSteps: 1 });
    await turn.run();
    expect(await readAnswers(turn)).toMatchObject([{ finish_reason: "invalid-format" }]);
    expect((await turn.chat()).status).toBe("waiting");
  });

  it("has at most twenty errors, and one for a value that takes too long to check", async () => {
    const many = await start([textStep(JSON.stringify(Array.from({ length: 60 }, () => 1)))], {
      responseFormat: toFormat({ type: "array", items: { type: "string" } }),
      maxSteps: 1,
    });
    await many.run();
    expect((await readAnswers(many))[0]?.format_errors).toHaveLength(20);
    const slow = await start([textStep(JSON.stringify(`${"a".repeat(60)}!`))], {
      responseFormat: toFormat({ type: "string", pattern: "^(a+)+$" }),
      maxSteps: 1,
    });
    await slow.run();
    expect(await readAnswers(slow)).toMatchObject([
      { parsed: null, format_errors: [{ pointer: "", message: "could not be checked in time" }] },
    ]);
  });

  it("is checked again when it is made anew by a person", async () => {
    const turn = await start([textStep(ADA), textStep("no"), textStep('{"name":"Bo","age":1}')]);
    await turn.run();
    await regenerate(turn.ctx, { chatId: turn.chatId });
    await turn.run();
    expect(await readAnswers(turn)).toMatchObject([
      { parsed: null },
      { parsed: { name: "Bo", age: 1 } },
    ]);
  });

  it("is a value for a waiting message too, and none for an answer that was stopped", async () => {
    const turn = await createTurnFixture({ steps: [textStep("Hi."), textStep(ADA)] });
    await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent("And she?"),
      busyBehavior: "queue",
      responseFormat: toFormat(),
    });
    await turn.run();
    await turn.run();
    expect(await readAnswers(turn)).toMatchObject([
      { parsed: undefined },
      { parsed: { name: "Ada" } },
    ]);
  });
});
