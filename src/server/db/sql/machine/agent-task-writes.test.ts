import { v7 as newId } from "uuid";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Artifact } from "@/contract/part";
import type { Database } from "@/server/db/connection/database";
import type { Prisma } from "@/server/db/generated/client";
import type { PartRow } from "@/server/db/chats/rows";
import { textPart, writeChat, writeMessage } from "@/test/chat-rows";
import { emptyTables, testDatabase, testServerUrl } from "@/test/database";
import { createUser } from "@/test/factories";
import { recordPlan } from "@/test/record-plan";
import {
  becomeAgent,
  ENDED_TASK,
  type TaskFields,
  writeAgentTask,
  writeTask,
} from "@/test/task-rows";
import { toolCall } from "@/test/tool-call";
import { runWithoutIndexes } from "@/test/without-indexes";
import {
  type AgentTaskEnd,
  endAgentTasks,
  noteAgentEnds,
  readAgentSnapshots,
} from "./agent-task-writes";
import { lockChat } from "./row-locks";

const MINUTE_MS = 60_000;
const NOW = new Date();
const BEFORE = new Date(NOW.getTime() - MINUTE_MS);

let db: Database;
let userId: string;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  await emptyTables(db, "chat");
  userId = await createUser(db);
});

type ChatFields = Prisma.ChatUncheckedUpdateInput;

const addRoot = async (data: ChatFields = {}): Promise<string> => {
  const id = await writeChat(db, userId, { version: 5 });
  await db.prisma.chat.update({ where: { id }, data });
  return id;
};

/** Adds an agent that rests, with its task. */
const addAgent = async (
  rootId: string,
  { chat = {}, task = {} }: { chat?: ChatFields; task?: TaskFields } = {},
) => {
  const agentId = await addRoot(chat);
  await becomeAgent(db, agentId, rootId);
  return { agentId, taskId: await writeAgentTask(db, { chatId: rootId, agentId }, task) };
};
type Agent = Awaited<ReturnType<typeof addAgent>>;

const createFile = (name: string): Artifact => ({
  id: name,
  name,
  media_type: "text/csv",
  size: 1,
});
const made = (name: string) =>
  toolCall({ toolCallId: name, state: "completed", artifacts: [createFile(name)] });

/** Adds a message, which is of the agent's turn and was created after its task began unless stated otherwise. */
const addMessage = async (
  chatId: string,
  seq: number,
  {
    deleted = false,
    turnId = chatId,
    createdAt = NOW,
    parts = [made(`file ${seq}`)] as PartRow[],
  } = {},
): Promise<void> => {
  const id = await writeMessage(db, chatId, { seq, role: "assistant", deleted, parts });
  await db.prisma.message.update({ where: { id }, data: { turnId, createdAt } });
};

describe("what an agent ends with", () => {
  it("is of its task and its turn, in their order", async () => {
    const rootId = await addRoot();
    const { agentId, taskId } = await addAgent(rootId, { task: { createdAt: NOW } });
    await addMessage(agentId, 4, { parts: [textPart("the last words")] });
    await addMessage(agentId, 3);
    await addMessage(agentId, 2, { deleted: true });
    await addMessage(agentId, 1, { turnId: newId(), createdAt: BEFORE });
    await addMessage(agentId, 5, { parts: [made("a"), made("b"), toolCall()] });
    // Parts that are written anew are not where their index says.
    await db.prisma.part.updateMany({ where: { toolCallId: "a" }, data: { silent: true } });
    // Another agent whose turn has the same id.
    const other = await addAgent(rootId, { task: { createdAt: NOW } });
    await addMessage(other.agentId, 1, { turnId: agentId });

    const [snapshot] = await runWithoutIndexes(db, (tx) => readAgentSnapshots(tx, [agentId], 1));
    expect(snapshot?.task?.id).toBe(taskId);
    const texts = snapshot?.turn.map(({ parts }) => parts.map(({ type, text }) => text ?? type));
    expect(texts).toEqual([
      ["tool_call"],
      ["the last words"],
      ["tool_call", "tool_call", "tool_call"],
    ]);
    expect(snapshot?.turn.at(-1)?.parts.map(({ state }) => state)).toEqual([
      "completed",
      "completed",
      "awaiting_result",
    ]);
    expect(snapshot?.files.map(({ name }) => name)).toEqual(["file 3", "a", "b"]);
  });

  it("belongs to the oldest open task of each agent, in the order in which they came to rest", async () => {
    const rootId = await addRoot();
    const later = await addAgent(rootId);
    const first = await addAgent(rootId, { chat: { updatedAt: BEFORE } });
    await addAgent(rootId);
    const agent = { chatId: rootId, agentId: first.agentId };
    const older = await writeAgentTask(db, agent, { createdAt: BEFORE });
    await writeAgentTask(db, agent, { ...ENDED_TASK, createdAt: new Date(0) });
    const ids = [rootId, later.agentId, first.agentId];
    const snapshots = await runWithoutIndexes(db, (tx) => readAgentSnapshots(tx, ids, 1));
    expect(snapshots.map(({ chat, root, task }) => [chat.id, root.id, task?.id])).toEqual([
      [first.agentId, rootId, older],
      [later.agentId, rootId, later.taskId],
    ]);
  });
});

