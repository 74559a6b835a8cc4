import { describe, expect, it, vi } from "vitest";
import { HANGING } from "@/test/hanging";
import { type DetachedCall, type RunHost, startDetachedCall } from "./detached-call";
import type { HeldCallsDeps, HeldKey } from "@/server/tools/held-calls";
import { createHeldCallList } from "./held-call-list";

const QUESTION = { message: "?", requested_schema: { type: "object", properties: {} } };
const never = new AbortController().signal;

const turn = (): RunHost & { end: () => void } => {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    emit: () => undefined,
    end: () => controller.abort("lost"),
  };
};

/** Calls of a process, whose database answers as it is told. */
const setUp = (changes: Partial<HeldCallsDeps> = {}, max?: number) => {
  const listOpen = vi.fn((calls: readonly HeldKey[]) => Promise.resolve(calls));
  const resume = vi.fn(() => Promise.resolve());
  const calls = createHeldCallList(
    {
      hold: () => Promise.resolve(true),
      release: () => Promise.resolve(),
      listOpen,
      resume,
      ...changes,
    },
    max,
  );
  /** A call that asks in a turn, and is kept. */
  const keep = async (key: HeldKey, host: RunHost, withdrawn = never): Promise<DetachedCall> => {
    const run = startDetachedCall(async ({ elicit, signal }) => {
      await elicit(QUESTION, AbortSignal.any([withdrawn, signal])).catch(() => undefined);
      return { state: "completed", output: "went on" } as never;
    }, host);
    await run.next();
    await calls.keep(key, { run, questionCount: 1, turn: host.signal });
    return run;
  };
  return { calls, keep, listOpen, resume };
};

const KEY: HeldKey = { chatId: "chat", toolCallId: "paint" };

describe("turns of one chat that overlap", () => {
  it("end their own calls only", async () => {
    const { calls, keep } = setUp();
    const [one, other] = [turn(), turn()];
    const run = await keep(KEY, one);
    calls.park("chat", one.signal);
    expect(calls.continue(KEY, { host: other, answer: undefined })).toBe(run);
    calls.park("chat", one.signal);
    calls.endTurn("chat", one.signal);
    expect(calls.has(KEY)).toBe(true);
    expect(run.isAborted()).toBe(false);
    calls.endTurn("chat", other.signal);
    expect(run.isAborted()).toBe(true);
  });

  it("do not take over a call that has been stopped", async () => {
    const { calls, keep } = setUp();
    const one = turn();
    await keep(KEY, one);
    one.end();
    expect(calls.has(KEY)).toBe(false);
    expect(calls.continue(KEY, { host: turn(), answer: undefined })).toBeUndefined();
  });

  it("do not forget a call with the id of an earlier one", async () => {
    const { calls, keep } = setUp();
    const old = await keep(KEY, turn());
    calls.retain("chat", []);
    expect(old.isAborted()).toBe(true);
    const run = await keep(KEY, turn());
    calls.forget(KEY, old);
    expect(calls.has(KEY)).toBe(true);
    calls.forget(KEY, run);
    expect(calls.has(KEY)).toBe(false);
  });
});

describe("a look at the database", () => {
  it("ends no call that has come while it was read", async () => {
    const read = Promise.withResolvers<HeldKey[]>();
    const { calls, keep } = setUp({ listOpen: () => read.promise });
    await keep(KEY, turn());
    const checked = calls.check(["chat"]);
    calls.retain("chat", []);
    const run = await keep(KEY, turn());
    read.resolve([]);
    await checked;
    expect(run.isAborted()).toBe(false);
  });

  it("is for the chats that may have changed", async () => {
    const { calls, keep, listOpen } = setUp();
    await keep(KEY, turn());
    await keep({ ...KEY, chatId: "other" }, turn());
    await calls.check(["other", "unknown"]);
    expect(listOpen).toHaveBeenCalledExactlyOnceWith([{ ...KEY, chatId: "other" }]);
    await calls.check(["unknown"]);
    expect(listOpen).toHaveBeenCalledTimes(1);
  });
});

describe("a question that the server has taken back", () => {
  it("is tried again to be closed, but not once it is", async () => {
    const first = Promise.withResolvers<undefined>();
    const resume = vi.fn(() => Promise.resolve());
    resume.mockReturnValueOnce(first.promise);
    const { calls, keep } = setUp({ resume });
    const one = turn();
    const withdrawal = new AbortController();
    const run = await keep(KEY, one, withdrawal.signal);
    calls.park("chat", one.signal);
    withdrawal.abort();
    await run.next();
    expect(resume).toHaveBeenCalledExactlyOnceWith({ ...KEY, questionCount: 1 });
    await calls.check(["chat"]);
    expect(resume).toHaveBeenCalledTimes(1);
    first.reject(new Error("the database is away"));
    await vi.waitFor(async () => {
      await calls.check(["chat"]);
      expect(resume).toHaveBeenCalledTimes(2);
    }, HANGING);
    await calls.check(["chat"]);
    expect(resume).toHaveBeenCalledTimes(2);
  });
});

it("are limited for each process", async () => {
  const { calls, keep } = setUp({}, 3);
  const key = (index: number): HeldKey => ({ ...KEY, chatId: `chat-${index}` });
  for (let index = 0; index < 2; index += 1) await keep(key(index), turn());
  expect(calls.hasRoom(KEY)).toBe(true);
  await keep(key(2), turn());
  expect(calls.hasRoom(KEY)).toBe(false);
  // It may ask on.
  expect(calls.hasRoom(key(0))).toBe(true);
  await calls.endAll();
  expect(calls.hasRoom(KEY)).toBe(true);
});
