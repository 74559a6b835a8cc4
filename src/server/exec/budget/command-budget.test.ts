import { existsSync } from "node:fs";
import { setImmediate as nextIteration } from "node:timers/promises";
import { v7 as uuidv7 } from "uuid";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { JsonObject } from "@/contract/json";
import { createExecFixture, findProcesses } from "@/test/exec-fixture";
import { HANGING } from "@/test/hanging";
import { createTestBudget } from "@/test/test-budget";
import { recordedDeps, type RecordedDeps } from "@/test/tool-fixture";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { findSandbox } from "@/server/exec/sandbox/find-sandbox";
import type { CommandBudget, CommandRequest } from "./command-budget";

const eventually = <Result>(check: () => Result) => vi.waitFor(check, HANGING);

const kinds = existsSync("/usr/bin/bwrap")
  ? (["bubblewrap", "unshare", "none"] as const)
  : (["unshare", "none"] as const);

/** A number of seconds that no other process of this machine sleeps. */
let nextSleep = 880_000 + process.pid;
const uniqueSleep = () => `sleep ${(nextSleep += 1)}`;

type Fixture = Awaited<ReturnType<typeof createExecFixture>>;
let fixtures: Fixture[] = [];
afterEach(async () => {
  await Promise.all(fixtures.map(({ sessions }) => sessions.endAll()));
  fixtures = [];
});
const createFixture = async (budget: CommandBudget, sandbox?: Sandbox): Promise<Fixture> => {
  const fixture = await createExecFixture({ budget, ...(sandbox && { sandbox }) });
  fixtures.push(fixture);
  return fixture;
};

const shown = ({ ops }: RecordedDeps): string =>
  ops.map((op) => (op.op === "output-append" ? op.text : "")).join("");

/** A call that goes on until it is stopped, or its command is ended. */
const start = (
  fixture: Fixture,
  args: JsonObject,
  { chatId = uuidv7(), userId = "user-1" } = {},
) => {
  const recorded = recordedDeps({ step: { userId } });
  const outcome = fixture.call({ action: "run", ...args }, { chatId, recorded, approved: true });
  return { recorded, outcome, chatId };
};

const kill = (text: string): void => {
  for (const pid of findProcesses(text)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended with another one.
    }
  }
};

/** Whether there is room for a command: it is shown no notice. */
const hasRoom = async (fixture: Fixture): Promise<boolean> => {
  const { recorded, outcome } = start(fixture, { command: "true" });
  await outcome;
  return !shown(recorded).includes("Waiting to start");
};

