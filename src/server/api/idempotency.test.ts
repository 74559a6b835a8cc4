import { v7 as newId } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/database";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { commitAnswer } from "@/test/park-chat";
import { createIdempotency } from "./idempotency";

let db: Database;
let api: TestApi;
let client: TestClient;
beforeAll(async () => {
  db = await testDatabase();
  api = createTestApi(db);
  client = await createClient(db, api);
});

const keyed = (key: string) => ({ "idempotency-key": key });
const AGE = {
  name: "test-age-idempotency-keys",
  text: `UPDATE idempotency_key SET created_at = now() - make_interval(secs => $2) WHERE owner_id = $1`,
};
const COUNT_KEYS = {
  name: "test-count-idempotency-keys",
  text: `SELECT count(*)::int AS count FROM idempotency_key WHERE owner_id = $1`,
};

describe("a request with an Idempotency-Key", () => {
  it("runs once and returns the first response to a retry", async () => {
    const first = await client.call("POST /chats", { content: "Hello" }, keyed("a"));
    const again = await client.call("POST /chats", { content: "Hello" }, keyed("a"));

    expect(first.status).toBe(201);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.status).toBe(201);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(again.headers.get("content-type")).toBe("application/json");
    expect(again.body).toEqual(first.body);
  });

  it("is rejected with another body", async () => {
    await client.call("POST /chats", { content: "one" }, keyed("b"));
    const { status, problem } = await client.fail("POST /chats", { content: "two" }, keyed("b"));
    expect(status).toBe(422);
    expect(problem.code).toBe("unprocessable");
  });

  it("runs once for ten concurrent requests; the others get a conflict or the response", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        client.call("POST /chats", { content: "Hello" }, keyed("c")),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    const running = answers.filter(({ status }) => status === 409);
    expect(made.length + running.length).toBe(10);
    expect(new Set(made.map(({ body }) => (body as { id: string }).id)).size).toBe(1);
    for (const { headers } of running) {
      expect(headers.get("retry-after")).toBe("1");
      expect(headers.get("x-should-retry")).toBeNull();
    }
  });

  it("is separate per user and per route", async () => {
    const other = await createClient(db, api);
    const first = await client.call("POST /chats", { content: "Hello" }, keyed("d"));
    const theirs = await other.call("POST /chats", { content: "Hello" }, keyed("d"));
    expect(theirs.body).not.toMatchObject({ id: (first.body as { id: string }).id });

    const one = await client.startChat();
    const two = await client.startChat();
    for (const id of [one, two]) {
      const sent = { content: "Hello" };
      const { status, headers } = await client.call(`POST /chats/${id}/messages`, sent, keyed("d"));
      expect(status).toBe(200);
      expect(headers.get("idempotency-replayed")).toBeNull();
    }
  });

  it("repeats error responses", async () => {
    const id = await client.startChat();
    const route = `POST /chats/${id}/interrupt`;
    const first = await client.call(route, undefined, keyed("e"));
    expect(first.status).toBe(200);
    const again = await client.call(route, undefined, keyed("e"));
    expect(again.body).toEqual(first.body);

    const regenerate = `POST /chats/${id}/regenerate`;
    const refused = await client.fail(regenerate, {}, keyed("f"));
    const repeated = await client.fail(regenerate, {}, keyed("f"));
    expect(refused.status).toBe(409);
    expect(repeated.body).toEqual(refused.body);
    expect(repeated.headers.get("content-type")).toBe("application/problem+json");
  });

  it("can be retried after a full queue", async () => {
    const id = await client.startChat();
    const send = (key?: string) =>
      client.call(`POST /chats/${id}/messages`, { content: "more" }, key ? keyed(key) : {});
    for (let index = 0; index < 20; index++) await send();
    const full = await send("g");
    expect(full.status).toBe(429);
    expect(Number(full.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await send("g")).headers.get("idempotency-replayed")).toBeNull();
  });

  it("requires a valid key", async () => {
    for (const key of ["", "a b", "x".repeat(256), "ä"]) {
      const { status } = await client.fail("POST /chats", { content: "x" }, keyed(key));
      expect(status).toBe(400);
    }
  });

  it("is not stored if the response contains a secret", async () => {
    const first = await client.call("POST /api-keys", { name: "bot" }, keyed("h"));
    const again = await client.call("POST /api-keys", { name: "bot" }, keyed("h"));
    expect((again.body as { key: string }).key).not.toBe((first.body as { key: string }).key);
  });
});

