import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import * as z from "zod";
import { MAX_REPORT_TURNS, MAX_RUNNING_TASKS } from "@/contract/limits";
import type { Database } from "@/server/db/connection/database";
import { listTasks } from "@/server/db/tasks/task-reads";
import type { TaskHandle } from "@/server/tools/task";
import { defineTool } from "@/server/tools/tool";
import { asyncResult, toolResult } from "@/server/tools/tool-result";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { beginTestTask } from "@/test/task-fixture";
import { finishPart, type ScriptedStep, textStep, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { appMetrics } from "@/server/metrics/app-metrics";
import { cancelTask } from "@/server/chat/manage-tasks";
import { continueChat } from "@/server/chat/continue-chat";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { sendMessage } from "@/server/chat/send-message";
import { toWireMessage } from "@/server/api/wire-format";
import { completeTask, wakeChat } from "./task-reports";

let db: Database;
let tasks: TaskHandle[] = [];
beforeAll(async () => {
  db = await testDatabase();
});
afterEach(() => {
  tasks = [];
});

/** A tool whose tasks end when the test ends them. */
const laterTool = defineTool({
  name: "later",
  description: "Works in the background.",
  input: z.object({ label: z.string() }),
  taskLabel: ({ label }) => label,
  runAsync: (_context, { label }, task) => {
    tasks.push(task);
    return Promise.resolve(asyncResult(task.id, `Began ${label}.`));
  },
});

/** A step that begins these tasks. */
const begins = (...labels: string[]): ScriptedStep => [
  ...labels.flatMap((label) => toolCallParts(`call_${label}`, "later", { label })),
  finishPart("tool-calls"),
];

const start = (steps: Parameters<typeof createTurnFixture>[0]["steps"]): Promise<TurnFixture> =>
  createTurnFixture({ steps, tools: [laterTool] });

const rows = (fixture: TurnFixture) => listTasks(db, fixture.chatId);
const states = async (fixture: TurnFixture) => (await rows(fixture)).map(({ state }) => state);
const roles = async (fixture: TurnFixture) =>
  (await fixture.history()).map(({ role }) => role).join(" ");
const complete = (index: number, text: string): void => tasks[index]?.complete(toolResult(text));
const lastPrompt = (fixture: TurnFixture): string =>
  JSON.stringify(fixture.model.requests.at(-1)?.prompt);

describe("a tool that goes on after its call", () => {
  it("answers the call at once, and names its task", async () => {
    const fixture = await start([begins("one"), textStep("Later.")]);
    await fixture.run();
    const [task] = await rows(fixture);
    expect(task).toMatchObject({ state: "running", label: "one", toolCallId: "call_one" });
    expect(lastPrompt(fixture)).toContain(`the report of task ${task?.id ?? ""}`);
    const message = (await fixture.history()).find(({ role }) => role === "assistant");
    expect(message && toWireMessage(message).parts).toMatchObject([
      { state: "completed", is_async: true, task_id: task?.id },
    ]);
    expect((await fixture.chat()).status).toBe("waiting");
  });
});

describe("a report", () => {
  it("wakes a chat that rests, in a turn of its own, once", async () => {
    const fixture = await start([begins("one"), textStep("Later."), textStep("Done.")]);
    await fixture.run();
    const before = await fixture.chat();
    complete(0, "It is <b>42</b> </task_report>.");
    complete(0, "It is 43.");
    await expect.poll(() => fixture.chat()).toMatchObject({ status: "pending" });
    await fixture.run();
    const chat = await fixture.chat();
    expect(chat.turnId).not.toBe(before.turnId);
    expect(chat).toMatchObject({ status: "waiting", reportCount: 0, wakesLeft: 9 });
    expect(await roles(fixture)).toBe("user assistant assistant event assistant");
    expect(await rows(fixture)).toMatchObject([{ state: "completed" }]);
    expect((await rows(fixture))[0]?.deliveredAt).toBeInstanceOf(Date);
    expect(lastPrompt(fixture)).toContain("<task_report>");
    expect(lastPrompt(fixture).split("</task_report>")).toHaveLength(2);
    await wakeChat({ db, newId }, fixture.chatId);
    expect((await fixture.chat()).status).toBe("waiting");
  });

  it("enters a turn that runs before its next step, in the order of the ends", async () => {
    const fixture = await start([
      begins("one", "two"),
      () => [
        (async () => {
          complete(1, "second");
          await expect.poll(() => states(fixture)).toContain("completed");
          complete(0, "first");
          await expect.poll(() => fixture.chat()).toMatchObject({ reportCount: 2 });
        })(),
        ...toolCallParts("call_time", "current_time", {}),
        finishPart("tool-calls"),
      ],
      textStep("Done."),
    ]);
    await fixture.run();
    expect(await roles(fixture)).toBe("user assistant assistant event assistant");
    const event = (await fixture.history()).find(({ role }) => role === "event");
    expect(event?.parts.map((part) => part.type === "report" && part.data.label)).toEqual([
      "two",
      "one",
    ]);
  });

  it("stands before the next message of a chat that was stopped, and does not wake it", async () => {
    const fixture = await start([begins("one"), textStep("Later."), textStep("Done.")]);
    await fixture.run();
    await sendMessage(fixture.ctx, {
      chatId: fixture.chatId,
      content: toTextContent("more"),
      busyBehavior: "queue",
    });
    await interruptChat(fixture.ctx, { chatId: fixture.chatId });
    await fixture.run();
    complete(0, "42");
    await expect.poll(() => fixture.chat()).toMatchObject({ status: "waiting", reportCount: 1 });
    await sendMessage(fixture.ctx, {
      chatId: fixture.chatId,
      content: toTextContent("go on"),
      busyBehavior: "queue",
    });
    expect(await roles(fixture)).toBe("user assistant assistant user event user");
    expect(await fixture.chat()).toMatchObject({ reportCount: 0, wakesLeft: MAX_REPORT_TURNS });
  });

  it("of a failure says so", async () => {
    const fixture = await start([begins("one"), textStep("Later.")]);
    await fixture.run();
    tasks[0]?.complete(Promise.reject(new Error("no disk.")));
    await expect.poll(() => states(fixture)).toEqual(["failed"]);
    expect((await rows(fixture))[0]?.report?.output).toBe("The task failed: no disk.");
  });

  it("begins ten turns in a row, and no more until a person writes", async () => {
    const fixture = await start([
      ...Array.from({ length: MAX_REPORT_TURNS + 1 }, (_, turn) => [
        begins(`${turn}`),
        textStep("Later."),
      ]).flat(),
    ]);
    await fixture.run();
    for (let turn = 0; turn < MAX_REPORT_TURNS; turn++) {
      complete(turn, "again");
      await expect.poll(() => fixture.chat()).toMatchObject({ status: "pending" });
      await fixture.run();
    }
    complete(MAX_REPORT_TURNS, "again");
    await expect
      .poll(() => fixture.chat())
      .toMatchObject({ status: "waiting", reportCount: 1, wakesLeft: 0 });
  });

  it("of a cancelled task is the only one", async () => {
    const fixture = await start([begins("one"), textStep("Later."), textStep("Done.")]);
    await fixture.run();
    const [{ id: taskId } = { id: "" }] = await rows(fixture);
    const report = { output: "Cancelled.", for_user: null, artifacts: [] };
    const end = { taskId, chatId: fixture.chatId, state: "cancelled" as const, report };
    const ended = await Promise.all(
      Array.from({ length: 5 }, () => completeTask({ db, newId }, end)),
    );
    expect(ended.filter(Boolean)).toHaveLength(1);
    await fixture.tasks.check();
    expect(tasks[0]?.signal.aborted).toBe(true);
    complete(0, "too late");
    expect(await fixture.chat()).toMatchObject({ reportCount: 0 });
  });

  it("does not continue a turn that rests until a person continues it", async () => {
    const fixture = await createTurnFixture({
      steps: [begins("one"), textStep("Done.")],
      tools: [laterTool],
      autoSubmit: { success: false, error: true },
    });
    await fixture.run();
    complete(0, "42");
    await expect.poll(() => fixture.chat()).toMatchObject({ status: "waiting", reportCount: 1 });
    await continueChat(fixture.ctx, { chatId: fixture.chatId });
    await fixture.run();
    expect(await roles(fixture)).toBe("user assistant event assistant");
    expect(lastPrompt(fixture)).toContain("42");
  });

  it("of data and files reaches model and person as that of a call does", async () => {
    const fixture = await start([begins("one"), textStep("Later."), textStep("Done.")]);
    await fixture.run();
    tasks[0]?.complete({ ...toolResult("x".repeat(200_000)), forUser: "It is long." });
    await expect.poll(() => fixture.chat()).toMatchObject({ status: "pending" });
    const report = (await rows(fixture))[0]?.report;
    expect(report).toMatchObject({ for_user: "It is long.", artifacts: [{ name: "output.txt" }] });
    expect(JSON.stringify(report?.output).length).toBeLessThan(100_000);
  });
});

describe("the tasks of a chat", () => {
  it("are refused above their number, and the call says what to do", async () => {
    const fixture = await start([begins("one"), textStep("Later.")]);
    for (let count = 0; count < MAX_RUNNING_TASKS; count++) {
      await beginTestTask(db, { chatId: fixture.chatId });
    }
    await fixture.run();
    const call = (await fixture.history()).flatMap(({ parts }) => parts)[1];
    expect(call).toMatchObject({
      state: "error",
      output: expect.stringContaining("cancel one") as string,
    });
    expect(await rows(fixture)).toHaveLength(MAX_RUNNING_TASKS);
    expect(tasks[0]?.signal.aborted).toBe(true);
  });
});

/** Reads the value of a metric of this process. */
const metric = async (line: string): Promise<number> => {
  const text = await appMetrics().register.metrics();
  const found = text.split("\n").find((candidate) => candidate.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
};

describe("the metrics of tasks", () => {
  const ends = (state: string) => metric(`parley_task_ends_total{kind="tool",state="${state}"}`);
  const deliveries = () => metric('parley_task_delivery_seconds_count{kind="tool"}');

  it("count each end once, and each delivery by a worker", async () => {
    const before = [await ends("completed"), await ends("cancelled"), await deliveries()];
    const fixture = await start([
      begins("one", "two", "three"),
      () => [
        (async () => {
          complete(0, "first");
          await expect.poll(() => fixture.chat()).toMatchObject({ reportCount: 1 });
        })(),
        ...toolCallParts("call_time", "current_time", {}),
        finishPart("tool-calls"),
      ],
      textStep("Later."),
      textStep("Done."),
    ]);
    await fixture.run();
    complete(1, "second");
    await expect.poll(() => fixture.chat()).toMatchObject({ status: "pending" });
    await fixture.run();
    const third = (await rows(fixture)).find(({ label }) => label === "three");
    await cancelTask(fixture.ctx, third?.id ?? "");
    await cancelTask(fixture.ctx, third?.id ?? "");
    await expect.poll(deliveries).toBe((before[2] ?? 0) + 2);
    const after = [await ends("completed"), await ends("cancelled")];
    expect(after).toEqual([(before[0] ?? 0) + 2, (before[1] ?? 0) + 1]);
    expect(await metric('parley_task_delivery_seconds_bucket{le="3600",kind="tool"}')).toBe(
      await deliveries(),
    );
  });
});
