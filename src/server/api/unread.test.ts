import { afterEach, beforeEach, expect, it } from "vitest";
import type { ChatPage } from "@/contract/chat-outputs";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { readChat } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { toolCall } from "@/test/tool-call";
import { testProcess } from "@/test/test-process";

let db: Database;
let client: TestClient;
let other: TestClient;
const stops: (() => void)[] = [];
beforeEach(async () => {
  db = await testDatabase();
  const api = createTestApi(db);
  client = await createClient(db, api);
  other = await createClient(db, api);
});
afterEach(() => stops.splice(0).forEach((stop) => stop()));

const answer = async (id: string): Promise<number> => {
  await commitAnswer(db, id, { parts: [{ type: "text", text: "hi" }], after: "finish" });
  return (await readChat(db, id)).version;
};
const isUnread = async (id: string): Promise<boolean | undefined> => {
  const { body } = await client.call("GET /chats");
  return (body as ChatPage).data.find((chat) => chat.id === id)?.unread;
};
const read = async (id: string, version: number, by = client) =>
  (await by.call(`PUT /chats/${id}/read`, { version })).status;
const startUnread = async (by: TestClient): Promise<string> => {
  const id = await by.startChat();
  await read(id, 0, by);
  await answer(id);
  return id;
};

it("an answer makes a chat unread until it is read", async () => {
  const id = await client.startChat();
  expect(await read(id, 0)).toBe(204);
  expect(await isUnread(id)).toBe(false);
  const version = await answer(id);
  expect(await isUnread(id)).toBe(true);
  expect(await read(id, version - 1)).toBe(204);
  expect(await isUnread(id)).toBe(true);
  expect(await read(id, version)).toBe(204);
  expect(await isUnread(id)).toBe(false);
  // A request that was late takes nothing back.
  expect(await read(id, 1)).toBe(204);
  expect(await isUnread(id)).toBe(false);
});

it("a new title, a pin and a message of the person make no chat unread", async () => {
  const id = await client.startChat();
  expect(await read(id, await answer(id))).toBe(204);
  await client.call(`PATCH /chats/${id}`, { title: "Renamed", pinned: true });
  await client.call(`POST /chats/${id}/messages`, { content: "And then?" });
  expect(await isUnread(id)).toBe(false);
  await answer(id);
  expect(await isUnread(id)).toBe(true);
});

it("reading changes nothing of the chat, and the other devices of the user are notified", async () => {
  const id = await client.startChat();
  await read(id, 0);
  const version = await answer(id);
  const seen: (boolean | undefined)[] = [];
  let others = 0;
  const { feeds } = testProcess(db);
  const onEnd = () => undefined;
  const subscriptions = [
    feeds.subscribe(
      { userId: client.userId },
      { onEnd, onChange: ({ current }) => seen.push(current?.attention.isUnread) },
    ),
    feeds.subscribe({ userId: other.userId }, { onEnd, onChange: () => (others += 1) }),
  ];
  stops.push(...subscriptions.map(({ unsubscribe }) => unsubscribe));
  await Promise.all(subscriptions.map(({ started }) => started));
  const before = await readChat(db, id);
  await client.call(`PATCH /chats/${id}`, { pinned: true });
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  expect(seen).toContain(true);
  const { version: newest } = await readChat(db, id);
  expect(await read(id, version)).toBe(204);
  await expect.poll(() => seen.at(-1)).toBe(false);
  expect(await readChat(db, id)).toEqual({ ...before, version: newest, pinned: true });
  expect(others).toBe(0);
});

it("refuses a version that the chat does not have, and a chat of others", async () => {
  const id = await client.startChat();
  await read(id, 0);
  const version = await answer(id);
  const problem = await client.fail(`PUT /chats/${id}/read`, { version: version + 1 });
  expect(problem.problem).toMatchObject({
    code: "invalid",
    errors: [{ pointer: "/version", message: `must be at most ${version}` }],
  });
  expect(await isUnread(id)).toBe(true);
  expect(await read(id, version, other)).toBe(404);
  expect(await read("no-chat", 1)).toBe(404);
  expect(await isUnread(id)).toBe(true);
});