describe("commands of a step", () => {
  it("start in different iterations of the event loop, which answers requests between them", async () => {
    const budget = createTestBudget(8);
    let iteration = 0;
    let timer = setImmediate(function count() {
      iteration += 1;
      timer = setImmediate(count);
    });
    const starts = Array.from({ length: 8 }, (_, index) =>
      budget.run(
        {
          owner: { userId: "user-1", chatId: "chat-1" },
          isLasting: false,
          signal: new AbortController().signal,
          onWait: () => undefined,
        },
        () => Promise.resolve({ index, iteration }),
      ),
    );
    const started = await Promise.all(starts);
    clearImmediate(timer);
    expect(new Set(started.map((start) => start.iteration)).size).toBe(8);
    expect(started.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("run as many at once as there is memory for, and show to the person that others wait", async () => {
    const fixture = await createFixture(createTestBudget(2));
    const chatId = uuidv7();
    // Each counts those that are running, by files that it makes and removes.
    const calls = Array.from({ length: 8 }, (_, index) => {
      const command = `mkdir -p all/${index}; ls all | wc -l; sleep 0.2; ls all | wc -l; rmdir all/${index}`;
      return start(fixture, { command }, { chatId });
    });
    const outcomes = await Promise.all(calls.map(({ outcome }) => outcome));
    const counts = outcomes.flatMap(({ output }) =>
      (output as { output: string }).output.trim().split("\n").map(Number),
    );
    expect(counts).toHaveLength(16);
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    const waited = calls.filter(({ recorded }) => shown(recorded).includes("Waiting to start"));
    expect(waited).toHaveLength(6);
    expect(shown(waited[0]?.recorded ?? recordedDeps())).toContain(
      "2 other commands are running, and the server has memory for no more at a time (PARLEY_EXEC_TOTAL_MEMORY_MB).",
    );
    expect(JSON.stringify(outcomes)).not.toContain("Waiting");
  });

  it("leave the next place to another chat, and to another person", async () => {
    const fixture = await createFixture(createTestBudget(1));
    const [first, second] = [uuidv7(), uuidv7()];
    const holding = uniqueSleep();
    const held = start(fixture, { command: holding }, { chatId: first });
    await eventually(() => expect(findProcesses(holding)).not.toEqual([]));
    const ended: string[] = [];
    const queue = async (name: string, chatId: string, userId = "user-1") => {
      const { recorded, outcome } = start(fixture, { command: "true" }, { chatId, userId });
      await eventually(() => expect(shown(recorded)).toContain("Waiting to start"));
      return { done: outcome.then(() => ended.push(name)) };
    };
    const queued = [
      await queue("first 1", first),
      await queue("first 2", first),
      await queue("first 3", first),
      await queue("second 1", second),
      await queue("other person 1", uuidv7(), "user-2"),
    ];
    kill(holding);
    await Promise.all([held.outcome, ...queued.map(({ done }) => done)]);
    expect(ended).toEqual(["first 1", "other person 1", "second 1", "first 2", "first 3"]);
  });

  it("have their whole time after they have waited", async () => {
    const fixture = await createFixture(createTestBudget(1));
    const holding = uniqueSleep();
    const held = start(fixture, { command: holding, timeout: 3 });
    await eventually(() => expect(findProcesses(holding)).not.toEqual([]));
    const { outcome } = start(fixture, { command: "sleep 0.1; echo done", timeout: 2.5 });
    expect((await held.outcome).output).toMatchObject({ status: "timed_out" });
    expect((await outcome).output).toMatchObject({ status: "exited", output: "done\n" });
  });

  it("that are stopped while they wait never start, and keep no place", async () => {
    const fixture = await createFixture(createTestBudget(1));
    const holding = uniqueSleep();
    const held = start(fixture, { command: holding });
    await eventually(() => expect(findProcesses(holding)).not.toEqual([]));
    const chatId = uuidv7();
    const waiting = start(fixture, { command: "touch ran" }, { chatId });
    await eventually(() => expect(shown(waiting.recorded)).toContain("Waiting to start"));
    waiting.recorded.abort();
    expect((await waiting.outcome).state).toBe("cancelled");
    kill(holding);
    await held.outcome;
    expect((await fixture.exec({ action: "run", command: "ls" }, { chatId })).output).toBe("");
  });
});

describe.each(kinds)("the memory of a command in %s", (kind) => {
  const findKind = async (): Promise<Sandbox> => {
    const { sandbox, failures } = await findSandbox(kind, { privateDirectories: [] });
    if (!sandbox) throw new Error(JSON.stringify(failures));
    return sandbox;
  };

  it.each([
    ["exits", { command: "exit 3" }],
    ["is killed by a signal", { command: "kill -9 $$" }],
    ["times out", { command: "sleep 60", timeout: 0.2 }],
    ["cannot be found", { command: "no-such-program" }],
    ["has a terminal", { command: "exit 3", pty: true }],
    ["leaves a process behind", { command: "sleep 60 & exit 0" }],
  ])("is free when it %s", async (_, args) => {
    const fixture = await createFixture(createTestBudget(1), await findKind());
    await start(fixture, args).outcome;
    expect(await hasRoom(fixture)).toBe(true);
  });

  it("is free when its supervisor is killed, or it is stopped", async () => {
    const fixture = await createFixture(createTestBudget(1), await findKind());
    const killed = uniqueSleep();
    const first = start(fixture, { command: killed });
    await eventually(() => expect(findProcesses(killed)).not.toEqual([]));
    const [supervisor = 0] = findProcesses(killed);
    process.kill(supervisor, "SIGKILL");
    await first.outcome;
    expect(await hasRoom(fixture)).toBe(true);
    const stopped = uniqueSleep();
    const second = start(fixture, { command: stopped });
    await eventually(() => expect(findProcesses(stopped)).not.toEqual([]));
    second.recorded.abort();
    await second.outcome;
    await eventually(() => expect(findProcesses(stopped)).toEqual([]));
    expect(await hasRoom(fixture)).toBe(true);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("it has no program");
      },
    ],
    [
      "fails",
      (launch: ReturnType<Sandbox["launch"]>) => ({ ...launch, cwd: "/no/such/directory" }),
    ],
  ])("is free when its start %s", async (_, change) => {
    const sandbox = await findKind();
    const broken = {
      ...sandbox,
      launch: (command: Parameters<Sandbox["launch"]>[0]) => change(sandbox.launch(command)),
    };
    const budget = createTestBudget(1);
    const fixture = await createFixture(budget, broken);
    const failed = await start(fixture, { command: "true" }).outcome;
    expect(failed.isError).toBe(true);
    expect(await hasRoom(await createFixture(budget, sandbox))).toBe(true);
  });
});

describe("commands in the background", () => {
  const inBackground = { background: true, timeout: 0 };

  it("leave memory for one in the foreground", async () => {
    const fixture = await createFixture(createTestBudget(3));
    for (let count = 0; count < 2; count++) {
      const { outcome } = start(fixture, { command: uniqueSleep(), ...inBackground });
      expect((await outcome).isError).toBe(false);
    }
    const refused = await start(fixture, { command: uniqueSleep(), ...inBackground }).outcome;
    expect(refused.output).toContain("memory for 3 commands at a time, and all but one are taken");
    expect(refused.output).toContain("PARLEY_EXEC_TOTAL_MEMORY_MB");
    expect(await hasRoom(fixture)).toBe(true);
  });

  it("are refused where there is memory for one command only", async () => {
    const fixture = await createFixture(createTestBudget(1));
    const refused = await start(fixture, { command: "true", ...inBackground }).outcome;
    expect(refused.output).toContain("none can go on in the background");
    expect(await hasRoom(fixture)).toBe(true);
  });

  it("keep their memory until they end", async () => {
    const fixture = await createFixture(createTestBudget(2));
    const chatId = uuidv7();
    const session = start(fixture, { command: uniqueSleep(), ...inBackground }, { chatId });
    const { session_id: id = "" } = (await session.outcome).output as { session_id?: string };
    const holding = uniqueSleep();
    const held = start(fixture, { command: holding });
    await eventually(() => expect(findProcesses(holding)).not.toEqual([]));
    const waiting = start(fixture, { command: "true" });
    await eventually(() => expect(shown(waiting.recorded)).toContain("Waiting to start"));
    await fixture.exec({ action: "kill", session_id: id }, { chatId });
    expect((await waiting.outcome).isError).toBe(false);
    held.recorded.abort();
    await held.outcome;
  });

  it("wait for those in the foreground, and are stopped with their call", async () => {
    const fixture = await createFixture(createTestBudget(2));
    const holding = uniqueSleep();
    const held = [start(fixture, { command: holding }), start(fixture, { command: holding })];
    await eventually(() => expect(findProcesses(holding).length).toBeGreaterThan(1));
    const chatId = uuidv7();
    const waiting = start(fixture, { command: uniqueSleep(), ...inBackground }, { chatId });
    await eventually(() => expect(shown(waiting.recorded)).toContain("Waiting to start"));
    waiting.recorded.abort();
    expect((await waiting.outcome).state).toBe("cancelled");
    for (const { recorded } of held) recorded.abort();
    await Promise.all(held.map(({ outcome }) => outcome));
    const { sessions = [] } = await fixture.exec({ action: "list" }, { chatId });
    expect(sessions).toEqual([]);
    const { outcome } = start(fixture, { command: uniqueSleep(), ...inBackground });
    expect((await outcome).isError).toBe(false);
  });
});

/** As one begins in each iteration, those that take more of them are running together. */
const passIterations = async (count: number): Promise<void> => {
  for (let passed = 0; passed < count; passed += 1) await nextIteration();
};

it("holds for a thousand requests that come and are stopped in any order", async () => {
  const budget = createTestBudget(5);
  let [running, most, lasting, mostLasting] = [0, 0, 0, 0];
  const requests = Array.from({ length: 1_000 }, (_, index) => {
    const controller = new AbortController();
    const request: CommandRequest = {
      owner: { userId: `user-${index % 7}`, chatId: `chat-${index % 31}` },
      isLasting: index % 5 === 0,
      signal: controller.signal,
      onWait: () => undefined,
    };
    const run = budget.run(request, async (keepUntil) => {
      running += 1;
      lasting += request.isLasting ? 1 : 0;
      [most, mostLasting] = [Math.max(most, running), Math.max(mostLasting, lasting)];
      const ended = passIterations(10).then(() => {
        running -= 1;
        lasting -= request.isLasting ? 1 : 0;
      });
      if (index % 2 === 0) keepUntil(ended);
      else await ended;
      if (index % 11 === 0) throw new Error("it failed");
    });
    if (index % 3 === 0) setImmediate(() => controller.abort(new Error("stopped")));
    return run.then(
      () => "ran",
      (error: unknown) => (error as Error).message,
    );
  });
  const ends = new Set(await Promise.all(requests));
  expect([...ends].toSorted()).toEqual(
    ["it failed", "ran", "stopped", expect.stringContaining("memory for 5 commands")].toSorted(),
  );
  expect({ running, most, lasting }).toEqual({ running: 0, most: 5, lasting: 0 });
  expect(mostLasting).toBeLessThanOrEqual(4);
});
