import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import type { ExecResult } from "@/contract/exec";
import type { Database } from "@/server/db/connection/database";
import { listTasks } from "@/server/db/tasks/task-reads";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { createLogger } from "@/server/log";
import { openWorkspace } from "@/server/tools/workspace/workspace";
import { createHeldCalls } from "@/server/mcp/questions/held-calls";
import { createSessionPoller } from "@/server/worker/session-poller";
import { testDatabase } from "@/test/database";
import { findProcesses, findTestSandbox } from "@/test/exec-fixture";
import {
  finishPart,
  type ScriptedStep,
  textParts,
  textStep,
  toolCallParts,
} from "@/test/scripted-model";
import { workspaceOptions } from "@/test/tool-fixture";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { cancelTask } from "@/server/chat/manage-tasks";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { interceptStatements } from "@/test/database-doubles";
import { updateChat } from "@/server/chat/update-chat";
import { testProcess } from "@/test/test-process";

let db: Database;
let sandbox: Sandbox;
const workspaces = workspaceOptions(mkdtempSync(path.join(tmpdir(), "parley-command-tasks-")));
beforeAll(async () => {
  db = await testDatabase();
  sandbox = await findTestSandbox();
});
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

/** A chat whose commands run in a real sandbox, by a process that has it. */
const start = async (steps: ScriptedStep[]): Promise<TurnFixture> => {
  const poller = createSessionPoller({
    db,
    notifications: testProcess(db).notifications,
    owner: "test",
    newId,
    log: createLogger("silent"),
    createHeldCalls,
    heartbeatMs: 60_000,
  });
  const fixture = await createTurnFixture({
    steps,
    toolDeps: {
      openWorkspace: ({ rootChatId }) => openWorkspace(workspaces, rootChatId),
      sandbox,
      sessions: poller.sessions,
    },
  });
  cleanups.push(fixture.tasks.stop, poller.stop);
  return fixture;
};

const UNTIL_LET_GO = "until [ -e go ]; do sleep 0.05; done";
const letGo = ({ chatId }: TurnFixture) =>
  openWorkspace(workspaces, chatId).write("go", new Uint8Array(), { overwrite: true });

let calls = 0;
const exec = (args: object): ScriptedStep => [
  ...toolCallParts(`call_${(calls += 1)}`, "exec", args),
  finishPart("tool-calls"),
];
const background = (command: string, more: object = { report_on_exit: true }): ScriptedStep =>
  exec({ action: "run", command, background: true, ...more });
/** A step that acts on the only session that the prompt names. */
const act =
  (action: string, more: object = {}): ScriptedStep =>
  ({ prompt }) => {
    const [, sessionId] = /session_id\\*":\\*"([0-9a-f]{8})/.exec(JSON.stringify(prompt)) ?? [];
    return exec({ action, session_id: sessionId, ...more });
  };

const rows = (fixture: TurnFixture) => listTasks(db, fixture.chatId);
const states = async (fixture: TurnFixture) => (await rows(fixture)).map(({ state }) => state);
const roles = async (fixture: TurnFixture) =>
  (await fixture.history()).map(({ role }) => role).join(" ");
const lastPrompt = (fixture: TurnFixture): string =>
  JSON.stringify(fixture.model.requests.at(-1)?.prompt);
/** A command that no other process of this machine runs. */
let seconds = 880_000 + process.pid;
const uniqueSleep = (): string => `sleep ${(seconds += 1)}`;
/** Commands take milliseconds. */
const OFTEN = { interval: 20 };
const becomes = (fixture: TurnFixture, state: string) =>
  expect.poll(() => states(fixture), OFTEN).toEqual([state]);