describe("the responses that a deleted chat has left", () => {
  const storedOf = (userId: string) =>
    db.prisma.idempotencyKey.findMany({ where: { userId }, orderBy: { key: "asc" } });
  const rest = (chatId: string) =>
    commitAnswer(db, chatId, { parts: [{ type: "text", text: "hi" }], after: "finish" });

  it("are deleted with it, whatever their status, and no others", async () => {
    const owner = await createClient(db, api);
    const create = (key: string) => owner.call("POST /chats", { content: "Secret" }, keyed(key));
    const ids: string[] = [];
    for (const key of ["a", "b"]) {
      const { id } = (await create(key)).body as { id: string };
      ids.push(id);
      await rest(id);
      await owner.call(`POST /chats/${id}/messages`, { content: "Secret" }, keyed("c"));
      await rest(id);
      const refused = await owner.fail(`POST /chats/${id}/interrupt`, undefined, keyed("d"));
      expect(refused.status).toBe(409);
    }
    await owner.fail("POST /chats", { content: 5 }, keyed("e"));
    expect(await storedOf(owner.userId)).toHaveLength(7);

    expect((await owner.call(`DELETE /chats/${ids[0]}`)).status).toBe(204);

    const left = await storedOf(owner.userId);
    expect(left.map(({ key, chatId }) => [key, chatId])).toEqual([
      ["b", ids[1]],
      ["c", ids[1]],
      ["d", ids[1]],
      ["e", null],
    ]);
    expect(JSON.stringify(left)).not.toContain(ids[0]);
    const again = await create("a");
    expect(again.status).toBe(201);
    expect(again.headers.get("idempotency-replayed")).toBeNull();
  });

  it("are not stored if the chat is deleted before they are", async () => {
    const { userId } = await createClient(db, api);
    const idempotency = createIdempotency(db);
    const body = new TextEncoder().encode("{}");
    const late = { userId, route: "POST /chats", key: "late", body };
    await idempotency.claim(late);
    await idempotency.store(late, { status: 201, headers: {}, body: "Secret" }, newId());
    expect(await storedOf(userId)).toEqual([]);
    expect(await idempotency.claim(late)).toBeUndefined();
  });

  it("are not stored for a chat that never existed", async () => {
    const stranger = await createClient(db, api);
    const route = `POST /chats/${newId()}/interrupt`;
    expect((await stranger.fail(route, undefined, keyed("a"))).status).toBe(404);
    expect(await storedOf(stranger.userId)).toEqual([]);
  });
});

describe("createIdempotency", () => {
  const request = (userId: string, key: string) => ({
    userId,
    route: "POST /chats",
    key,
    body: new TextEncoder().encode("{}"),
  });
  const response = { status: 201, headers: {}, body: "{}" };

  it("expires claims after 2 minutes and responses after a day", async () => {
    const { userId } = await createClient(db, api);
    const idempotency = createIdempotency(db);
    expect(await idempotency.claim(request(userId, "key"))).toBeUndefined();
    await expect(idempotency.claim(request(userId, "key"))).rejects.toMatchObject({
      code: "conflict",
    });
    await db.query(AGE, [userId, 121]);
    expect(await idempotency.claim(request(userId, "key"))).toBeUndefined();
    await idempotency.store(request(userId, "key"), response, null);
    await db.query(AGE, [userId, 3_600]);
    expect(await idempotency.claim(request(userId, "key"))).toEqual(response);
    await db.query(AGE, [userId, 86_401]);
    expect(await idempotency.claim(request(userId, "key"))).toBeUndefined();
  });

  it("deletes expired responses during later requests", async () => {
    const { userId } = await createClient(db, api);
    const before = createIdempotency(db);
    await before.claim(request(userId, "old"));
    await before.store(request(userId, "old"), response, null);
    await db.query(AGE, [userId, 86_401]);

    await createIdempotency(db).claim(request(userId, "new"));

    expect(await db.query(COUNT_KEYS, [userId])).toEqual([{ count: 1 }]);
  });
});