it("a chat that the person has never opened is not unread, and neither is an agent", async () => {
  const id = await client.startChat();
  await answer(id);
  expect(await isUnread(id)).toBe(false);
  await read(id, 0);
  expect(await isUnread(id)).toBe(true);
  const agent = await client.startChat();
  await read(agent, 0);
  await answer(agent);
  await db.query(
    {
      name: "test-set-parent",
      text: "UPDATE chat SET parent_chat_id = $2, root_chat_id = $2 WHERE id = $1",
    },
    [agent, id],
  );
  expect(await isUnread(agent)).toBe(false);
});

it("all chats of the user are marked as read at once, and no others", async () => {
  const ids = [await startUnread(client), await startUnread(client)];
  const theirs = await startUnread(other);
  expect((await client.call("PUT /chats/read")).status).toBe(204);
  for (const id of ids) expect(await isUnread(id)).toBe(false);
  const { body } = await other.call("GET /chats");
  expect((body as ChatPage).data.find(({ id }) => id === theirs)?.unread).toBe(true);
});

it("marks what the user has not read, each chat with its version, and nothing else", async () => {
  const { prisma } = db;
  const [first, second] = [await startUnread(client), await startUnread(client)];
  const theirs = await startUnread(other);
  const known = await client.startChat();
  const readVersion = await answer(known);
  await read(known, readVersion);
  // Their versions differ from each other, and from what was read.
  await client.call(`PATCH /chats/${second}`, { pinned: true });
  await client.call(`PATCH /chats/${known}`, { pinned: true });
  await prisma.readMark.createMany({
    data: [
      { chatId: theirs, userId: client.userId, version: 0 },
      { chatId: first, userId: other.userId, version: 0 },
    ],
  });
  expect((await client.call("PUT /chats/read")).status).toBe(204);
  const marks = await prisma.readMark.findMany({
    where: { chatId: { in: [first, second, theirs, known] } },
  });
  const findVersion = (chatId: string, { userId }: TestClient) =>
    marks.find((mark) => mark.chatId === chatId && mark.userId === userId)?.version;
  expect(findVersion(first, client)).toBe((await readChat(db, first)).version);
  expect(findVersion(second, client)).toBe((await readChat(db, second)).version);
  expect(findVersion(known, client)).toBe(readVersion);
  expect(findVersion(theirs, client)).toBe(0);
  expect(findVersion(first, other)).toBe(0);
  expect(findVersion(theirs, other)).toBe(0);
});

it.each(["visibility = 'model'", "deleted = true"])(
  "an answer with %s makes no chat unread",
  async (change) => {
    const id = await client.startChat();
    await read(id, 0);
    await answer(id);
    expect(await isUnread(id)).toBe(true);
    await db.query(
      {
        name: `test-hide-answer-${change}`,
        text: `UPDATE message SET ${change} WHERE chat_id = $1 AND role = 'assistant'`,
      },
      [id],
    );
    expect(await isUnread(id)).toBe(false);
  },
);

it("a question of the last message needs the person until it is answered", async () => {
  const asking = await client.startChat();
  const question = toolCall({
    toolCallId: "ask",
    toolName: "ask_user_question",
    kind: "builtin",
    state: "completed",
    output: { questions: [] },
  });
  await commitAnswer(db, asking, { parts: [question], after: "finish" });
  const parked = await client.startChat();
  await commitAnswer(db, parked, { parts: [openCall("call", "ask")], after: "park" });
  const resting = await client.startChat();
  await answer(resting);
  const list = async (query: string) => {
    const { data } = (await client.call(`GET /chats?${query}`)).body as ChatPage;
    return data.map(({ id }) => id).toSorted();
  };
  expect(await list("needs_you=true")).toEqual([asking, parked].toSorted());
  expect(await list("needs_you=false")).toEqual([resting]);
  await client.call(`POST /chats/${asking}/messages`, { content: "Red" });
  expect(await list("needs_you=true")).toEqual([parked]);
  await answer(asking);
  expect(await list("needs_you=true")).toEqual([parked]);
});

it("goes with its chat", async () => {
  const id = await client.startChat();
  await read(id, await answer(id));
  expect(await db.prisma.readMark.count({ where: { chatId: id } })).toBe(1);
  await client.call(`DELETE /chats/${id}`);
  expect(await db.prisma.readMark.count({ where: { chatId: id } })).toBe(0);
});
