import { beforeAll, describe, expect, it } from "vitest";
import type { ApiKeyScope } from "@/contract/api-key";
import type { Token } from "@/contract/token";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { signIn, createAccount } from "@/test/session-client";

let db: Database;
let test: TestApi;
beforeAll(async () => {
  db = await testDatabase();
  test = createTestApi(db);
});

const createOwner = (scopes?: ApiKeyScope[]) => createClient(db, test, scopes ? { scopes } : {});

const createToken = async (client: TestClient, fields: object): Promise<Token> => {
  const { status, body } = await client.call("POST /tokens", { scopes: ["read"], ...fields });
  if (status !== 201) throw new Error(`no token: ${JSON.stringify(body)}`);
  return body as Token;
};

const bearing = (token: string, headers: object = {}) => ({
  authorization: `Bearer ${token}`,
  ...headers,
});

const getStatus = async (client: TestClient, token: string, route = "GET /chats") =>
  (await client.call(route, undefined, bearing(token))).status;

describe("a token", () => {
  it("does what its scopes say, for at most an hour", async () => {
    const client = await createOwner();
    const chatId = await client.startChat();
    const { token, expires_at } = await createToken(client, {});
    expect(token).toMatch(/^pt_/);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThan(60 * 60_000);
    const read = await client.call(`GET /chats/${chatId}`, undefined, bearing(token));
    expect(read).toMatchObject({ status: 200, body: { id: chatId } });
    const write = await client.fail("POST /chats", { content: "x" }, bearing(token));
    expect(write.problem).toMatchObject({ status: 403, code: "forbidden" });
    expect(await getStatus(client, token, "GET /api-keys")).toBe(403);
  });

  it("makes neither tokens nor, with a session, any", async () => {
    const client = await createOwner();
    const { token } = await createToken(client, { scopes: ["chat"] });
    const again = await client.fail("POST /tokens", { scopes: ["read"] }, bearing(token));
    expect(again.problem.status).toBe(403);
    const session = await signIn(test, await createAccount(db));
    expect((await session.rest("POST /tokens", { scopes: ["read"] })).status).toBe(403);
  });

  it.each<[string, ApiKeyScope[], object, number]>([
    ["more than its key", ["calls:answer"], { scopes: ["read"] }, 403],
    ["more than its key, besides", ["read"], { scopes: ["read", "chat"] }, 403],
    ["everything", ["admin"], { scopes: ["admin"] }, 400],
    ["nothing", ["read"], { scopes: [] }, 400],
    ["the same twice", ["read"], { scopes: ["read", "read"] }, 400],
    ["too long a time", ["read"], { expires_in_seconds: 3_601 }, 400],
    ["no time", ["read"], { expires_in_seconds: 0 }, 400],
    ["an unknown chat", ["read"], { chat_id: "nothing" }, 404],
    ["a chat and labels", ["read"], { chat_id: "nothing", labels: { a: "b" } }, 400],
    ["no label", ["read"], { labels: {} }, 400],
    ["an origin with a path", ["read"], { origin: "https://a.test/" }, 400],
    ["an origin of files", ["read"], { origin: "null" }, 400],
    ["an origin of another scheme", ["read"], { origin: "file://a" }, 400],
    ["an origin with an account", ["read"], { origin: "https://me@a.test" }, 400],
    ["an origin in capitals", ["read"], { origin: "HTTPS://A.test" }, 400],
    ["an origin with its default port", ["read"], { origin: "https://a.test:443" }, 400],
    ["what is unknown", ["read"], { only: { tools: ["x"] } }, 400],
  ])("is not made for %s", async (_, scopes, fields, status) => {
    const client = await createOwner(scopes);
    const sent = { scopes: ["read"], ...fields };
    const { problem } = await client.fail("POST /tokens", sent);
    expect(problem.status).toBe(status);
    expect(problem.detail).not.toBe("");
  });

  it("is not made with labels that no header holds", async () => {
    const client = await createOwner(["read"]);
    const names = Array.from({ length: 50 }, (_, index) => `${index}`.padStart(100, "x"));
    const labels = Object.fromEntries(names.map((name) => [name, name]));
    const { problem } = await client.fail("POST /tokens", { scopes: ["read"], labels });
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: "/labels" }] });
  });

  it("does not outlive its key", async () => {
    const client = await createOwner(["read"]);
    const expiresAt = new Date(Date.now() + 60_000);
    await db.prisma.apiKey.updateMany({ where: { id: client.keyId }, data: { expiresAt } });
    const { problem } = await client.fail("POST /tokens", { scopes: ["read"] });
    expect(problem).toMatchObject({ status: 403 });
    expect(problem.detail).toContain(expiresAt.toISOString());
    await createToken(client, { expires_in_seconds: 10 });
  });

  it("sees one chat only, and makes none", async () => {
    const client = await createOwner();
    const chatId = await client.startChat();
    const other = await client.startChat();
    const fields = { scopes: ["read", "chat", "calls:answer"], chat_id: chatId.toUpperCase() };
    const { token } = await createToken(client, fields);
    expect(await getStatus(client, token, `GET /chats/${chatId}`)).toBe(200);
    expect(await getStatus(client, token, `GET /chats/${other}`)).toBe(404);
    expect(await getStatus(client, token, `DELETE /chats/${other}`)).toBe(404);
    expect((await client.call("GET /chats", undefined, bearing(token))).body).toMatchObject({
      data: [{ id: chatId }],
    });
    for (const [route, sent] of [
      ["POST /chats", { content: "x" }],
      [`POST /chats/${chatId}/fork`, {}],
      ["GET /starting-texts", undefined],
      ["GET /imports", undefined],
    ] as const) {
      expect((await client.fail(route, sent, bearing(token))).status, route).toBe(403);
    }
    const sent = await client.call(
      `POST /chats/${chatId}/messages`,
      { content: "y" },
      bearing(token),
    );
    expect(sent.status).toBe(200);
  });

  it("answers the calls of its chat", async () => {
    const client = await createOwner();
    const startAsking = async (): Promise<string> => {
      const id = await client.startChat({ dynamic_tools: [{ name: "ask" }] });
      await commitAnswer(db, id, { parts: [openCall("a", "ask")], after: "park" });
      return id;
    };
    const [chatId, other] = [await startAsking(), await startAsking()];
    const { token } = await createToken(client, { scopes: ["calls:answer"], chat_id: chatId });
    const answer = (id: string) =>
      client.call(`POST /chats/${id}/tool-calls/a/result`, { output: 1 }, bearing(token));
    expect((await answer(other)).status).toBe(404);
    expect((await answer(chatId)).status).toBe(204);
  });

  it("sees chats with its labels and those of its key", async () => {
    const client = await createClient(db, test, {
      scopes: ["read", "chat"],
      only: { labels: { app: "shop" } },
    });
    const first = await client.startChat({ labels: { customer: "1" } });
    const second = await client.startChat({ labels: { customer: "2" } });
    const { token } = await createToken(client, { labels: { customer: "1" } });
    expect(await getStatus(client, token, `GET /chats/${first}`)).toBe(200);
    expect(await getStatus(client, token, `GET /chats/${second}`)).toBe(404);
    const other = { scopes: ["read"], labels: { app: "other" } };
    expect((await client.fail("POST /tokens", other)).status).toBe(403);
  });

  it("works in pages of its origin only", async () => {
    const client = await createOwner(["read"]);
    const origin = "https://app.example.com";
    const { token } = await createToken(client, { origin });
    const get = async (headers: object) =>
      (await client.call("GET /chats", undefined, bearing(token, headers))).status;
    expect(await get({ origin })).toBe(200);
    for (const headers of [{}, { origin: "null" }, { origin: `${origin}.evil.test` }]) {
      expect(await get(headers)).toBe(403);
    }
  });
});

