import { v7 as newId } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { ownedBy } from "@/server/db/chats/viewer";
import {
  type Answer,
  createApiFixture,
  createClient,
  createTestApi,
  ORIGIN,
  type TestClient,
} from "@/test/api-client";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { commitAnswer, openCall } from "@/test/park-chat";
import { createPreparer } from "@/test/prepare-operation";
import { OPERATION_TEXTS } from "./operation-texts/all-operation-texts";
import { operations } from "./operations/all-operations";

const { db, api, client } = await createApiFixture();

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

  it("runs once for ten concurrent requests; the others get its response", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        client.call("POST /chats", { content: "Ten times" }, keyed("c")),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const replayed = answers.filter(({ headers }) => headers.has("idempotency-replayed"));
    expect(replayed).toHaveLength(9);
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    const where = { ...ownedBy(client), title: "Ten times" };
    expect(await db.prisma.chat.count({ where })).toBe(1);
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

  it("is not stored if it was refused: a retry is decided again", async () => {
    const id = await client.startChat();
    const regenerate = () => client.call(`POST /chats/${id}/regenerate`, {}, keyed("f"));
    expect((await regenerate()).status).toBe(409);
    await commitAnswer(db, id, { parts: [{ type: "text", text: "hi" }], after: "finish" });
    const accepted = await regenerate();
    expect([accepted.status, accepted.headers.get("idempotency-replayed")]).toEqual([202, null]);
    expect((await regenerate()).headers.get("idempotency-replayed")).toBe("true");
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

  it("is not begun once its client has given up, whose retry may have been refused", async () => {
    const id = await client.startChat();
    const controller = new AbortController();
    const late = new Request(
      client.request(`POST /chats/${id}/messages`, { content: "Too late" }, keyed("late")),
      { signal: controller.signal },
    );
    const answered = api.api.handleRest(late);
    controller.abort();
    const { status, headers } = await answered;
    expect([status, headers.has("retry-after")]).toEqual([409, true]);
    const history = await client.call(`GET /chats/${id}/messages`);
    expect(JSON.stringify(history.body)).not.toContain("Too late");
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

describe("a procedure with an Idempotency-Key", () => {
  const callAll = async (inputs: object[], keys: string) => {
    const names = inputs.map(() => "chats.create").join(",");
    const response = await api.api.handleTrpc(
      new Request(`${ORIGIN}/api/trpc/${names}?batch=1`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${client.key}`,
          "content-type": "application/json",
          "idempotency-key": keys,
        },
        body: JSON.stringify({ ...inputs }),
      }),
    );
    return (await response.json()) as {
      result?: { data: { id: string } };
      error?: { data: { problem: { status: number } } };
    }[];
  };

  it("runs once, also in another batch", async () => {
    const [one, two] = [newId(), newId()];
    const first = await callAll([{ content: "one" }, { content: "two" }], `${one},${two}`);
    const again = await callAll([{ content: "two" }, { content: "three" }], `${two},`);
    expect(again[0]?.result).toEqual(first[1]?.result);
    const ids = [...first, ...again].map(({ result }) => result?.data.id);
    expect(new Set(ids).size).toBe(3);
  });

  it("is rejected with another input", async () => {
    const key = newId();
    await callAll([{ content: "one" }], key);
    const [refused] = await callAll([{ content: "two" }], key);
    expect(refused?.error?.data.problem.status).toBe(422);
  });

  it("requires a valid key", async () => {
    for (const key of ["a b", "k".repeat(256), `${newId()},${"k".repeat(256)}`]) {
      const [refused] = await callAll([{ content: "one" }], key);
      expect(refused?.error?.data.problem.status).toBe(400);
    }
  });
});

describe("the responses that a deleted chat has left", () => {
  const getStored = (userId: string) =>
    db.prisma.idempotencyKey.findMany({ where: { userId }, orderBy: { key: "asc" } });
  const rest = (chatId: string) =>
    commitAnswer(db, chatId, { parts: [{ type: "text", text: "hi" }], after: "finish" });

  it("are deleted with it, and no others", async () => {
    const owner = await createClient(db, api);
    const create = (key: string) => owner.call("POST /chats", { content: "Secret" }, keyed(key));
    const ids: string[] = [];
    for (const key of ["a", "b"]) {
      const { id } = (await create(key)).body as { id: string };
      ids.push(id);
      await rest(id);
      await owner.call(`POST /chats/${id}/messages`, { content: "Secret" }, keyed("c"));
      await rest(id);
      await owner.call(`POST /chats/${id}/regenerate`, {}, keyed("d"));
      await rest(id);
      await owner.call(`POST /files?chat_id=${id}`, Buffer.from("Secret"), keyed(`e-${key}`));
    }
    expect(await getStored(owner.userId)).toHaveLength(8);

    expect((await owner.call(`DELETE /chats/${ids[0]}`)).status).toBe(204);

    const left = await getStored(owner.userId);
    expect(left.map(({ key, chatId }) => [key, chatId])).toEqual([
      ["b", ids[1]],
      ["c", ids[1]],
      ["d", ids[1]],
      ["e-b", ids[1]],
    ]);
    expect(JSON.stringify(left)).not.toContain(ids[0]);
    const again = await create("a");
    expect(again.status).toBe(201);
    expect(again.headers.get("idempotency-replayed")).toBeNull();
  });

  it("are not stored for a chat that never existed", async () => {
    const stranger = await createClient(db, api);
    const route = `POST /chats/${newId()}/interrupt`;
    expect((await stranger.fail(route, undefined, keyed("a"))).status).toBe(404);
    expect(await getStored(stranger.userId)).toEqual([]);
  });
});

describe("a stored response", () => {
  const send = (owner: TestClient, key: string) =>
    owner.call("POST /chats", { content: "Hello" }, keyed(key));
  const isReplayed = async (answer: Promise<Answer>) =>
    (await answer).headers.has("idempotency-replayed");

  it("expires after a day", async () => {
    const owner = await createClient(db, api);
    expect(await isReplayed(send(owner, "key"))).toBe(false);
    await db.query(AGE, [owner.userId, 86_300]);
    expect(await isReplayed(send(owner, "key"))).toBe(true);
    await db.query(AGE, [owner.userId, 86_401]);
    expect(await isReplayed(send(owner, "key"))).toBe(false);
    expect(await isReplayed(send(owner, "key"))).toBe(true);
  });

  it("is deleted during later requests when it has expired", async () => {
    const owner = await createClient(db, api);
    await send(owner, "old");
    await db.query(AGE, [owner.userId, 86_401]);
    // A process deletes at its first request, then once an hour.
    await createTestApi(db).api.handleRest(
      owner.request("POST /chats", { content: "Hello" }, keyed("new")),
    );
    expect(await db.query(COUNT_KEYS, [owner.userId])).toEqual([{ count: 1 }]);
  });
});

describe("a request that dies", () => {
  /** Sends the same request to a process with another database, then to one that works. */
  const sendTwice = async (broken: Database, route: string, sent: object) => {
    const request = () => client.request(route, sent, keyed(newId()));
    const [first, again] = [request(), request()];
    again.headers.set("idempotency-key", first.headers.get("idempotency-key") ?? "");
    const { status } = await createTestApi(broken).api.handleRest(first);
    return { first: status, again: await api.api.handleRest(again) };
  };
  const failToStore = (message: string): Database => ({
    ...db,
    transaction: (body) =>
      db.transaction((tx) =>
        body({
          ...tx,
          query: (statement, values) =>
            statement.name === "store-response"
              ? Promise.reject(new Error(message))
              : tx.query(statement, values),
        }),
      ),
  });
  const failAfterCommit = (message: string): Database => ({
    ...db,
    transaction: async (body) => {
      await db.transaction(body);
      throw new Error(message);
    },
  });

  it("before its commit has changed nothing, and a retry runs at once", async () => {
    const content = newId();
    const { first, again } = await sendTwice(failToStore("died"), "POST /chats", { content });
    expect([first, again.status]).toEqual([500, 201]);
    expect(again.headers.get("idempotency-replayed")).toBeNull();
    const where = { ...ownedBy(client), title: content };
    expect(await db.prisma.chat.count({ where })).toBe(1);
  });

  it("after its commit gets the committed response", async () => {
    const content = newId();
    const broken = failAfterCommit("the connection was lost");
    const { first, again } = await sendTwice(broken, "POST /chats", { content });
    expect([first, again.status]).toEqual([201, 201]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const where = { ...ownedBy(client), title: content };
    expect(await db.prisma.chat.count({ where })).toBe(1);
  });

  it("with results that were accepted gets the first answer, no conflict", async () => {
    const id = await client.startChat();
    await commitAnswer(db, id, { parts: [openCall("call", "ask")], after: "park" });
    const route = `POST /chats/${id}/tool-results`;
    const results = [{ tool_call_id: "call", output: "yes" }];
    const { first, again } = await sendTwice(failAfterCommit("lost"), route, { results });
    expect([first, again.status]).toEqual([204, 204]);
    expect((await readWholeHistory(db, id)).at(-1)?.parts[0]).toMatchObject({ output: "yes" });
  });
});

describe("every operation that takes a key", () => {
  const prepare = createPreparer(db, client);
  const OF_ADMINISTRATORS = new Set(["recipes.create", "mcpServers.create"]);
  const WITHOUT_CHAT = new Set([...OF_ADMINISTRATORS, "startingTexts.create"]);

  let administrator: TestClient;
  beforeAll(async () => {
    administrator = await createClient(db, api, { role: "owner" });
  });
  afterAll(async () => {
    await administrator.call("DELETE /config/recipes/uptime");
    await db.prisma.mcpServer.deleteMany();
  });

  /** Of these, a repetition is no conflict and writes nothing, so that nothing asks for the key. */
  const REPEATABLE = new Set(["toolCalls.submitResult"]);

  for (const operation of operations) {
    const { name, method, status } = operation;
    if (
      method !== "POST" ||
      ("ignoresIdempotencyKey" in operation && operation.ignoresIdempotencyKey)
    )
      continue;

    it(`runs once: ${name}`, async () => {
      const example = OPERATION_TEXTS[name]?.examples?.minimal;
      const { chatId: id, route, body } = await prepare(operation, example);
      const key = keyed(newId());
      const caller = OF_ADMINISTRATORS.has(name) ? administrator : client;
      const first = await caller.call(route, body, key);
      expect(first.status).toBe(status);
      const before = await readChat(db, id);
      const again = await caller.call(route, body, key);
      expect(again.headers.get("idempotency-replayed")).toBe(REPEATABLE.has(name) ? null : "true");
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      expect(await readChat(db, id)).toEqual(before);
      const where = { userId: caller.userId, key: key["idempotency-key"] };
      const stored = await db.prisma.idempotencyKey.findFirstOrThrow({ where });
      expect(stored.chatId === null, "belongs to no chat").toBe(WITHOUT_CHAT.has(name));
    });
  }
});
