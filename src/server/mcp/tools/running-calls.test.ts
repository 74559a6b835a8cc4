import type { ElicitRequestParams } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import type { ElicitationAnswer } from "@/contract/elicitation";
import type { Elicit } from "@/server/tools/tool-context";
import { createRunningCalls } from "./running-calls";

const QUESTION: ElicitRequestParams = {
  message: "Ready?",
  requestedSchema: { type: "object", properties: {} },
};
const YES: ElicitationAnswer = { action: "accept", content: {} };
const never = new AbortController().signal;
const yes: Elicit = () => Promise.resolve(YES);

/** The calls of a connection. */
const setUp = () => {
  const running = createRunningCalls({ maxAnswerDelayMs: 20 });
  /** A call that runs until it is told to end. */
  const run = (chatId: string, { elicit = yes, timeoutMs = 60_000 } = {}) => {
    const ended = Promise.withResolvers<string>();
    const controller = new AbortController();
    const send = vi.fn(() => ended.promise);
    const outcome = running
      .run({ asker: { chatId, elicit }, signal: controller.signal, timeoutMs }, send)
      .catch((error: unknown) => error);
    return {
      send,
      outcome,
      stop: () => controller.abort("interrupted"),
      end: () => {
        ended.resolve("ended");
        return outcome;
      },
    };
  };
  return { running, run };
};

/** A call of chat x whose question is answered while one of chat y runs. */
const setUpAnswered = async () => {
  const { running, run } = setUp();
  const answer = Promise.withResolvers<ElicitationAnswer>();
  const asking = run("x", { elicit: () => answer.promise });
  await expect.poll(() => asking.send).toHaveBeenCalled();
  const asked = running.ask(QUESTION, never);
  const other = run("y");
  await expect.poll(() => other.send).toHaveBeenCalled();
  answer.resolve(YES);
  return { asking, asked, other };
};

describe("an answer", () => {
  it("waits for the calls of other chats, but not for long", async () => {
    const { asking, asked, other } = await setUpAnswered();
    expect(await asked).toEqual(YES);
    expect(await asking.end()).toBe("ended");
    expect(await other.end()).toBe("ended");
  });

  it("does not reach its server after its call was stopped", async () => {
    const { asking, asked, other } = await setUpAnswered();
    asking.stop();
    await expect(asked).rejects.toThrow("The call was cancelled.");
    await Promise.all([asking.end(), other.end()]);
  });
});

it("asks nobody while something else is read of the server", async () => {
  const { running, run } = setUp();
  const elicit = vi.fn(yes);
  const call = run("x", { elicit });
  const ended = Promise.withResolvers<undefined>();
  const read = running.read(() => ended.promise);
  await expect(running.ask(QUESTION, never)).rejects.toThrow("Something is read");
  ended.resolve(undefined);
  await Promise.all([call.end(), read]);
  expect(elicit).not.toHaveBeenCalled();
});

it("keeps calls of other chats waiting after a question", async () => {
  const { running, run } = setUp();
  const first = run("x");
  await expect.poll(() => first.send).toHaveBeenCalled();
  expect(await running.ask(QUESTION, never)).toEqual(YES);
  const second = run("y");
  const third = run("x");
  await expect.poll(() => third.send).toHaveBeenCalled();
  expect(second.send).not.toHaveBeenCalled();
  await Promise.all([first.end(), third.end()]);
  await expect.poll(() => second.send).toHaveBeenCalled();
  expect(await second.end()).toBe("ended");
});

it("has the time counted in which a call waits for those of other chats", async () => {
  const { running, run } = setUp();
  const first = run("x");
  await expect.poll(() => first.send).toHaveBeenCalled();
  await running.ask(QUESTION, never);
  const second = run("y", { timeoutMs: 20 });
  expect(await second.outcome).toMatchObject({ message: "Request timed out" });
  expect(second.send).not.toHaveBeenCalled();
  expect(await first.end()).toBe("ended");
});

it("keeps no calls waiting after a question that is refused", async () => {
  const { running, run } = setUp();
  const first = run("x");
  await expect.poll(() => first.send).toHaveBeenCalled();
  const nested = { type: "object", properties: {} };
  const invalid = { ...QUESTION, requestedSchema: { ...nested, properties: { nested } } };
  await expect(running.ask(invalid as never, never)).rejects.toThrow("must be an object");
  const second = run("y");
  await expect.poll(() => second.send).toHaveBeenCalled();
  await Promise.all([first.end(), second.end()]);
});
