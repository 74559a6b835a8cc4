import { v7 as newId } from "uuid";
import { beforeEach, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { writeChat } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import {
  becomeAgent,
  ENDED_TASK,
  type TaskFields,
  writeAgentTask,
  writeTask,
} from "@/test/task-rows";
import { runWithoutIndexes } from "@/test/without-indexes";
import { endTask, insertTask, markReported, startTask, takeReports } from "./task-writes";

let db: Database;
let chatId: string;
let otherId: string;
let agentId: string;
beforeEach(async () => {
  db = await testDatabase();
  const userId = await createUser(db);
  [chatId, otherId, agentId] = [
    await writeChat(db, userId),
    await writeChat(db, userId),
    await writeChat(db, userId),
  ];
  await becomeAgent(db, agentId, chatId);
});

/** Tasks by the versions at which they last changed: 1 is how they were written. */
const readRevisions = async (ids: Record<string, string>): Promise<Record<string, number>> => {
  const tasks = await db.prisma.task.findMany({ where: { id: { in: Object.values(ids) } } });
  const revisions = new Map(tasks.map(({ id, revision }) => [id, revision]));
  return Object.fromEntries(
    Object.entries(ids).flatMap(([name, id]) =>
      revisions.get(id) === 1 ? [] : [[name, revisions.get(id) ?? 0]],
    ),
  );
};

it("begins a task that waits, and ends one that is open, of its chat", async () => {
  const [agent, queued] = [{ chatId, agentId }, { state: "queued" } as const];
  const ids = {
    begins: await writeAgentTask(db, agent, queued),
    waits: await writeAgentTask(db, agent, queued),
    runs: await writeTask(db, chatId),
    ends: await writeTask(db, chatId),
    alsoRuns: await writeTask(db, chatId),
    ended: await writeTask(db, chatId, ENDED_TASK),
    others: await writeTask(db, otherId),
  };
  await startTask(db, { taskId: ids.begins, revision: 2 });
  await startTask(db, { taskId: ids.runs, revision: 3 });
  const report = { output: "", for_user: null, artifacts: [] };
  const end = (taskId: string, revision: number) =>
    endTask(db, { taskId, chatId, revision, state: "failed", report });
  expect(await end(ids.ends, 4)).toBeDefined();
  expect(await end(ids.ended, 5)).toBeUndefined();
  expect(await end(ids.others, 6)).toBeUndefined();
  expect(await readRevisions(ids)).toEqual({ begins: 2, ends: 4 });
});

const addReports = async () => {
  const add = (fields: TaskFields = {}, id = chatId) =>
    writeTask(db, id, { ...ENDED_TASK, ...fields });
  return {
    last: await add({ endPosition: 9 }),
    second: await add({ endedAt: new Date(5) }),
    first: await add({ endedAt: new Date(4) }),
    silent: await add({ shouldReport: false }),
    delivered: await add({ deliveredAt: new Date() }),
    runs: await writeTask(db, chatId),
    others: await add({}, otherId),
  };
};

it("takes the reports that have not entered the history, in the order of their ends", async () => {
  const ids = await addReports();
  const taken = await runWithoutIndexes(db, (tx) => takeReports(tx, { chatId, revision: 7 }));
  expect(taken.map(({ id }) => id)).toEqual([ids.first, ids.second, ids.last]);
  expect(await readRevisions(ids)).toEqual({ last: 7, second: 7, first: 7 });
});

it("marks those as delivered of the tasks that are named", async () => {
  const { last, ...ids } = await addReports();
  const reportedTasks = Object.values(ids);
  expect(await markReported(db, { chatId, reportedTasks, revision: 8 })).toBe(2);
  expect(await readRevisions({ last, ...ids })).toEqual({ second: 8, first: 8 });
});

it("lets the task of an agent report", async () => {
  const id = newId();
  const agent = { kind: "agent", agentChatId: agentId, turnId: newId() } as const;
  const task = { id, rootChatId: chatId, chatId, toolCallId: "call", label: "An agent" };
  await insertTask(db, { ...task, ...agent, revision: 2 });
  expect(await db.prisma.task.findUnique({ where: { id } })).toMatchObject({ shouldReport: true });
});
