import { v7 as newId } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { listTasks } from "@/server/db/tasks/task-reads";
import { readWholeHistory } from "@/test/chat-probe";
import { emptyTables, testDatabase } from "@/test/database";
import { createModel, createUser } from "@/test/factories";
import { announceAgents, insertChats, type NewAgentChat, type NewChat } from "./chat-inserts";

let db: Database;
let userId: string;
let stopListening: () => Promise<void>;
const notices: string[] = [];
beforeAll(async () => {
  db = await testDatabase();
  stopListening = await db.changes.subscribe((notice) => notices.push(notice));
});
const empty = () => emptyTables(db, "chat", "model");
afterAll(async () => {
  await stopListening();
  // The next files of this worker have the same database.
  await empty();
});
beforeEach(async () => {
  await empty();
  userId = await createUser(db);
});

const newChat = (changes: Partial<NewChat> = {}): NewChat => ({
  id: newId(),
  viewer: { userId },
  messageId: newId(),
  turnId: newId(),
  createdBy: userId,
  title: "A chat",
  content: [
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ],
  systemPrompt: null,
  parameters: {},
  modelId: null,
  dynamicTools: [],
  toolNames: null,
  groupNames: [],
  autoSubmitSuccess: true,
  autoSubmitError: true,
  wakeOnReports: true,
  warnings: [],
  labels: {},
  actionTimeoutSeconds: 60,
  maxSteps: 10,
  ...changes,
});

describe("a new chat", () => {
  it("has the model that is given, or the default one, if it is enabled", async () => {
    const own = await createModel(db);
    const byDefault = await createModel(db);
    const disabled = await createModel(db, { enabled: false });
    const setDefault = (id: string) =>
      db.prisma.model.update({ where: { id }, data: { isDefault: true } });
    const insert = async (modelId: string | null) =>
      (await insertChats(db, [newChat({ modelId })])).map((chat) => chat.modelId);
    expect(await insert(null)).toEqual([null]);
    await setDefault(byDefault);
    expect(await insert(null)).toEqual([byDefault]);
    expect(await insert(own)).toEqual([own]);
    expect(await insert(disabled)).toEqual([]);
    expect(await insert(newId())).toEqual([]);
    await db.prisma.model.update({ where: { id: byDefault }, data: { enabled: false } });
    expect(await insert(null)).toEqual([null]);
  });

  it("has its texts in their order and no task, and is announced", async () => {
    const chat = newChat();
    const marked: (true | undefined)[] = [];
    const query: Database["query"] = (statement, values) => {
      marked.push(statement.changesChat);
      return db.query(statement, values);
    };
    const [inserted] = await insertChats({ ...db, query }, [chat]);
    expect(marked).toEqual([true]);
    expect(inserted).toMatchObject({ agentQueued: false });
    const parts = await db.prisma.part.findMany({ orderBy: { index: "asc" } });
    expect(parts.map(({ index, text }) => [index, text])).toEqual([
      [0, "one"],
      [1, "two"],
    ]);
    expect(await readWholeHistory(db, chat.id)).toHaveLength(1);
    expect(await listTasks(db, chat.id)).toEqual([]);
    await expect.poll(() => notices.filter((one) => one.startsWith(chat.id))).toHaveLength(1);
  });
});

it("an agent has a task, which runs unless it waits, and is announced when it is asked for", async () => {
  const root = newChat();
  await insertChats(db, [root]);
  const newAgent = (title: string, agentQueued: boolean): NewAgentChat => ({
    ...newChat({ title }),
    parentChatId: root.id,
    agentType: "general",
    agentQueued,
    toolCallId: "call",
    rootTurnId: root.turnId,
    rootVersion: 2,
    age: 0,
  });
  const agents = [newAgent("runs", false), newAgent("waits", true)] as const;
  await insertChats(db, agents);
  const tasks = await listTasks(db, root.id);
  const states = tasks.map(({ label, state, startedAt }) => [label, state, startedAt !== null]);
  expect(states.toSorted()).toEqual([
    ["runs", "running", true],
    ["waits", "queued", false],
  ]);
  await announceAgents(db, [agents[1].id]);
  const isOf = (notice: string, { id }: NewAgentChat) => notice.startsWith(id);
  await expect.poll(() => notices.some((one) => isOf(one, agents[1]))).toBe(true);
  expect(notices.filter((one) => agents.some((agent) => isOf(one, agent)))).toHaveLength(1);
});
