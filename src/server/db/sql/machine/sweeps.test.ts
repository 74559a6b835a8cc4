import { beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import type { Prisma } from "@/server/db/generated/client";
import { recordHeartbeat } from "@/server/db/sql/writes/dated-writes";
import { writeChat, writeMessage } from "@/test/chat-rows";
import { emptyTables, testDatabase } from "@/test/database";
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
import { listAbandonedQuestions } from "./abandoned-questions";
import { listAbandonedTasks } from "./abandoned-tasks";
import { listOverdueAgents } from "./agent-task-writes";
import { listExpiredActions, lockExpiredChat } from "./expired-actions";

// Each row that is not listed differs from one that is in what its name says.

const MINUTE_MS = 60_000;
const BEFORE = new Date(Date.now() - 3 * MINUTE_MS);
const LATER = new Date(Date.now() + 60 * MINUTE_MS);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);

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

const addChat = async (title: string, data: ChatFields): Promise<string> => {
  const id = await writeChat(db, userId, { title });
  await db.prisma.chat.update({ where: { id }, data });
  return id;
};

const readTitles = async (ids: readonly string[]): Promise<(string | undefined)[]> => {
  const chats = await db.prisma.chat.findMany({ select: { id: true, title: true } });
  return ids.map((id) => chats.find((chat) => chat.id === id)?.title);
};

const PARKED = { status: "requires_action", actionDeadlineAt: LATER } as const;
const CALL = { toolCallId: "asks", kind: "mcp", state: "awaiting_result" } as const;

it("lists questions whose worker is gone, the one with the earliest deadline first", async () => {
  await recordHeartbeat(db, "alive");
  const add = async (title: string, data: ChatFields, call: object = {}) => {
    const chatId = await addChat(title, { ...PARKED, ...data });
    await writeMessage(db, chatId, {
      seq: 1,
      role: "assistant",
      parts: [toolCall({ ...CALL, ...call })],
    });
    return chatId;
  };
  const later = await add("of nobody, later", {});
  await add("of one that is gone", { sessionOwner: "gone", actionDeadlineAt: BEFORE });
  await add("is not parked", { status: "awaiting_agents" });
  await add("is archived", { archivedAt: BEFORE });
  await add("of the one that asks", { sessionOwner: "asking" });
  await add("of one that is alive", { sessionOwner: "alive" });
  await add("is no question", {}, { kind: "dynamic" });
  await add("is answered", {}, { state: "completed" });
  const former = await add("is not of the last answer", {});
  await writeMessage(db, former, { seq: 2, role: "assistant" });

  const list = (chatId?: string) =>
    runWithoutIndexes(db, (tx) =>
      listAbandonedQuestions(tx, { owner: "asking", limit: 10, ...(chatId && { chatId }) }),
    );
  expect(await readTitles(await list())).toEqual(["of one that is gone", "of nobody, later"]);
  expect(await list(later)).toEqual([later]);
});

it("reads no parked chats but those of open questions", async () => {
  // One of few chats is found as fast by any index.
  for (let chat = 0; chat < 300; chat += 1) await addChat("is parked", PARKED);
  await db.query({ name: "test-analyze-chat", text: "ANALYZE chat" }, []);
  const plan = await recordPlan(db, (explained) =>
    listAbandonedQuestions(explained, { owner: "worker", limit: 10 }),
  );
  expect(plan).toContain("Index Only Scan using part_server_question_idx");
  expect(plan).toContain("Index Scan using chat_pkey");
  expect(plan).not.toMatch(/Seq Scan on chat|chat_action_deadline_idx|chat_parked_idx/);
});

it("lists tasks whose process is gone, the oldest first", async () => {
  await recordHeartbeat(db, "alive");
  const chatId = await addChat("A chat", {});
  const add = (label: string, data: TaskFields = {}) => writeTask(db, chatId, { label, ...data });
  for (const minutes of [2, 5, 1, 4, 3]) {
    await add(`${minutes} minutes old`, { createdAt: minutesAgo(minutes) });
  }
  await add("has ended", ENDED_TASK);
  await add("of the one that asks", { owner: "asking" });
  await add("of one that is alive", { owner: "alive" });

  const listed = await runWithoutIndexes(db, (tx) =>
    listAbandonedTasks(tx, { owner: "asking", limit: 10 }),
  );
  const tasks = await db.prisma.task.findMany();
  const labels = listed.map(({ id }) => tasks.find((task) => task.id === id)?.label);
  expect(labels).toEqual([5, 4, 3, 2, 1].map((minutes) => `${minutes} minutes old`));
});

it("lists waits whose deadline has passed, the earliest first", async () => {
  const add = (title: string, data: ChatFields) =>
    addChat(title, { status: "requires_action", actionDeadlineAt: minutesAgo(1), ...data });
  await add("a wait for a client", {});
  await add("an earlier wait for agents", { status: "awaiting_agents", actionDeadlineAt: BEFORE });
  const future = await add("has not passed", { actionDeadlineAt: LATER });
  await add("is archived", { archivedAt: BEFORE });
  await add("does not wait", { status: "waiting" });
  const except = [await add("is left out", {}), await add("is left out, too", {})];

  const listed = await runWithoutIndexes(db, (tx) => listExpiredActions(tx, { except, limit: 10 }));
  expect(await readTitles(listed)).toEqual(["an earlier wait for agents", "a wait for a client"]);
  const locked = await Promise.all(
    [listed[1] ?? "", future].map((id) => db.transaction((tx) => lockExpiredChat(tx, id))),
  );
  expect(locked.map((chat) => chat?.title)).toEqual(["a wait for a client", undefined]);
});

it("lists agents that have worked for too long since anybody answered them", async () => {
  const rootChatId = await addChat("A chat", {});
  type Fields = {
    task?: TaskFields;
    chat?: ChatFields;
    /** A call of the agent that somebody has answered just now. */
    answered?: object;
    isDeleted?: boolean;
  };
  const add = async (title: string, { task, chat, answered, isDeleted = false }: Fields = {}) => {
    const id = await addChat(title, { status: "running", ...chat });
    await becomeAgent(db, id, rootChatId);
    const agent = { chatId: rootChatId, agentId: id };
    await writeAgentTask(db, agent, { startedAt: minutesAgo(3), ...task });
    if (answered) {
      const fields = { state: "completed", resolvedBy: userId, completedAt: new Date() } as const;
      const parts = [toolCall({ ...fields, ...answered })];
      await writeMessage(db, id, { seq: 1, role: "assistant", deleted: isDeleted, parts });
    }
  };
  await add("works");
  await add("has not been claimed", { chat: { status: "pending" } });
  await add("was answered before", { answered: { completedAt: minutesAgo(3) } });
  await add("was answered by a worker", { answered: { resolvedBy: "worker" } });
  await add("was answered in a deleted message", { answered: {}, isDeleted: true });
  const overdue = await db.prisma.chat.findMany({ where: { parentChatId: rootChatId } });
  await add("has begun just now", { task: { startedAt: minutesAgo(1) } });
  await add("has not begun", { task: { state: "queued" } });
  await add("rests", { chat: { status: "waiting" } });
  await add("was answered", { answered: {} });

  const listed = await listOverdueAgents(db, { turnMinutes: 2, limit: 100 });
  expect(listed.map(({ id }) => id).toSorted()).toEqual(overdue.map(({ id }) => id).toSorted());
  expect(new Set(listed.map((agent) => agent.rootChatId))).toEqual(new Set([rootChatId]));
});