const endOf = (rootId: string, agent: Agent, changes: Partial<AgentTaskEnd> = {}): AgentTaskEnd => {
  const report = { output: "done", for_user: null, artifacts: [] };
  return { rootId, ...agent, historyVersion: 5, state: "completed", report, ...changes };
};

const readTasks = async () => {
  const tasks = await db.prisma.task.findMany();
  return new Map(tasks.map((task) => [task.id, task]));
};

describe("the ends of agents of a locked chat", () => {
  const end = (chatId: string, ends: AgentTaskEnd[]) =>
    runWithoutIndexes(db, (tx) => endAgentTasks(tx, { chatId, revision: 6, maxRunning: 4, ends }));

  it("are stored once, for its own tasks, in their order", async () => {
    const [rootId, otherId] = [await addRoot(), await addRoot()];
    const agents = [await addAgent(rootId), await addAgent(rootId)] as const;
    const ended = await addAgent(rootId, { task: ENDED_TASK });
    const theirs = await addAgent(otherId);
    const bystander = await addAgent(rootId);
    const { ended: ids } = await end(
      rootId,
      [agents[1], agents[0], ended, theirs].map((agent) => endOf(rootId, agent)),
    );
    expect(ids.toSorted()).toEqual(agents.map(({ taskId }) => taskId).toSorted());
    const tasks = await readTasks();
    const [first, second] = agents.map(({ taskId }) => tasks.get(taskId));
    expect(first).toMatchObject({ state: "completed", revision: 6, report: { output: "done" } });
    expect(first?.endedAt?.getTime()).toBeGreaterThan(second?.endedAt?.getTime() ?? 0);
    expect(tasks.get(ended.taskId)).toMatchObject({ revision: 1 });
    for (const { taskId } of [theirs, bystander]) {
      expect(tasks.get(taskId)).toMatchObject({ state: "running" });
    }
  });

  it("make room for the oldest that wait, and add up what all agents have used", async () => {
    const [rootId, otherId] = [await addRoot(), await addRoot()];
    const queued = { state: "queued" } as const;
    const usage = { turn: { input_tokens: 3, output_tokens: 2, cost_micros: 1 } };
    const running = await addAgent(rootId, { chat: { usage } });
    const alsoRunning = await addAgent(rootId, { chat: { usage } });
    const third = await addAgent(rootId, { task: queued });
    const first = await addAgent(rootId, { task: { ...queued, createdAt: new Date(0) } });
    const second = await addAgent(rootId, { task: { ...queued, createdAt: BEFORE } });
    const stopped = await addAgent(rootId, { task: { ...queued, createdAt: new Date(0) } });
    await addAgent(otherId, { chat: { usage }, task: { ...queued, createdAt: new Date(0) } });
    await addAgent(otherId);
    await writeTask(db, rootId, { kind: "command" });
    const ends = [running, stopped].map((agent) => endOf(rootId, agent));
    const { next, usage: total } = await runWithoutIndexes(db, (tx) =>
      endAgentTasks(tx, { chatId: rootId, revision: 6, maxRunning: 3, ends }),
    );
    expect(next).toEqual([first, second]);
    expect(total).toEqual({ input_tokens: 6, output_tokens: 4, cost_micros: 2 });
    const all = await end(rootId, [endOf(rootId, alsoRunning)]);
    expect(all.next).toEqual([first, second, third]);
  });
});

