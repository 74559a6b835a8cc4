import { beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import type { Database } from "@/server/db/connection/database";
import { getAgents, calls, end, runAgent, say, wait, withAgents, work } from "@/test/agent-turns";
import { testDatabase } from "@/test/database";
import { finishPart, type ScriptedStep, textStep, toolCallParts } from "@/test/scripted-model";
import { beginTestTask } from "@/test/task-fixture";
import { createTurnFixture, type TurnFixture, type TurnSetup } from "@/test/turn-fixture";
import { continueChat } from "@/server/chat/continue-chat";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { regenerate } from "@/server/chat/regenerate";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import { completeTask, wakeChat } from "./task-reports";
import { updateChat } from "@/server/chat/update-chat";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

/** A chat that rests with a task. */
type Started = {
  fixture: TurnFixture;
  /** Ends the task, and lets the report wake the chat if it may. */
  end: () => Promise<void>;
  /** The roles of the messages since. */
  roles: () => Promise<string>;
};

/** Starts a chat. @param steps of the model; `ofTask` is the place of those that the task takes when it ends. */
type Start = (
  steps: (ofTask: ScriptedStep[]) => ScriptedStep[],
  setup?: Partial<TurnSetup>,
) => Promise<Started>;

const toStarted = async (fixture: TurnFixture, endTask: () => Promise<void>): Promise<Started> => {
  const { length } = await fixture.history();
  return {
    fixture,
    end: async () => {
      await endTask();
      await wakeChat({ db, newId }, fixture.chatId);
    },
    roles: async () =>
      (await fixture.history())
        .slice(length)
        .map(({ role }) => role)
        .join(" "),
  };
};

const beginTool = async ({ chatId }: TurnFixture) => {
  const taskId = await beginTestTask(db, { chatId });
  const report = { output: "It is 42.", for_user: null, artifacts: [] };
  return async (): Promise<void> => {
    await completeTask({ db, newId }, { taskId, chatId, state: "completed", report });
  };
};

const STARTS: Record<"tool" | "agent", Start> = {
  tool: async (steps, setup) => {
    const fixture = await createTurnFixture({
      ...setup,
      steps: [textStep("It works."), ...steps([])],
    });
    await fixture.run();
    return toStarted(fixture, await beginTool(fixture));
  },
  agent: async (steps, setup) => {
    const fixture = await withAgents(["one"], () => steps([textStep("It is 42.")]), setup);
    return toStarted(fixture, () => runAgent(fixture, "one"));
  },
};

const FAILS: ScriptedStep = { throws: new Error("no such model") };
const ASK_PAGE: Partial<TurnSetup> = {
  dynamicTools: [{ name: "ask_page", description: "Asks.", input_schema: { type: "object" } }],
};
const readsTime = calls({ id: "time", name: "current_time", args: {} });
const asksPage = calls({ id: "page", name: "ask_page", args: {} });

describe.each(["tool", "agent"] as const)("the report of a task, kind %s,", (kind) => {
  const start = STARTS[kind];

  it("is kept by a chat in error, and enters before the next message", async () => {
    const { fixture, end, roles } = await start((ofTask) => [FAILS, ...ofTask]);
    await say(fixture, "And?");
    await fixture.run();
    await end();
    expect(await fixture.chat()).toMatchObject({ status: "error", reportCount: 1 });
    expect(await roles()).toBe("user");
    await say(fixture, "Again.");
    expect(await roles()).toBe("user event user");
    expect(await fixture.chat()).toMatchObject({ status: "pending", reportCount: 0 });
  });

  it("is kept by a chat in error, and enters when its turn is continued", async () => {
    const { fixture, end, roles } = await start((ofTask) => [
      readsTime,
      FAILS,
      ...ofTask,
      textStep("So."),
    ]);
    await say(fixture, "And?");
    await fixture.run();
    await end();
    expect(await fixture.chat()).toMatchObject({ status: "error", reportCount: 1 });
    await continueChat(fixture.ctx, { chatId: fixture.chatId });
    await fixture.run();
    expect(await roles()).toBe("user assistant event assistant");
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
  });

  it("stays in the history when the turn that it began has failed and is tried again", async () => {
    const { fixture, end, roles } = await start((ofTask) => [...ofTask, FAILS, textStep("So.")]);
    await end();
    await fixture.run();
    expect(await fixture.chat()).toMatchObject({ status: "error", reportCount: 0 });
    await regenerate(fixture.ctx, { chatId: fixture.chatId });
    await fixture.run();
    expect(await roles()).toBe("event assistant");
  });

  it("is kept by a chat that waits for its client, and enters after the result", async () => {
    const { fixture, end, roles } = await start(
      (ofTask) => [asksPage, ...ofTask, textStep("So.")],
      ASK_PAGE,
    );
    await say(fixture, "Ask the page.");
    await fixture.run();
    await end();
    expect(await fixture.chat()).toMatchObject({ status: "requires_action", reportCount: 1 });
    const results = [{ toolCallId: "page", output: "yes", isError: false }];
    await submitToolResults(fixture.ctx, { chatId: fixture.chatId, results });
    expect(await roles()).toBe("user assistant");
    await fixture.run();
    expect(await roles()).toBe("user assistant event assistant");
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
  });

  it("does not wake a chat that is not to be woken", async () => {
    const { fixture, end, roles } = await start((ofTask) => ofTask, { wakeOnReports: false });
    await end();
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 1 });
    await say(fixture, "And?");
    expect(await roles()).toBe("event user");
  });
});

