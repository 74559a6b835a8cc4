import { beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import { AgentWait, AwaitedAgents, StartedAgent } from "@/contract/agent";
import type { ChatParameters } from "@/contract/parameters";
import { listAgents } from "@/server/db/tasks/agent-reads";
import { listTasks } from "@/server/db/tasks/task-reads";
import type { Database } from "@/server/db/connection/database";
import { claimChats } from "@/server/db/sql/machine/claim";
import {
  agentNamed,
  getAgents,
  type Call,
  callNamed,
  calls,
  getCalls,
  end,
  lastPrompt,
  runAgent,
  say,
  spawn,
  wait,
  waiting,
  withAgents,
  work,
} from "@/test/agent-turns";
import { toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { createModel } from "@/test/factories";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { expireAction } from "@/server/chat/expire-action";
import { promoteQueued } from "@/server/chat/change-queue";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { sendMessage } from "@/server/chat/send-message";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import { lockRoot, startAgentsIn } from "./start-agent";
import { SHIPPED_AGENT_TYPES } from "@/test/tool-fixture";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const roles = async (fixture: TurnFixture) =>
  (await fixture.history()).map(({ role }) => role).join(" ");

describe("spawn_agent", () => {
  it("starts a child with the prompt alone, and the report wakes the chat once", async () => {
    const fixture = await withAgents(["one"], () => [textStep("It is 42."), textStep("Thanks.")]);
    const agent = await agentNamed(fixture, "one");
    expect(StartedAgent.parse((await callNamed(fixture, "one")).output)).toEqual({
      chat_id: agent.id,
      title: "one",
      type: "general",
      state: "running",
    });
    const tasks = await listTasks(db, fixture.chatId);
    expect(tasks.map(({ id }) => id)).toEqual([(await callNamed(fixture, "one")).taskId]);
    const child = await readChat(db, agent.id);
    expect(child).toMatchObject({ parentChatId: fixture.chatId, rootChatId: fixture.chatId });
    expect(child.ownerId).toBe((await fixture.chat()).ownerId);
    expect((await fixture.chat()).status).toBe("waiting");
    await runAgent(fixture, "one");
    expect(lastPrompt(fixture)).not.toContain("hello");
    expect(fixture.model.requests.at(-1)?.tools?.map(({ name }) => name)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/agent|delegate|ask_user_question/)]),
    );
    expect(await fixture.chat()).toMatchObject({ status: "pending", reportCount: 0 });
    await fixture.run();
    expect(lastPrompt(fixture)).toContain("It is 42.");
    await end(fixture, agent.id);
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
    expect((await fixture.chat()).usage.child?.output_tokens).toBeGreaterThan(0);
    expect(await roles(fixture)).toBe("user assistant assistant event assistant");
  });

  it("calls its model as the chat does; with another one, it has no tools of a provider that the chat has not", async () => {
    const other = await createModel(db);
    const parameters: ChatParameters = {
      reasoning_effort: "low",
      temperature: 0,
      provider_tools: ["web_search"],
    };
    const fixture = await createTurnFixture({
      parameters,
      steps: [calls(spawn("same"), spawn("other", { model_id: other })), textStep("They work.")],
    });
    await fixture.run();
    const read = async (title: string) => readChat(db, (await agentNamed(fixture, title)).id);
    expect(await read("same")).toMatchObject({ parameters });
    expect(await read("other")).toMatchObject({
      parameters: { provider_tools: ["web_search"] },
      modelId: other,
    });
  });

  it("finds the agent of a call that is repeated", async () => {
    const fixture = await withAgents(["one"], () => []);
    const [message] = (await fixture.history()).filter(({ role }) => role === "assistant");
    const call = {
      chatId: fixture.chatId,
      turnId: message?.turnId ?? "",
      messageId: message?.id ?? "",
      toolCallId: "one",
      actor: "worker",
    };
    const types = SHIPPED_AGENT_TYPES.agent_types;
    const { outcomes: again } = await db.transaction(async (tx) =>
      startAgentsIn(
        tx,
        { newId, agentLimits: fixture.agentLimits },
        {
          root: await lockRoot(tx, fixture.chatId),
          starts: [{ call, input: { prompt: "Again." }, types }],
        },
      ),
    );
    const agent = { chat_id: (await agentNamed(fixture, "one")).id, title: "one" };
    expect(again).toMatchObject([{ agent }]);
    expect(await getAgents(fixture)).toHaveLength(1);
  });

  it("queues the sixth, which begins when one ends", async () => {
    const titles = Array.from({ length: 6 }, (_, index) => `a${index}`);
    const fixture = await withAgents(titles, () => [textStep("Done.")]);
    const [queued, ...others] = (await getAgents(fixture)).filter(({ agentQueued }) => agentQueued);
    expect(others).toEqual([]);
    expect(queued).toMatchObject({ task: { state: "queued", startedAt: null } });
    const claimed = await claimChats(db, { owner: "other", limit: 10_000 });
    expect(claimed.map(({ id }) => id)).not.toContain(queued?.id);
    await runAgent(fixture, titles.find((title) => title !== queued?.title) ?? "");
    expect(await agentNamed(fixture, queued?.title ?? "")).toMatchObject({
      agentQueued: false,
      status: "pending",
      task: { state: "running" },
    });
  });

  it("leaves a queued agent in its place when a person writes to it, whatever the message says", async () => {
    const fixture = await withAgents(["one", "two"], () => [textStep("Done.")], {
      agentLimits: { running: 1 },
    });
    const { ctx } = fixture;
    const queued = (await getAgents(fixture)).find(({ agentQueued }) => agentQueued);
    const chatId = queued?.id ?? "";
    const message = { chatId, content: toTextContent("One more thing.") };
    expect(await sendMessage(ctx, { ...message, busyBehavior: "interrupt" })).toMatchObject({
      queued: true,
    });
    const sent = await sendMessage(ctx, { ...message, busyBehavior: "queue" });
    const queuedId = sent.queued ? sent.queuedMessage.id : "";
    await expect(promoteQueued(ctx, { chatId, queuedId })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("when one ends") as string,
    });
    expect(await readChat(db, chatId)).toMatchObject({
      status: "pending",
      agentQueued: true,
      queuedCount: 2,
    });
    await runAgent(fixture, queued?.title === "one" ? "two" : "one");
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending", agentQueued: false });
  });

  it.each([
    ["a blank prompt", { prompt: "  " }, "prompt"],
    ["an unknown type", { type: "wizard" }, "Types: general, explore."],
    ["an unknown model", { model_id: newId() }, "Leave model_id out"],
    ["a model id that is none", { model_id: "best" }, "Leave model_id out"],
  ])("refuses %s, and nothing begins", async (_name, more, text) => {
    const fixture = await createTurnFixture({
      steps: [calls(spawn("one", more)), textStep("I see.")],
    });
    await fixture.run();
    const call = await callNamed(fixture, "one");
    expect(call.state).toBe("error");
    expect(JSON.stringify(call.output)).toContain(text);
    expect(await getAgents(fixture)).toEqual([]);
    expect((await fixture.chat()).status).toBe("waiting");
  });

  it("is not for agents", async () => {
    const fixture = await withAgents(["one"], () => [calls(spawn("inner")), textStep("Alone.")]);
    await runAgent(fixture, "one");
    const agent = await agentNamed(fixture, "one");
    const [, step] = await readWholeHistory(db, agent.id);
    expect(step?.parts).toMatchObject([{ state: "error", toolName: "spawn_agent" }]);
    expect(await listAgents(db, agent.id)).toEqual([]);
  });
});

