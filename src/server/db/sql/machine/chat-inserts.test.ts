import { v7 as newId } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { listTasks } from "@/server/db/tasks/task-reads";
import { readChatChanges } from "@/server/db/sql/reads/chat-reads";
import { readHistory } from "@/server/db/sql/reads/message-reads";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { emptyTables, testDatabase } from "@/test/database";
import { createModel, createUser } from "@/test/factories";
import {
  announceAgents,
  insertChats,
  insertClaimedChat,
  type NewAgentChat,
  type NewChat,
  toFirstMessage,
} from "./chat-inserts";
import { claimChats } from "./claim";

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

  it("begins its turn at once in a worker with room, with all that a claim of it would have had", async () => {
    await createModel(db);
    const room = { owner: "worker-of-chats", limit: 1, full: [] };
    const chat = newChat({ createdBy: userId, labels: { a: "b" } });
    const claimed = await insertClaimedChat(db, chat, room);
    const row = await readChat(db, chat.id);
    expect(row).toMatchObject({
      status: "running",
      version: 1,
      attempt: 1,
      leaseOwner: room.owner,
      lastSeq: 1,
    });
    expect(row.leaseExpiresAt?.getTime()).toBeGreaterThan(Date.now() + 20_000);
    const [message] = await readHistory(db, chat.id);
    expect(claimed).toMatchObject({ ...row, lastRetry: null });
    expect(claimed?.history).toMatchObject([message]);
    await expect.poll(() => notices.filter((notice) => notice.includes(chat.id))).toHaveLength(1);

    const lease = { leaseOwner: null, leaseToken: null, leaseExpiresAt: null };
    await db.prisma.chat.update({
      where: { id: chat.id },
      data: { ...lease, status: "pending", attempt: 0 },
    });
    const [later] = await claimChats(db, { owner: "another", limit: 10 });
    const { groups, toolModes, advisorConfig, history } = later ?? {};
    expect(claimed).toMatchObject({ groups, toolModes, advisorConfig });
    expect(history).toHaveLength(1);
    const disabled = await createModel(db, { enabled: false });
    expect(await insertClaimedChat(db, newChat({ modelId: disabled }), room)).toBeUndefined();
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
    if (!inserted) throw new Error("no chat was inserted");
    expect(inserted).toMatchObject({ agentQueued: false });
    const read = await readChatChanges(db, { chatId: chat.id, viewer: { userId }, after: 0 });
    expect(read?.messages).toEqual([toFirstMessage(chat, inserted)]);
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
