import { describe, expect, it } from "vitest";
import { EXPORT_FORMAT } from "@/contract/exported-chat";
import { ownedBy } from "@/server/db/chats/viewer";
import { createApiFixture, createClient } from "@/test/api-client";
import { createZip, readImportReport, sendArchive, startImportWorker } from "@/test/import-fixture";

const { db, api } = await createApiFixture();
const newClient = () => createClient(db, api);
type Client = Awaited<ReturnType<typeof newClient>>;

const AT = "2026-11-28T10:00:00.000Z";
const OFTEN = { interval: 2, timeout: 60_000 };

const toDocument = (id: string, messages = 2) => ({
  format: EXPORT_FORMAT,
  id,
  title: `Chat ${id}`,
  created_at: AT,
  updated_at: AT,
  messages: Array.from({ length: messages }, (_each, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `Message ${index}`,
  })),
});
const toArchive = (documents: object[]) => createZip({ "chats.json": JSON.stringify(documents) });
const many = (count: number) =>
  toArchive(Array.from({ length: count }, (_each, index) => toDocument(String(index))));

const countChats = (client: Client) => db.prisma.chat.count({ where: ownedBy(client) });
const getState = async (client: Client, id: string) => (await readImportReport(client, id)).state;
const isDone = (client: Client, id: string) =>
  expect.poll(() => getState(client, id), OFTEN).toBe("completed");

describe("an import", () => {
  it("goes on with another worker when its own has died, and makes no chat twice", async () => {
    const client = await newClient();
    const { id } = await sendArchive(client, await many(400));
    const first = startImportWorker(db);
    await expect.poll(() => countChats(client), OFTEN).toBeGreaterThan(0);
    // What is left when its process is killed: a lease that nobody renews.
    await db.prisma.import.update({ where: { id }, data: { leaseExpiresAt: new Date(0) } });
    const second = startImportWorker(db);
    await isDone(client, id);
    await Promise.all([first.stop(), second.stop()]);
    expect(await countChats(client)).toBe(400);
    expect(await readImportReport(client, id)).toMatchObject({ chats: 400, known: 0 });
  });

  it("is given back by a worker that stops, and goes on with the next", async () => {
    const client = await newClient();
    const { id } = await sendArchive(client, await many(400));
    const first = startImportWorker(db);
    await expect.poll(() => countChats(client), OFTEN).toBeGreaterThan(0);
    await first.stop();
    const before = await readImportReport(client, id);
    expect(before.state).toBe("queued");
    expect(before.read_bytes).toBeGreaterThan(0);
    expect(await countChats(client)).toBe(before.chats);
    const second = startImportWorker(db);
    await isDone(client, id);
    await second.stop();
    expect(await readImportReport(client, id)).toMatchObject({ chats: 400, known: 0 });
  });

  it("that is deleted while it runs ends, and leaves no chat that is not whole", async () => {
    const client = await newClient();
    const { id } = await sendArchive(
      client,
      await toArchive([toDocument("a"), toDocument("long", 3_000), toDocument("b")]),
    );
    const worker = startImportWorker(db);
    const unfinished = { importId: id };
    await expect.poll(() => db.prisma.chat.count({ where: unfinished }), OFTEN).toBe(1);
    expect((await client.call("GET /chats?archived=any")).body).toMatchObject({
      data: [{ title: "Chat a" }],
    });
    expect((await client.call(`DELETE /imports/${id}`)).status).toBe(204);
    await worker.stop();
    expect(await countChats(client)).toBe(1);
    expect(await db.prisma.importSlice.count({ where: { importId: id } })).toBe(0);
  });

  it("waits for its turn while others are imported, which give it back after a time", async () => {
    const clients = await Promise.all([newClient(), newClient(), newClient()]);
    const archive = await many(300);
    const ids: string[] = [];
    for (const client of clients) ids.push((await sendArchive(client, archive)).id);
    const worker = startImportWorker(db, { sliceMs: 0 });
    const seen = new Set<string>();
    const over = Promise.all(clients.map((client, index) => isDone(client, ids[index] ?? "")));
    let ended = false;
    const watch = async () => {
      while (!ended) {
        const counts = await Promise.all(clients.map(countChats));
        seen.add(counts.map((count) => (count === 0 ? 0 : count === 300 ? 2 : 1)).join(""));
      }
    };
    const watching = watch();
    await over;
    ended = true;
    await Promise.all([watching, worker.stop()]);
    // All three were imported in part before the first was done.
    expect([...seen]).toContain("111");
    expect(await Promise.all(clients.map(countChats))).toEqual([300, 300, 300]);
  });
});