describe("an agent that does not come to its end", () => {
  it("fails with the reason", async () => {
    const fixture = await withAgents(["one"], () => [{ throws: new Error("no such model") }]);
    await runAgent(fixture, "one");
    expect(await agentNamed(fixture, "one")).toMatchObject({ task: { state: "failed" } });
  });

  it("is cancelled by Stop of its chat, and by its own", async () => {
    const fixture = await withAgents(["one", "two"], () => []);
    await interruptChat(fixture.ctx, { chatId: (await agentNamed(fixture, "two")).id });
    await runAgent(fixture, "two");
    expect((await agentNamed(fixture, "two")).task).toMatchObject({ state: "cancelled" });
    expect((await agentNamed(fixture, "one")).task.state).toBe("running");
    // The report has woken the chat, which is stopped with the other one.
    await interruptChat(fixture.ctx, { chatId: fixture.chatId });
    expect((await agentNamed(fixture, "one")).status).toBe("interrupting");
    await fixture.run();
    await runAgent(fixture, "one");
    expect((await agentNamed(fixture, "one")).task).toMatchObject({ state: "cancelled" });
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 1 });
  });

  it("is cancelled by Stop of its chat while that rests, and its report begins no turn", async () => {
    const fixture = await withAgents(["one", "two"], () => [], { agentLimits: { running: 1 } });
    const { ctx, chatId } = fixture;
    expect(await fixture.chat()).toMatchObject({ status: "waiting" });
    expect(await interruptChat(ctx, { chatId })).toMatchObject({ status: "waiting" });
    for (const title of ["one", "two"]) {
      await runAgent(fixture, title);
      expect((await agentNamed(fixture, title)).task).toMatchObject({ state: "cancelled" });
    }
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 2 });
    await expect(interruptChat(ctx, { chatId })).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("wait_agent", () => {
  it("parks the chat without a worker until the last one has ended, and hands the reports over", async () => {
    const fixture = await waiting(
      ["one", "two"],
      [textStep("First."), textStep("Second."), textStep("Both.")],
    );
    expect(await fixture.chat()).toMatchObject({
      status: "awaiting_agents",
      leaseToken: null,
      leaseOwner: null,
    });
    expect((await fixture.chat()).actionDeadlineAt).toBeInstanceOf(Date);
    const call = await callNamed(fixture, "wait");
    expect(call).toMatchObject({ state: "awaiting_agents", isError: false, completedAt: null });
    expect(AgentWait.parse(call.output)).toMatchObject({ min_completed: 2 });
    await runAgent(fixture, "one");
    expect((await fixture.chat()).status).toBe("awaiting_agents");
    await runAgent(fixture, "two");
    expect((await fixture.chat()).status).toBe("pending");
    await fixture.run();
    const output = AwaitedAgents.parse((await callNamed(fixture, "wait")).output);
    expect(output).toMatchObject({ ended_by: "agents", timed_out: false });
    expect(output.agents.map(({ state, report }) => [state, report])).toEqual([
      ["completed", "First."],
      ["completed", "Second."],
    ]);
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
    // What a wait has handed over does not come again.
    expect(await roles(fixture)).not.toContain("event");
    expect((await getAgents(fixture)).map(({ task }) => task.deliveredAt)).not.toContain(null);
  });

  it("goes on when enough have ended", async () => {
    const fixture = await waiting(["one", "two"], [textStep("First."), textStep("One.")], () => ({
      min_completed: 1,
    }));
    await runAgent(fixture, "one");
    expect((await fixture.chat()).status).toBe("pending");
    await fixture.run();
    const output = AwaitedAgents.parse((await callNamed(fixture, "wait")).output);
    expect(output.agents.map(({ state }) => state)).toEqual(["completed", "running"]);
    expect(output.note).toContain("1 of these agents go on");
  });

  it("times out, and the agents go on", async () => {
    const fixture = await waiting(["one"], [textStep("Later.")], () => ({ timeout_seconds: 1 }));
    await expect
      .poll(async () => {
        await expireAction(db, fixture.chatId, newId);
        return (await fixture.chat()).status;
      })
      .toBe("pending");
    await fixture.run();
    const call = await callNamed(fixture, "wait");
    expect(call).toMatchObject({ state: "completed", isError: false });
    expect(AwaitedAgents.parse(call.output)).toMatchObject({
      timed_out: true,
      ended_by: "deadline",
      agents: [{ state: "running" }],
    });
    expect((await agentNamed(fixture, "one")).task.state).toBe("running");
  });

  it("never times out on one that has ended, although nobody has noticed", async () => {
    const fixture = await waiting(["one"], [textStep("First."), textStep("So.")], () => ({
      timeout_seconds: 1,
    }));
    await work(fixture, (await agentNamed(fixture, "one")).id);
    await expect
      .poll(async () => {
        await expireAction(db, fixture.chatId, newId);
        return (await fixture.chat()).status;
      })
      .toBe("pending");
    await fixture.run();
    expect(AwaitedAgents.parse((await callNamed(fixture, "wait")).output)).toMatchObject({
      timed_out: false,
      agents: [{ state: "completed", report: "First." }],
    });
  });

  it.each(["queue", "interrupt"] as const)(
    "is ended by a message that says %s, with the reports so far",
    async (busyBehavior) => {
      const fixture = await waiting(["one", "two"], [textStep("First."), textStep("Hello.")]);
      await runAgent(fixture, "one");
      const { ctx, chatId } = fixture;
      await sendMessage(ctx, { chatId, content: toTextContent("And?"), busyBehavior });
      expect(await fixture.chat()).toMatchObject({ status: "pending", reportCount: 0 });
      const call = await callNamed(fixture, "wait");
      expect(call).toMatchObject({ state: "completed", isError: false });
      const output = AwaitedAgents.parse(call.output);
      expect(output).toMatchObject({ ended_by: "message", timed_out: false });
      expect(output.agents).toMatchObject([{ report: "First." }, { state: "running" }]);
      await fixture.run();
      expect((await fixture.chat()).status).toBe("waiting");
      expect((await agentNamed(fixture, "two")).task.state).toBe("running");
    },
  );

  it("refuses a message that does not want to disturb", async () => {
    const fixture = await waiting(["one"], []);
    const { ctx, chatId } = fixture;
    const message = { chatId, content: toTextContent("And?"), busyBehavior: "reject" as const };
    await expect(sendMessage(ctx, message)).rejects.toMatchObject({ code: "conflict" });
    expect((await fixture.chat()).status).toBe("awaiting_agents");
  });

  it("is ended at once by a message that is queued", async () => {
    const fixture = await withAgents(["one"], (ids) => [
      [
        say(fixture, "Wait, no."),
        ...toolCallParts("wait", "wait_agent", { chat_ids: ids }),
        finishPart("tool-calls"),
      ],
      textStep("As you like."),
      textStep("Yes?"),
    ]);
    await say(fixture, "Wait for it.");
    await fixture.run();
    const output = AwaitedAgents.parse((await callNamed(fixture, "wait")).output);
    expect(output).toMatchObject({ ended_by: "message", agents: [{ state: "running" }] });
  });

  it("stops with its agents", async () => {
    const fixture = await waiting(["one"], []);
    await interruptChat(fixture.ctx, { chatId: fixture.chatId });
    expect((await fixture.chat()).status).toBe("waiting");
    expect((await callNamed(fixture, "wait")).state).toBe("cancelled");
    expect((await agentNamed(fixture, "one")).status).toBe("interrupting");
  });

  it("survives its process: another worker goes on from the rows", async () => {
    const fixture = await waiting(["one"], [textStep("First."), textStep("So.")]);
    await runAgent(fixture, "one");
    await fixture.crash();
    await fixture.run();
    expect(AwaitedAgents.parse((await callNamed(fixture, "wait")).output)).toMatchObject({
      agents: [{ state: "completed" }],
    });
  });

  it("comes after the answers of a client", async () => {
    const fixture = await createTurnFixture({
      dynamicTools: [{ name: "ask_page", description: "Asks.", input_schema: { type: "object" } }],
      steps: [
        calls(
          { id: "page", name: "ask_page", args: {} },
          { id: "work", name: "delegate", args: { prompt: "Work.", title: "one" } },
        ),
        textStep("First."),
        textStep("So."),
      ],
    });
    await fixture.run();
    const { ctx, chatId } = fixture;
    expect((await fixture.chat()).status).toBe("requires_action");
    const results = [{ toolCallId: "page", output: "yes", isError: false }];
    await submitToolResults(ctx, { chatId, results });
    await fixture.run();
    expect((await fixture.chat()).status).toBe("awaiting_agents");
    await runAgent(fixture, "one");
    await fixture.run();
    expect((await callNamed(fixture, "work")).state).toBe("completed");
    expect((await fixture.chat()).status).toBe("waiting");
  });

  it.each([
    ["its own chat", (fixture: TurnFixture) => [fixture.chatId], {}, "has no agent"],
    ["no id", () => ["one"], {}, "has no agent"],
    ["an unknown id", () => [newId()], {}, "has no agent"],
    ["nobody", () => [], {}, "chat_ids"],
    ["a time that is over", () => [newId()], { timeout_seconds: -1 }, "timeout_seconds"],
    ["too long a time", () => [newId()], { timeout_seconds: 1e9 }, "timeout_seconds"],
  ])("refuses %s", async (_name, ids, more, text) => {
    const fixture: TurnFixture = await createTurnFixture({
      steps: [() => calls(wait(ids(fixture), more)), textStep("I see.")],
    });
    await fixture.run();
    expect(await callNamed(fixture, "wait")).toMatchObject({ state: "error" });
    expect(JSON.stringify((await callNamed(fixture, "wait")).output)).toContain(text);
  });

  it("refuses to wait for more than it names, and for agents of another chat", async () => {
    const other = await withAgents(["other"], () => []);
    const { id } = await agentNamed(other, "other");
    const fixture = await withAgents(["one"], (ids) => [
      calls(wait(ids, { min_completed: 2 })),
      calls({ ...wait([...ids, id]), id: "foreign" }),
      textStep("I see."),
    ]);
    await say(fixture, "Wait.");
    await fixture.run();
    expect((await callNamed(fixture, "wait")).output).toContain("names only 1.");
    expect((await callNamed(fixture, "foreign")).output).toContain(`no agent "${id}"`);
  });
});

