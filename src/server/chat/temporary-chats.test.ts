import { beforeAll, describe, expect, it } from "vitest";
import type { Chat, ChatSummary } from "@/contract/chat";
import type { ChatPage } from "@/contract/chat-outputs";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { becomeAgent, ENDED_TASK, writeTask } from "@/test/task-rows";
import { deleteExpiredChats } from "./delete-expired-chats";

let db: Database;
let client: TestClient;
beforeAll(async () => {
  db = await testDatabase();
  client = await createClient(db, createTestApi(db));
});

const start = async (fields: object = {}): Promise<Chat> => {
  const sent = { content: "a rare okapi", temporary: true, ...fields };
  return (await client.call("POST /chats", sent)).body as Chat;
};
const read = async (id: string) => (await client.call(`GET /chats/${id}`)).body as Chat;
const list = async (query = ""): Promise<string[]> =>
  ((await client.call(`GET /chats${query}`)).body as ChatPage).data.map(({ id }) => id);
const answer = (id: string): Promise<void> =>
  commitAnswer(db, id, { parts: [{ type: "text", text: "It is rare." }], after: "finish" });
const exists = async (id: string): Promise<boolean> =>
  (await db.prisma.chat.count({ where: { id } })) === 1;
/** Lets hours pass since the last change. */
const age = (id: string, hours: number) =>
  db.query(
    {
      name: "test-age-chat",
      text: "UPDATE chat SET updated_at = updated_at - $2::int * interval '1 hour' WHERE id = $1::uuid",
    },
    [id, hours],
  );

const HOUR_MS = 3_600_000;

describe("a temporary chat", () => {
  it("says when it is deleted, and is in no list but those that ask for it", async () => {
    const { id, expires_at, updated_at } = await start();
    expect(Date.parse(expires_at ?? "") - Date.parse(updated_at)).toBe(24 * HOUR_MS);
    await answer(id);
    expect(await read(id)).toMatchObject({
      id,
      status: "waiting",
      expires_at: expect.any(String) as string,
    });
    const { id: ordinary, ...other } = await start({ temporary: false });
    expect(other).not.toHaveProperty("expires_at");
    expect(await list()).toEqual([ordinary]);
    expect(await list("?archived=any")).toEqual([ordinary]);
    expect(await list("?q=okapi")).toEqual([ordinary]);
    expect(await list("?temporary=true")).toEqual([id]);
    expect(await list("?temporary=true&q=okapi")).toEqual([id]);
  });

  it("is among those that wait for a person, whose work would stop unseen", async () => {
    const { id } = await start({ dynamic_tools: [{ name: "deploy" }] });
    await commitAnswer(db, id, { parts: [openCall("c", "deploy")], after: "park" });
    const { body } = await client.call("GET /chats?needs_you=true");
    const { data } = body as { data: ChatSummary[] };
    expect(data).toMatchObject([{ id, expires_at: expect.any(String) as string }]);
  });

  it("has forks that are temporary, too, and listed as such", async () => {
    const { id } = await start();
    await answer(id);
    const fork = (await client.call(`POST /chats/${id}/fork`, {})).body as Chat;
    expect(fork.expires_at).toBeDefined();
    expect(await list()).not.toContain(fork.id);
    expect(await list(`?forked_from=${id}`)).toEqual([fork.id]);
  });

  it("becomes an ordinary one when it is kept, and no chat becomes temporary", async () => {
    const { id } = await start();
    await answer(id);
    const { body } = await client.call(`PATCH /chats/${id}`, { temporary: false });
    expect(body).not.toHaveProperty("expires_at");
    expect(await list()).toContain(id);
    await client.call(`PATCH /chats/${id}`, { title: "Okapi" });
    await age(id, 1_000);
    await deleteExpiredChats(db);
    expect(await exists(id)).toBe(true);
    expect((await client.fail(`PATCH /chats/${id}`, { temporary: true })).status).toBe(400);
  });
});

describe("when its time has come, a temporary chat", () => {
  it("is deleted with all that belongs to it, once by two processes", async () => {
    const { id } = await start();
    await answer(id);
    const file = await client.call(`POST /files?chat_id=${id}&name=a.txt`, "text", {
      "content-type": "text/plain",
    });
    const { id: fileId } = file.body as { id: string };
    const early = await start();
    await answer(early.id);
    await age(early.id, 23);
    await age(id, 25);
    const counts = await Promise.all([deleteExpiredChats(db), deleteExpiredChats(db)]);
    expect(counts[0] + counts[1]).toBe(1);
    expect(await exists(id)).toBe(false);
    expect(await exists(early.id)).toBe(true);
    expect((await client.fail(`GET /chats/${id}`)).status).toBe(404);
    expect(await db.prisma.artifact.count({ where: { id: fileId } })).toBe(0);
    expect(await db.prisma.message.count({ where: { chatId: id } })).toBe(0);
  });

  it("stays while a turn of it waits for a worker or a person, and after that as long as any", async () => {
    const { id } = await start({ dynamic_tools: [{ name: "deploy" }] });
    await age(id, 1_000);
    await deleteExpiredChats(db);
    expect(await exists(id)).toBe(true);
    await commitAnswer(db, id, { parts: [openCall("c", "deploy")], after: "park" });
    await age(id, 1_000);
    await deleteExpiredChats(db);
    expect(await exists(id)).toBe(true);
    await client.call(`POST /chats/${id}/interrupt`);
    await deleteExpiredChats(db);
    expect(await read(id)).toMatchObject({ status: "waiting" });
    await age(id, 25);
    await deleteExpiredChats(db);
    expect(await exists(id)).toBe(false);
  });

  it("stays while a task of it runs", async () => {
    const { id } = await start();
    await answer(id);
    const taskId = await writeTask(db, id);
    await age(id, 25);
    await deleteExpiredChats(db);
    expect(await exists(id)).toBe(true);
    await db.prisma.task.update({ where: { id: taskId }, data: ENDED_TASK });
    await deleteExpiredChats(db);
    expect(await exists(id)).toBe(false);
  });

  it("stays while an agent of it has a turn, and is deleted with the agent", async () => {
    const { id } = await start();
    await answer(id);
    const agent = await start({ temporary: false });
    await becomeAgent(db, agent.id, id);
    await age(id, 25);
    await deleteExpiredChats(db);
    expect(await exists(id)).toBe(true);
    await answer(agent.id);
    await deleteExpiredChats(db);
    expect([await exists(id), await exists(agent.id)]).toEqual([false, false]);
  });
});
