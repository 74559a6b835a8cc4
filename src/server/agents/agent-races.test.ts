import { beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import { AwaitedAgents } from "@/contract/agent";
import { isBusy } from "@/contract/chat-status";
import { deleteChat } from "@/server/chat/delete-chat";
import { editMessage } from "@/server/chat/edit-message";
import { expireAction } from "@/server/chat/expire-action";
import { interruptChat } from "@/server/chat/interrupt-chat";
import type { Database } from "@/server/db/connection/database";
import { claimChats } from "@/server/db/sql/machine/claim";
import { getAgents, callNamed, calls, end, say, spawn, wait, work } from "@/test/agent-turns";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { createRace, expectDeliveredOnce, expectNoError, race, runToEnd } from "@/test/race-agents";
import { textStep } from "@/test/scripted-model";
import type { TurnFixture } from "@/test/turn-fixture";

/** By how many turns of the event loop the second one begins later. */
const OFFSETS = Array.from({ length: 20 }, (_, round) => round - 7);

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

type Race = { fixture: TurnFixture; ids: string[] };

/** A chat that has started agents, each of which has answered; nobody has noticed this yet. */
const withAnswers = async (count: number): Promise<Race> => {
  const titles = Array.from({ length: count }, (_, index) => `a${index}`);
  const ids: string[] = [];
  const fixture = await createRace([
    calls(...titles.map((title) => spawn(title))),
    textStep("They work."),
    () => calls(wait(ids)),
  ]);
  await fixture.run();
  ids.push(...(await getAgents(fixture)).map(({ id }) => id));
  return { fixture, ids };
};

const answer = async ({ fixture, ids }: Race): Promise<void> => {
  for (const id of ids) await work(fixture, id);
};

/** The same, of a chat that waits for the agents. */
const waitingFor = async (count: number): Promise<Race> => {
  const made = await withAnswers(count);
  await say(made.fixture, "Wait.");
  await made.fixture.run();
  expect(await made.fixture.chat()).toMatchObject({ status: "awaiting_agents" });
  await answer(made);
  return made;
};

const resting = async (count: number): Promise<Race> => {
  const made = await withAnswers(count);
  await answer(made);
  return made;
};

const editFirst = async ({ ctx, chatId, history }: TurnFixture) => {
  const [first] = await history();
  return editMessage(ctx, { chatId, messageId: first?.id ?? "", content: toTextContent("Else.") });
};

/** A message lets a stopped chat go on. */
const goOn = async (fixture: TurnFixture): Promise<void> => {
  if ((await fixture.chat()).status === "waiting") await say(fixture, "Go on.");
};

describe("two agents that end at the same time", () => {
  it.each(OFFSETS)("wake a chat that rests, each with its report: %i", async (offset) => {
    const { fixture, ids } = await resting(2);
    const [one = "", two = ""] = ids;
    const both = () => Promise.all([end(fixture, one), end(fixture, two)]);
    expectNoError(await race(offset, both, () => end(fixture, one)));
    await runToEnd(fixture, ids);
    await expectDeliveredOnce(fixture, 2);
  });

  it.each(OFFSETS)("end a wait for both, once: %i", async (offset) => {
    const { fixture, ids } = await waitingFor(2);
    const [one = "", two = ""] = ids;
    expectNoError(
      await race(
        offset,
        () => end(fixture, one),
        () => end(fixture, two),
      ),
    );
    expect(await fixture.chat()).toMatchObject({ status: "pending" });
    await runToEnd(fixture, ids);
    expect(AwaitedAgents.parse((await callNamed(fixture, "wait")).output)).toMatchObject({
      ended_by: "agents",
      timed_out: false,
      agents: [{ report: "It is 42." }, { report: "It is 42." }],
    });
    await expectDeliveredOnce(fixture, 2);
  });
});

describe("the end of an agent that races", () => {
  it.each(OFFSETS)("the end of the turn comes in it or after it: %i", async (offset) => {
    const { fixture, ids } = await resting(1);
    const [id = ""] = ids;
    await say(fixture, "Wait.");
    const claimed = await fixture.claim();
    expectNoError(
      await race(
        offset,
        () => fixture.run({}, claimed),
        () => end(fixture, id),
      ),
    );
    await runToEnd(fixture, ids);
    await expectDeliveredOnce(fixture, 1);
  });

  it.each(OFFSETS)("the wait for it ends the wait: %i", async (offset) => {
    const { fixture, ids } = await withAnswers(1);
    const [id = ""] = ids;
    await say(fixture, "Wait.");
    const claimed = await claimChats(db, { owner: "test", limit: 10_000 });
    const [root, agent] = [fixture.chatId, id].map((chatId) =>
      claimed.find((chat) => chat.id === chatId),
    );
    if (!root || !agent) throw new Error("the chat and its agent have to be claimed");
    const finishAgent = () => fixture.run({}, agent).then(() => end(fixture, id));
    expectNoError(await race(offset, () => fixture.run({}, root), finishAgent));
    await runToEnd(fixture, ids);
    const output = AwaitedAgents.parse((await callNamed(fixture, "wait")).output);
    expect(output).toMatchObject({ timed_out: false, agents: [{ report: "It is 42." }] });
    await expectDeliveredOnce(fixture, 1);
  });

  it.each(OFFSETS)("the deadline of a wait is reported by it: %i", async (offset) => {
    const { fixture, ids } = await waitingFor(1);
    const [id = ""] = ids;
    await db.query(PASS_DEADLINE, [fixture.chatId]);
    const expire = () => expireAction(db, fixture.chatId, newId);
    expectNoError(await race(offset, expire, () => end(fixture, id)));
    await runToEnd(fixture, ids);
    const output = AwaitedAgents.parse((await callNamed(fixture, "wait")).output);
    expect(output).toMatchObject({ timed_out: false, agents: [{ state: "completed" }] });
    await expectDeliveredOnce(fixture, 1);
  });

  it.each(OFFSETS)("a message that ends the wait comes with or after it: %i", async (offset) => {
    const { fixture, ids } = await waitingFor(2);
    const [one = "", two = ""] = ids;
    const both = () => Promise.all([end(fixture, one), end(fixture, two)]);
    expectNoError(await race(offset, both, () => say(fixture, "And?")));
    await runToEnd(fixture, ids);
    await expectDeliveredOnce(fixture, 2);
  });

  it.each(OFFSETS)("a stop is delivered with the next turn: %i", async (offset) => {
    const { fixture, ids } = await waitingFor(2);
    const [one = "", two = ""] = ids;
    const { ctx, chatId } = fixture;
    const both = () => Promise.all([end(fixture, one), end(fixture, two)]);
    expectNoError(await race(offset, both, () => interruptChat(ctx, { chatId })));
    if ((await fixture.chat()).status === "interrupting") await fixture.run();
    await goOn(fixture);
    await runToEnd(fixture, ids);
    await expectDeliveredOnce(fixture, 2);
  });

  it.each(OFFSETS)("an edit of what began it has no report: %i", async (offset) => {
    const { fixture, ids } = await waitingFor(2);
    const [one = "", two = ""] = ids;
    const both = () => Promise.all([end(fixture, one), end(fixture, two)]);
    expectNoError(await race(offset, both, () => editFirst(fixture)));
    await runToEnd(fixture, ids);
    const { chatId } = fixture;
    expect((await fixture.history()).filter(({ role }) => role === "event")).toEqual([]);
    expect(await fixture.chat()).toMatchObject({ status: "waiting", reportCount: 0 });
    const tasks = await db.prisma.task.findMany({ where: { chatId } });
    expect(tasks).toHaveLength(2);
    for (const { endedAt, deliveredAt } of tasks) {
      expect(endedAt).not.toBeNull();
      expect(deliveredAt).toEqual(endedAt);
    }
    expect((await getAgents(fixture)).filter(({ status }) => isBusy(status))).toEqual([]);
  });

  it.each(OFFSETS)("a deletion is gone with the chat, or keeps it: %i", async (offset) => {
    const { fixture, ids } = await resting(1);
    const [id = ""] = ids;
    const { ctx, chatId } = fixture;
    const [ended, deleted] = await race(
      offset,
      () => end(fixture, id),
      () => deleteChat(ctx, { chatId }),
    );
    expect(ended).toMatchObject({ status: "fulfilled" });
    if (deleted?.status === "fulfilled") {
      expect(await db.prisma.task.findMany({ where: { rootChatId: chatId } })).toEqual([]);
      expect(await db.prisma.chat.findMany({ where: { rootChatId: chatId } })).toEqual([]);
      return;
    }
    expect(deleted?.reason).toMatchObject({ code: "conflict" });
    await runToEnd(fixture, ids);
    await expectDeliveredOnce(fixture, 1);
  });
});

describe("the start of an agent that races", () => {
  /** Starts two agents, one after the other, while something happens to the chat. */
  const start = async (offset: number, change: (fixture: TurnFixture) => Promise<unknown>) => {
    const fixture = await createRace([calls(spawn("one"), spawn("two"))]);
    const claimed = await fixture.claim();
    const [ran, changed] = await race(
      offset,
      () => fixture.run({}, claimed),
      () => change(fixture),
    );
    if (ran) expectNoError([ran]);
    return { fixture, isChanged: changed?.status === "fulfilled" };
  };

  it.each(OFFSETS)("a stop leaves none at work: %i", async (offset) => {
    const { fixture, isChanged } = await start(offset, ({ ctx, chatId }) =>
      interruptChat(ctx, { chatId }),
    );
    const working = (await getAgents(fixture)).filter(({ status }) => isBusy(status));
    // A stop that came after the turn is refused.
    if (isChanged) expect(working.filter(({ status }) => status !== "interrupting")).toEqual([]);
    else expect(working).toHaveLength(2);
  });

  it.each(OFFSETS)("an edit begins none for what is gone: %i", async (offset) => {
    const { fixture, isChanged } = await start(offset, editFirst);
    expect(isChanged).toBe(true);
    const [edited] = await fixture.history();
    const tasks = await db.prisma.task.findMany({ where: { chatId: fixture.chatId } });
    for (const { revision } of tasks) expect(revision).toBeLessThanOrEqual(edited?.revision ?? 0);
    expect(tasks.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  });
});

const PASS_DEADLINE = {
  name: "test-race-pass-deadline",
  text: `WITH late AS (UPDATE part SET output = jsonb_set(output::jsonb, '{deadline_at}', '"2026-01-01T00:00:00.000Z"')::json
      FROM message WHERE message.id = part.message_id AND message.chat_id = $1::uuid AND part.state = 'awaiting_agents')
    UPDATE chat SET action_deadline_at = '2026-01-01' WHERE id = $1::uuid`,
};