describe("a command in the background", () => {
  it("is a task with the command as its label, named in the result", async () => {
    const fixture = await start([
      background(`${uniqueSleep()}  # ${"é".repeat(99)}`),
      textStep("Ok."),
    ]);
    await fixture.run();
    const [task] = await rows(fixture);
    expect(task).toMatchObject({ kind: "command", state: "running", shouldReport: true });
    expect(Array.from(task?.label ?? "")).toHaveLength(80);
    expect(task?.label).toMatch(/^sleep \d+ # é+…$/);
    expect(lastPrompt(fixture)).toContain(task?.id);
  });

  it("reports its end with the exit code and what was not read, if it was asked to", async () => {
    const fixture = await start([
      background(`${UNTIL_LET_GO}; echo made`),
      textStep("Later."),
      textStep("Good."),
    ]);
    await fixture.run();
    await letGo(fixture);
    await expect.poll(() => fixture.chat(), OFTEN).toMatchObject({ status: "pending" });
    await fixture.run();
    expect(await roles(fixture)).toBe("user assistant assistant event assistant");
    expect(await states(fixture)).toEqual(["completed"]);
    const [report] = (await fixture.history())[3]?.parts ?? [];
    expect(report).toMatchObject({
      type: "report",
      data: { kind: "command", output: { status: "exited", exit_code: 0, output: "made\n" } },
    });
  });

  it.each([
    ["exit 3", { status: "exited", exit_code: 3 }],
    ["kill -TERM $$", { status: "killed", signal: "SIGTERM" }],
    ["sleep 60", { status: "timed_out" }],
  ])("has failed after %j", async (command, output) => {
    const fixture = await start([
      background(command, { report_on_exit: true, timeout: 1 }),
      textStep("Later."),
    ]);
    await fixture.run();
    await becomes(fixture, "failed");
    expect((await rows(fixture))[0]?.report?.output).toMatchObject(output);
  });

  it("ends without a report unless it was asked for one", async () => {
    const fixture = await start([background("echo made", {}), textStep("Ok.")]);
    await fixture.run();
    await becomes(fixture, "completed");
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
    expect((await rows(fixture))[0]?.deliveredAt).toBeNull();
  });

  it("of whose output the beginning was read reports the rest, which can be read as well", async () => {
    const fixture = await start([
      background(`echo one; ${UNTIL_LET_GO}; echo two`),
      act("poll"),
      textStep("Later."),
      act("read"),
      textStep("Good."),
    ]);
    await fixture.run();
    await letGo(fixture);
    await expect.poll(() => fixture.chat(), OFTEN).toMatchObject({ status: "pending" });
    await fixture.run();
    expect((await rows(fixture))[0]?.report?.output).toMatchObject({ output: "two\n" });
    const [read] = (await fixture.history()).at(-2)?.parts ?? [];
    expect(read).toMatchObject({ output: { status: "exited", output: "two\n" } });
  });
});

describe("the end of a command that the model has read", () => {
  const startAndPoll = () => start([background(UNTIL_LET_GO), act("poll"), textStep("Seen.")]);
  /** Runs a turn whose command ends when the model polls it, so that its end is not reported before. */
  const runUntilPolled = (fixture: TurnFixture, options?: Parameters<TurnFixture["run"]>[0]) =>
    Promise.all([fixture.run(options), fixture.model.waitForCalls(2).then(() => letGo(fixture))]);

  it("by poll does not come again", async () => {
    const fixture = await startAndPoll();
    await runUntilPolled(fixture);
    expect(await states(fixture)).toEqual(["completed"]);
    expect((await rows(fixture))[0]?.deliveredAt).toBeInstanceOf(Date);
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
    expect(await roles(fixture)).toBe("user assistant assistant assistant");
  });

  it("by kill does not come again", async () => {
    const fixture = await start([background("sleep 60"), act("kill"), textStep("Seen.")]);
    await fixture.run();
    expect(await states(fixture)).toEqual(["cancelled"]);
    expect((await rows(fixture))[0]?.deliveredAt).toBeInstanceOf(Date);
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
    expect(await roles(fixture)).toBe("user assistant assistant assistant");
  });

  it("does not come again when the result is stored with a stop", async () => {
    const fixture = await startAndPoll();
    let settled = 0;
    const stopped = interceptStatements(db, "settle-", async (send) => {
      if ((settled += 1) === 2) await interruptChat(fixture.ctx, fixture);
      return send();
    });
    await runUntilPolled(fixture, { db: stopped });
    const [poll] = (await fixture.history()).at(-1)?.parts ?? [];
    expect(poll).toMatchObject({ state: "completed", output: { status: "exited" } });
    expect((await rows(fixture))[0]?.deliveredAt).toBeInstanceOf(Date);
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
  });

  it("comes again when the result was not stored", async () => {
    const fixture = await startAndPoll();
    let settled = 0;
    const refusing = interceptStatements(db, "settle-", (send) =>
      (settled += 1) === 1 ? send() : Promise.resolve([]),
    );
    await runUntilPolled(fixture, { db: refusing });
    expect(settled).toBe(2);
    expect(await states(fixture)).toEqual(["completed"]);
    expect(await fixture.chat()).toMatchObject({ status: "running", reportCount: 1 });
  });
});

describe("a command ends with its task", () => {
  const expectGone = (command: string) =>
    expect.poll(() => findProcesses(command), OFTEN).toEqual([]);

  it("that a person cancels, with all that it has started", async () => {
    const command = uniqueSleep();
    const fixture = await start([
      background(`setsid ${command} & ${command}`, { timeout: 0 }),
      textStep("Ok."),
    ]);
    await fixture.run();
    await expect.poll(() => findProcesses(command).length, OFTEN).toBeGreaterThan(1);
    const [{ id } = { id: "" }] = await rows(fixture);
    await cancelTask(fixture.ctx, id);
    await fixture.tasks.check();
    await expectGone(command);
    expect(await states(fixture)).toEqual(["cancelled"]);
  });

  it("that the model cancels, which needs no report", async () => {
    const command = uniqueSleep();
    const fixture = await start([
      background(command),
      ({ prompt }) => {
        const [, taskId] = /task_id\\*":\\*"([0-9a-f-]{36})/.exec(JSON.stringify(prompt)) ?? [];
        return [
          ...toolCallParts("call_cancel", "task_cancel", { task_id: taskId }),
          finishPart("tool-calls"),
        ];
      },
      textStep("Cancelled."),
    ]);
    await fixture.run();
    await fixture.tasks.check();
    await expectGone(command);
    expect(await states(fixture)).toEqual(["cancelled"]);
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
  });

  it("when its chat is stopped, as cancelled", async () => {
    const command = uniqueSleep();
    const fixture = await start([
      background(command),
      () => [interruptChat(fixture.ctx, fixture), ...textParts("Ok."), finishPart("stop")],
    ]);
    await fixture.run();
    await becomes(fixture, "cancelled");
    await expectGone(command);
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 1 });
  });

  it("when its chat is archived, as cancelled", async () => {
    const command = uniqueSleep();
    const fixture = await start([background(command), textStep("Ok.")]);
    await fixture.run();
    await updateChat(fixture.ctx, { chatId: fixture.chatId, archived: true });
    await becomes(fixture, "cancelled");
    await expectGone(command);
  });

  it("when its process stops, as unknown", async () => {
    const command = uniqueSleep();
    const fixture = await start([background(command), textStep("Ok.")]);
    await fixture.run();
    await fixture.tasks.stop();
    await expectGone(command);
    expect(await states(fixture)).toEqual(["unknown"]);
  });

  it.each([1, 2, 3, 4, 5])("whoever ends it first, once: round %i", async () => {
    const fixture = await start([background("true"), textStep("Ok."), textStep("Good.")]);
    await fixture.run();
    const [{ id } = { id: "" }] = await rows(fixture);
    await Promise.all(Array.from({ length: 3 }, () => cancelTask(fixture.ctx, id)));
    await expect
      .poll(async () => {
        if ((await fixture.chat()).status === "pending") await fixture.run();
        return fixture.chat();
      }, OFTEN)
      .toMatchObject({ status: "waiting" });
    const events = (await fixture.history()).filter(({ role }) => role === "event");
    expect(events.map(({ parts }) => parts.length)).toEqual([1]);
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
    const [{ state, report } = {}] = await rows(fixture);
    const { exit_code: code } = (report?.output ?? {}) as Partial<ExecResult>;
    expect(state).toBe(code === 0 ? "completed" : "cancelled");
  });
});