describe("ends of which chats only take note", () => {
  const note = (rootIds: readonly string[], ends: AgentTaskEnd[]) =>
    noteAgentEnds(db, { roots: rootIds.map((id) => ({ id, version: 5 })), ends });

  const readRoots = async (...ids: string[]) => {
    const chats = await db.prisma.chat.findMany({ where: { id: { in: ids } } });
    return ids.map((id) => {
      const chat = chats.find((one) => one.id === id);
      return [chat?.version, chat?.reportCount];
    });
  };

  it("count in their own chat, with its next version", async () => {
    const [one, two, other] = [await addRoot(), await addRoot({ version: 8 }), await addRoot()];
    const [first, second] = [await addAgent(one), await addAgent(one)];
    const third = await addAgent(two, { chat: { status: "error" } });
    // Another chat whose agent waits to begin, and a task of it that runs.
    await addAgent(other, { task: { state: "queued" } });
    await writeTask(db, one, { kind: "command" });
    const roots = [
      { id: one, version: 5 },
      { id: two, version: 8 },
    ];
    const ends = [endOf(one, first), endOf(one, second), endOf(two, third)];
    const ended = await noteAgentEnds(db, { roots, ends });
    expect([...ended].toSorted()).toEqual(
      [first, second, third].map(({ taskId }) => taskId).toSorted(),
    );
    expect(await readRoots(one, two, other)).toEqual([
      [6, 2],
      [9, 1],
      [5, 0],
    ]);
    const tasks = await readTasks();
    expect(tasks.get(first.taskId)).toMatchObject({ revision: 6, endPosition: 6 });
    expect(tasks.get(third.taskId)).toMatchObject({ revision: 9, endPosition: 9 });
  });

  it.each<[string, { root?: ChatFields; chat?: ChatFields; end?: Partial<AgentTaskEnd> }]>([
    ["its chat has another version", { root: { version: 6 } }],
    ["its history has another version", { end: { historyVersion: 4 } }],
    ["it works", { chat: { status: "running" } }],
  ])("are left out when %s", async (_why, { root = {}, chat = {}, end = {} }) => {
    const rootId = await addRoot(root);
    const [before] = await readRoots(rootId);
    // Of another chat and agent, all of it would be as it should be.
    await addAgent(await addRoot());
    const agent = await addAgent(rootId, { chat });
    expect(await note([rootId], [endOf(rootId, agent, end)])).toEqual(new Set());
    expect(await readRoots(rootId)).toEqual([before]);
  });

  it("are left out of a chat that is not named, or is in an invalid state", async () => {
    const [rootId, unnamed] = [await addRoot(), await addRoot()];
    const invalid = await addRoot({ status: "running", archivedAt: NOW });
    const agent = await addAgent(rootId);
    const ends = [
      endOf(rootId, agent),
      endOf(unnamed, await addAgent(unnamed)),
      endOf(invalid, await addAgent(invalid)),
    ];
    expect(await note([rootId, invalid], ends)).toEqual(new Set([agent.taskId]));
    expect(await readRoots(rootId, unnamed, invalid)).toEqual([
      [6, 1],
      [5, 0],
      [5, 0],
    ]);
  });

  it("are left out while an agent of the chat waits to begin", async () => {
    const rootId = await addRoot();
    const agent = await addAgent(rootId);
    await addAgent(rootId, { task: { state: "queued" } });
    expect(await note([rootId], [endOf(rootId, agent)])).toEqual(new Set());
  });

  // The embedded database has one connection, on which nothing else is locked.
  if (testServerUrl) {
    it.each([
      ["its chat", (rootId: string) => rootId],
      ["it", (_rootId: string, { agentId }: Agent) => agentId],
    ])(
      "are left out, and do not wait, while another transaction changes %s",
      async (_what, pick) => {
        const rootId = await addRoot();
        const agent = await addAgent(rootId);
        const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const changing = db.transaction(async (tx) => {
          await lockChat(tx, pick(rootId, agent));
          locked.resolve();
          await release.promise;
        });
        await locked.promise;
        const noting = note([rootId], [endOf(rootId, agent)]).finally(release.resolve);
        expect(await noting).toEqual(new Set());
        await changing;
      },
    );
  }

  it("lock their chats and the agents", async () => {
    const plan = await recordPlan(db, (explained) =>
      noteAgentEnds(explained, { roots: [{ id: newId(), version: 1 }], ends: [] }),
    );
    expect(plan.match(/LockRows/g)).toHaveLength(2);
  });
});