describe("the report of a task", () => {
  it("enters a turn that no worker has yet at once", async () => {
    const { fixture, end, roles } = await STARTS.tool(() => [textStep("So.")]);
    await say(fixture, "And?");
    const { turnId } = await fixture.chat();
    await end();
    expect(await fixture.chat()).toMatchObject({ status: "pending", turnId, reportCount: 0 });
    expect(await roles()).toBe("user event");
    await fixture.run();
    expect(await roles()).toBe("user event assistant");
  });

  it("of a second agent enters the turn that the first has begun, before a worker has it", async () => {
    const fixture = await withAgents(["one", "two"], () => [
      textStep("First."),
      textStep("Second."),
      textStep("So."),
    ]);
    const { roles } = await toStarted(fixture, () => Promise.resolve());
    const ids = (await getAgents(fixture)).map(({ id }) => id);
    for (const id of ids) await work(fixture, id);
    for (const id of ids) await end(fixture, id);
    expect(await roles()).toBe("event event");
    expect(await fixture.chat()).toMatchObject({ status: "pending", reportCount: 0, wakesLeft: 9 });
    await fixture.run();
    expect(await roles()).toBe("event event assistant");
  });

  it("does not end the delay of a provider", async () => {
    const { fixture, end, roles } = await STARTS.tool(() => [textStep("So.")]);
    const { chatId: id } = fixture;
    await say(fixture, "And?");
    const deferred = { notBefore: new Date(Date.now() + 60_000), attempt: 1 };
    await db.prisma.chat.update({ where: { id }, data: deferred });
    await end();
    expect(await fixture.chat()).toMatchObject({ status: "pending", reportCount: 1, ...deferred });
    await db.prisma.chat.update({ where: { id }, data: { notBefore: null } });
    await fixture.run();
    expect(await roles()).toBe("user event assistant");
  });

  it("wakes a chat at once that may be woken now", async () => {
    const { fixture, end, roles } = await STARTS.tool(() => [], { wakeOnReports: false });
    await end();
    expect(await roles()).toBe("");
    await updateChat(fixture.ctx, { chatId: fixture.chatId, wakeOnReports: true });
    expect(await roles()).toBe("event");
    expect(await fixture.chat()).toMatchObject({ status: "pending", reportCount: 0 });
  });

  it("enters the turn of an answer that is made again", async () => {
    const { fixture, end, roles } = await STARTS.tool(() => [
      textStep("Not yet."),
      textStep("So."),
    ]);
    await say(fixture, "And?");
    await fixture.run();
    await regenerate(fixture.ctx, { chatId: fixture.chatId });
    await end();
    await fixture.run();
    expect(await roles()).toBe("user event assistant");
  });

  it("is kept by a chat that is being stopped, and enters before the next message", async () => {
    const { fixture, end, roles } = await STARTS.tool(() => []);
    await say(fixture, "And?");
    await interruptChat(fixture.ctx, { chatId: fixture.chatId });
    await end();
    expect(await fixture.chat()).toMatchObject({ status: "interrupting", reportCount: 1 });
    await fixture.run();
    await wakeChat({ db, newId }, fixture.chatId);
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 1 });
    await say(fixture, "Again.");
    expect(await roles()).toBe("user event user");
  });

  it("is kept by an archived chat, which it wakes when that is taken out", async () => {
    const { fixture, end, roles } = await STARTS.tool(() => []);
    const { ctx, chatId } = fixture;
    await updateChat(ctx, { chatId, archived: true });
    await end();
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 1 });
    expect(await roles()).toBe("");
    expect(await updateChat(ctx, { chatId, archived: false })).toMatchObject({ status: "pending" });
    expect(await roles()).toBe("event");
    expect(await fixture.chat()).toMatchObject({ status: "pending", reportCount: 0 });
  });

  it("is kept by a chat that waits for agents, and enters after the result of the wait", async () => {
    const fixture = await withAgents(["one", "two"], ([one = ""]) => [
      calls(wait([one])),
      textStep("Second."),
      textStep("First."),
      textStep("Both."),
    ]);
    const { roles } = await toStarted(fixture, () => Promise.resolve());
    const endTool = await beginTool(fixture);
    await say(fixture, "Wait.");
    await fixture.run();
    await endTool();
    await runAgent(fixture, "two");
    expect(await fixture.chat()).toMatchObject({ status: "awaiting_agents", reportCount: 2 });
    await runAgent(fixture, "one");
    await fixture.run();
    expect(await roles()).toBe("user assistant event assistant");
    const [event] = (await fixture.history()).filter(({ role }) => role === "event");
    const labels = event?.parts.map((part) => part.type === "report" && part.data.label);
    expect(labels).toEqual(["Compare", "two"]);
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
  });

  it("of two tasks that end at the same time comes once each", async () => {
    const fixture = await createTurnFixture({ steps: [textStep("They work."), textStep("So.")] });
    await fixture.run();
    const { roles } = await toStarted(fixture, () => Promise.resolve());
    const ends = [await beginTool(fixture), await beginTool(fixture)];
    await Promise.all(ends.map((end) => end()));
    await fixture.run();
    expect(await roles()).toBe("event event assistant");
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
  });

  it("enters a turn that runs only when its calls have results", async () => {
    const { fixture, end, roles } = await STARTS.tool(() => [
      () => [end(), ...toolCallParts("time", "current_time", {}), finishPart("tool-calls")],
      () => {
        expect(
          fixture.model.requests
            .at(-1)
            ?.prompt.map(({ role }) => role)
            .slice(-3),
        ).toEqual(["assistant", "tool", "user"]);
        return textStep("So.");
      },
    ]);
    await say(fixture, "And?");
    await fixture.run();
    expect(await roles()).toBe("user assistant event assistant");
  });
});