describe("message_agent and interrupt_agent", () => {
  const message = (agentId: string, more: object = {}): Call => ({
    id: "say",
    name: "message_agent",
    args: { chat_id: agentId, message: "One more thing.", ...more },
  });

  it("gives an agent that has ended more work, whose report comes, too", async () => {
    const fixture = await withAgents(["one"], ([id = ""]) => [
      textStep("It is 42."),
      calls(message(id)),
      textStep("Asked again."),
      textStep("It is 43."),
      textStep("Thanks."),
    ]);
    await runAgent(fixture, "one");
    await fixture.run();
    const said = await callNamed(fixture, "say");
    expect(said.output).toContain("works again");
    const tasks = await listTasks(db, fixture.chatId);
    expect(tasks.map(({ id }) => id).toSorted()).toEqual(
      [(await callNamed(fixture, "one")).taskId, said.taskId].toSorted(),
    );
    await runAgent(fixture, "one");
    await fixture.run();
    expect(lastPrompt(fixture)).toContain("It is 43.");
    expect(await getAgents(fixture)).toHaveLength(1);
  });

  it("says whether the message waits or has interrupted, and tells an idle agent from a busy one", async () => {
    const fixture = await withAgents(["one"], ([id = ""]) => [
      calls(message(id)),
      calls({ ...message(id, { interrupt: true }), id: "now" }),
      calls({ id: "stop", name: "interrupt_agent", args: { chat_id: id } }),
      textStep("So be it."),
    ]);
    await say(fixture, "Send the message.");
    await fixture.run();
    expect(await callNamed(fixture, "say")).toMatchObject({
      output: expect.stringContaining("when its turn ends") as string,
      taskId: null,
    });
    expect((await callNamed(fixture, "now")).output).toContain("interrupted");
    expect((await callNamed(fixture, "stop")).output).toEqual({ interrupted: true });
    expect((await agentNamed(fixture, "one")).status).toBe("interrupting");
  });

  it("refuses agents that the chat does not have", async () => {
    const fixture: TurnFixture = await createTurnFixture({
      steps: [
        () => calls(message(fixture.chatId), { ...message("x"), id: "none" }),
        textStep("I see."),
      ],
    });
    await fixture.run();
    expect((await getCalls(fixture)).map(({ state }) => state)).toEqual(["error", "error"]);
  });
});

describe("list_agents", () => {
  it("pages them, the oldest first", async () => {
    const fixture = await withAgents(["one", "two"], () => [
      calls({ id: "list", name: "list_agents", args: { limit: 1 } }),
      textStep("Two."),
    ]);
    await say(fixture, "Who works?");
    await fixture.run();
    // Calls of one step run at the same time, so that either may have been first.
    const [first] = await getAgents(fixture);
    expect((await callNamed(fixture, "list")).output).toMatchObject({
      total: 2,
      has_more: true,
      agents: [{ title: first?.title, state: "running" }],
    });
  });
});