describe("a token that is none any more", () => {
  it("has ended", async () => {
    const client = await createOwner(["read"]);
    const { token } = await createToken(client, { expires_in_seconds: 1 });
    await expect.poll(() => getStatus(client, token), { timeout: 10_000 }).toBe(401);
  });

  it("ends with its key", async () => {
    const owner = await createOwner();
    const made = await owner.call("POST /api-keys", { name: "x", scope: "read" });
    const { id, key } = made.body as { id: string; key: string };
    const minted = await owner.call("POST /tokens", { scopes: ["read"] }, bearing(key));
    const { token } = minted.body as Token;
    expect(await getStatus(owner, token)).toBe(200);
    await owner.call(`DELETE /api-keys/${id}`);
    expect(await getStatus(owner, token)).toBe(401);
  });

  it.each<[string, (parts: { text: string; signature: string }) => string]>([
    ["is altered", ({ text, signature }) => `pt_${alter(text)}.${signature}`],
    ["has another signature", ({ text, signature }) => `pt_${text}.${signature.slice(0, -2)}AA`],
    ["has no signature", ({ text }) => `pt_${text}.`],
    ["is without a signature", ({ text }) => `pt_${text}`],
    ["has more", ({ text, signature }) => `pt_${text}.${signature}.x`],
    ["is spelled otherwise", ({ text, signature }) => `pt_${text}.${signature}=`],
    ["is in capitals", ({ text, signature }) => `PT_${text}.${signature}`],
    ["is empty", () => "pt_"],
    ["is long", () => `pt_${"a".repeat(100_000)}.b`],
  ])("is not taken when it %s", async (_, change) => {
    const client = await createOwner(["read"]);
    const { token } = await createToken(client, {});
    const [text = "", signature = ""] = token.slice("pt_".length).split(".");
    expect(await getStatus(client, change({ text, signature }))).toBe(401);
    expect(await getStatus(client, token)).toBe(200);
  });

  /** The same with more scopes. */
  const alter = (text: string): string => {
    const claims = JSON.parse(Buffer.from(text, "base64url").toString()) as object;
    return Buffer.from(JSON.stringify({ ...claims, scopes: ["admin"] })).toString("base64url");
  };

  it("was signed by another server", async () => {
    const client = await createOwner(["read"]);
    const other = createTestApi(db, undefined, { secret: "another secret of 32 characters!" });
    const { keyId } = client;
    const claims = { keyId, scopes: ["read" as const], expiresAt: Date.now() + 60_000 };
    expect(await getStatus(client, other.auth.tokens.create(claims))).toBe(401);
    expect(await getStatus(client, test.auth.tokens.create(claims))).toBe(200);
  });
});

it("ends the streams of a token with a goodbye", async () => {
  const client = await createOwner(["read"]);
  const { token } = await createToken(client, { expires_in_seconds: 1 });
  const open = client.request("GET /watch", undefined, bearing(token));
  const stream = await test.api.handleRest(open);
  expect(stream.status).toBe(200);
  const text = await stream.text();
  expect(text).toMatch(/event: goodbye\ndata: .*"reason":"token_expired"/);
});
