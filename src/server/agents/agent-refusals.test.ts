import { beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import { MAX_AGENT_PROMPT_LENGTH, MAX_QUEUED_MESSAGES } from "@/contract/limits";
import { deleteChat } from "@/server/chat/delete-chat";
import { expireAction } from "@/server/chat/expire-action";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { sendMessage } from "@/server/chat/send-message";
import { updateChat } from "@/server/chat/update-chat";
import type { Database } from "@/server/db/connection/database";
import {
  agentNamed,
  getAgents,
  type Call,
  callNamed,
  calls,
  end,
  runAgent,
  say,
  spawn,
  wait,
  withAgents,
  work,
} from "@/test/agent-turns";
import { toTextContent } from "@/test/chat-fixture";
import { readChat } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { textStep } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { startAgents } from "./start-agent";
import { SHIPPED_AGENT_TYPES } from "@/test/tool-fixture";

let db: Database;
/** A running agent of a chat of another person. */
let foreign: string;
beforeAll(async () => {
  db = await testDatabase();
  foreign = (await agentNamed(await withAgents(["other"], () => []), "other")).id;
});

/** What a message or a stop would change. */
const readForeign = async () => {
  const { historyVersion, queuedCount, status } = await readChat(db, foreign);
  return { historyVersion, queuedCount, isStopped: status === "interrupting" };
};

const LONG = "x".repeat(MAX_AGENT_PROMPT_LENGTH + 1);
const DELEGATE = { id: "bad", name: "delegate" };
const message = (id: string, text = "Go on."): Call => ({
  id: "bad",
  name: "message_agent",
  args: { chat_id: id, message: text },
});
const stop = (id: string): Call => ({ id: "bad", name: "interrupt_agent", args: { chat_id: id } });

type BadCall = [name: string, call: (ids: { own: string; one: string }) => Call, text: string];

const CALLS: BadCall[] = [
  ["an over-long prompt", () => spawn("bad", { prompt: LONG }), "prompt"],
  ["a blank title", () => spawn("bad", { title: " " }), "title"],
  ["to delegate a blank prompt", () => ({ ...DELEGATE, args: { prompt: " " } }), "prompt"],
  [
    "to delegate to an unknown type",
    () => ({ ...DELEGATE, args: { prompt: "Work.", type: "wizard" } }),
    "Types: general, explore.",
  ],
  [
    "to delegate with a negative timeout",
    () => ({ ...DELEGATE, args: { prompt: "Work.", timeout_seconds: -1 } }),
    "timeout_seconds",
  ],
  [
    "to delegate with a huge timeout",
    () => ({ ...DELEGATE, args: { prompt: "Work.", timeout_seconds: 1e9 } }),
    "timeout_seconds",
  ],
  ["a min_completed of 0", ({ one }) => wait([one], { min_completed: 0 }), "min_completed"],
  ["to wait for 21", () => wait(Array.from({ length: 21 }, () => newId())), "chat_ids"],
  ["to wait for an agent of another person", () => wait([foreign]), "list_agents"],
  ["a blank message", ({ one }) => message(one, " "), "message"],
  ["an over-long message", ({ one }) => message(one, LONG), "message"],
  ["a message to no id", () => message("one"), "list_agents"],
  ["a message to itself", ({ own }) => message(own), "list_agents"],
  ["a message to an agent of another person", () => message(foreign), "list_agents"],
  ["to stop no id", () => stop("one"), "list_agents"],
  ["to stop itself", ({ own }) => stop(own), "list_agents"],
  ["to stop an agent of another person", () => stop(foreign), "list_agents"],
];

describe("a call that cannot be", () => {
  it.each(CALLS)(
    "refuses %s: the turn goes on, and nothing is created",
    async (_name, bad, text) => {
      const before = await readForeign();
      const fixture: TurnFixture = await withAgents(["one"], ([one = ""]) => [
        calls({ ...bad({ own: fixture.chatId, one }), id: "bad" }),
        textStep("I see."),
      ]);
      await say(fixture, "Try it.");
      await fixture.run();
      const call = await callNamed(fixture, "bad");
      expect(call).toMatchObject({ state: "error", isError: true });
      expect(JSON.stringify(call.output)).toContain(text);
      expect(await getAgents(fixture)).toHaveLength(1);
      expect((await fixture.chat()).status).toBe("waiting");
      expect(await readForeign()).toEqual(before);
    },
  );

  it.each([false, true])(
    "refuses a message to an agent whose queue is full, to interrupt it: %s",
    async (interrupt) => {
      let id = "";
      const fixture = await withAgents(["one"], () => [
        calls({ ...message(id), args: { chat_id: id, message: "Go on.", interrupt } }),
        textStep("I see."),
      ]);
      ({ id } = await agentNamed(fixture, "one"));
      for (let count = 0; count < MAX_QUEUED_MESSAGES; count += 1) {
        const content = toTextContent("More.");
        await sendMessage(fixture.ctx, { chatId: id, content, busyBehavior: "queue" });
      }
      await say(fixture, "Send the message.");
      await fixture.run();
      expect(await callNamed(fixture, "bad")).toMatchObject({
        state: "error",
        output: expect.stringMatching(/^The message was not sent: /) as string,
      });
      expect((await fixture.chat()).status).toBe("waiting");
      const { status, queuedCount } = await readChat(db, id);
      expect({ status, queuedCount }).toEqual({
        status: "running",
        queuedCount: MAX_QUEUED_MESSAGES,
      });
    },
  );

  it("refuses a message to an agent that is gone", async () => {
    const fixture = await withAgents(["one"], ([id = ""]) => [
      calls(message(id)),
      textStep("I see."),
    ]);
    await db.prisma.chat.delete({ where: { id: (await agentNamed(fixture, "one")).id } });
    await say(fixture, "Send the message.");
    await fixture.run();
    expect((await callNamed(fixture, "bad")).output).toContain("list_agents");
    expect(await getAgents(fixture)).toEqual([]);
  });

  it("refuses to start one in a chat that is archived", async () => {
    const fixture = await createTurnFixture({ steps: [textStep("Hello.")] });
    await fixture.run();
    const { ctx, chatId, agentLimits } = fixture;
    await updateChat(ctx, { chatId, archived: true });
    const call = { chatId, turnId: newId(), messageId: newId(), toolCallId: "c", actor: "worker" };
    const types = SHIPPED_AGENT_TYPES.agent_types;
    const input = { prompt: "Work." };
    const starts = [{ call, input, types }];
    await expect(startAgents({ db, newId, agentLimits }, { chatId, starts })).rejects.toThrow(
      "archived",
    );
    expect(await getAgents(fixture)).toEqual([]);
  });
});

/** A chat with a running agent and one that is queued. */
const withQueued = async (more: (ids: string[]) => ReturnType<typeof calls>[]) => {
  const fixture = await withAgents(["one", "two"], more, { agentLimits: { running: 1 } });
  const agents = await getAgents(fixture);
  const queued = agents.find(({ agentQueued }) => agentQueued);
  const running = agents.find(({ agentQueued }) => !agentQueued);
  if (!queued || !running) throw new Error("one agent has to be queued");
  return { fixture, queued, running };
};

describe("a queued agent", () => {
  it("keeps its place when a message is to interrupt it, and reads the message when it has begun", async () => {
    let queuedId = "";
    const { fixture, queued, running } = await withQueued(() => [
      calls({
        ...message(queuedId),
        args: { chat_id: queuedId, message: "Be quick.", interrupt: true },
      }),
      textStep("Told."),
      textStep("First."),
    ]);
    queuedId = queued.id;
    await say(fixture, "Send the message.");
    await fixture.run();
    expect((await callNamed(fixture, "bad")).output).toContain("when its turn ends");
    expect(await readChat(db, queued.id)).toMatchObject({
      status: "pending",
      agentQueued: true,
      queuedCount: 1,
    });
    await runAgent(fixture, running.title);
    expect(await agentNamed(fixture, queued.title)).toMatchObject({
      agentQueued: false,
      task: { state: "running" },
    });
  });

  it("ends as cancelled when it is stopped, without a model call, and the other goes on", async () => {
    const { fixture, queued, running } = await withQueued(() => []);
    await interruptChat(fixture.ctx, { chatId: queued.id });
    const requests = fixture.model.requests.length;
    await work(fixture, queued.id);
    await end(fixture, queued.id);
    expect(fixture.model.requests).toHaveLength(requests);
    expect((await agentNamed(fixture, queued.title)).task).toMatchObject({
      state: "cancelled",
      report: { output: "The agent was stopped." },
    });
    expect((await agentNamed(fixture, running.title)).task.state).toBe("running");
  });

  it("keeps its chat from being archived and deleted, as one that runs does", async () => {
    const { fixture, queued } = await withQueued(() => []);
    const { ctx, chatId } = fixture;
    const conflict = { code: "conflict" };
    await expect(updateChat(ctx, { chatId, archived: true })).rejects.toMatchObject(conflict);
    await expect(deleteChat(ctx, { chatId })).rejects.toMatchObject(conflict);
    const invalid = { code: "invalid" };
    await expect(deleteChat(ctx, { chatId: queued.id })).rejects.toMatchObject(invalid);
    expect(await getAgents(fixture)).toHaveLength(2);
  });
});

describe("a chat that waits", () => {
  it("goes on at its deadline when the agent is gone, which no operation removes alone", async () => {
    const fixture = await withAgents(["one"], (ids) => [
      calls(wait(ids, { timeout_seconds: 1 })),
      textStep("So."),
    ]);
    await say(fixture, "Wait for it.");
    await fixture.run();
    const { id } = await agentNamed(fixture, "one");
    await db.prisma.chat.delete({ where: { id } });
    await expect
      .poll(async () => {
        await expireAction(db, fixture.chatId, newId);
        return (await fixture.chat()).status;
      })
      .toBe("pending");
    await fixture.run();
    expect((await callNamed(fixture, "wait")).output).toMatchObject({
      agents: [],
      ended_by: "agents",
      timed_out: false,
    });
  });
});
