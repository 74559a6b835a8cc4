import { beforeAll, describe, expect, it } from "vitest";
import { ApiKeyScope, ApiKeyScopeSet, type NewApiKey, SCOPES_OF_SET } from "@/contract/api-key";
import type { Problem } from "@/contract/problem";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, ORIGIN, type TestApi } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { createAccount, signIn } from "@/test/session-client";
import { getOpenapiDocument } from "./openapi";
import { downloads, operations, streams, uploads } from "./operations/all-operations";

let db: Database;
let test: TestApi;
beforeAll(async () => {
  db = await testDatabase();
  test = createTestApi(db);
});

const HOUR_MS = 60 * 60_000;
/** Which other scopes a scope includes. */
const INCLUDED: Partial<Record<ApiKeyScope, readonly string[]>> = {
  chat: ["read"],
  admin: ApiKeyScope.options,
};
const routes = [...operations, ...uploads, ...downloads, ...streams];
const cases = ApiKeyScope.options.flatMap((scope) =>
  routes.map((route) => ({ scope, route, name: route.name })),
);

describe("a key", () => {
  it.each(cases)("with the scope $scope asks for $name", async ({ scope, route }) => {
    // A key for toolsets names them.
    const only = route.path.startsWith("/toolsets") ? { toolsets: ["unknown"] } : null;
    const client = await createClient(db, test, { scopes: [scope], only, role: "owner" });
    const scopes = ["key", scope, ...(INCLUDED[scope] ?? [])];
    const isAllowed = scopes.includes(route.scope) || scopes.includes(route.partScope ?? "");
    const path = route.path.replace(/\{\w+\}/g, "unknown");
    const sent = route.method === "GET" || route.method === "DELETE" ? undefined : {};
    const request = client.request(`${route.method} ${path}`, sent);

    const response = await test.api.handleRest(request);

    await (isAllowed ? response.body?.cancel() : Promise.resolve());
    expect(response.status === 403).toBe(!isAllowed);
    if (isAllowed) return;
    const { detail, code } = (await response.json()) as Problem;
    expect(code).toBe("forbidden");
    if (route.scope !== "session") expect(detail).toContain(`"${route.scope}"`);
  });

  it.each(routes)("that sees some chats only asks for $name", async (route) => {
    const only = { labels: { app: "x" } };
    const client = await createClient(db, test, { scopes: ["read", "chat"], only });
    const path = route.path.replace(/\{\w+\}/g, "unknown");
    const sent = route.method === "GET" || route.method === "DELETE" ? undefined : {};
    const response = await test.api.handleRest(client.request(`${route.method} ${path}`, sent));
    await response.body?.cancel();
    const isOfChats = ["read", "chat", "key"].includes(route.scope) && !route.isOfAccount;
    expect(response.status === 403).toBe(!isOfChats);
  });

  it("that may read opens streams, over tRPC too, and starts no chat", async () => {
    const reader = await createClient(db, test, { scope: "read" });
    const rest = await test.api.handleRest(reader.request("GET /watch"));
    expect(rest.status).toBe(200);
    await rest.body?.cancel();
    const headers = { authorization: `Bearer ${reader.key}` };
    const trpc = await test.api.handleTrpc(
      new Request(`${ORIGIN}/api/trpc/chats.watchAll`, { headers }),
    );
    expect(trpc.headers.get("content-type")).toContain("text/event-stream");
    await trpc.body?.cancel();
    await reader.fail("POST /chats", { content: "x" }, { accept: "text/event-stream" });
    expect((await reader.call("GET /chats")).body).toEqual({ data: [] });
  });

  it("is not given a stored answer that it may not ask for", async () => {
    const writer = await createClient(db, test, { scope: "chat" });
    const once = { "idempotency-key": "once" };
    expect((await writer.call("POST /chats", { content: "x" }, once)).status).toBe(201);
    await db.prisma.apiKey.updateMany({ where: { id: writer.keyId }, data: { scopes: ["read"] } });
    const again = createTestApi({ ...db });
    const answer = await again.api.handleRest(
      writer.request("POST /chats", { content: "x" }, once),
    );
    expect(answer.status).toBe(403);
  });
});

describe("a session", () => {
  it("makes keys of each scope; without one it is chat, and without a limit it never expires", async () => {
    const session = await signIn(test, await createAccount(db));
    const create = async (fields: object): Promise<NewApiKey> => {
      const response = await session.rest("POST /api-keys", { name: "bot", ...fields });
      expect(response.status).toBe(201);
      return (await response.json()) as NewApiKey;
    };
    expect(await create({})).toMatchObject({ scope: "chat", expires_at: null, only: null });
    for (const scope of ApiKeyScopeSet.options) {
      const scopes = SCOPES_OF_SET[scope];
      expect(await create({ scope })).toMatchObject({ scope, scopes });
      expect(await create({ scopes })).toMatchObject({ scope, scopes });
    }
    const runner = { scopes: ["calls:answer"], only: { tools: ["restart_*"], toolsets: [] } };
    expect(await create(runner)).toMatchObject({ ...runner, scope: null });
    expect(await create({ scopes: ["admin"] })).toMatchObject({ scope: "admin" });
    const brief = Date.parse((await create({ expires_in_seconds: 60 })).expires_at ?? "");
    expect(Math.abs(brief - Date.now() - 60_000)).toBeLessThan(HOUR_MS);
    const limited = await create({ scope: "admin", expires_in_days: 2 });
    const hours = (Date.parse(limited.expires_at ?? "") - Date.now()) / HOUR_MS;
    expect(hours).toBeGreaterThan(46);
    expect(hours).toBeLessThan(49);
    const list = (await (await session.rest("GET /api-keys")).json()) as { data: NewApiKey[] };
    expect(list.data.slice(0, 3)).toMatchObject([
      { id: limited.id },
      { scope: "chat" },
      { scope: "admin" },
    ]);
    expect(list.data.map(({ from_environment }) => from_environment)).not.toContain(true);
    expect(list.data[0]?.expires_at).toBe(limited.expires_at);
  });

  it.each([
    { scope: "root" },
    { expires_in_days: 0 },
    { expires_in_days: 3651 },
    { expires_in_days: 1.5 },
    { expires_in_seconds: 0 },
    { expires_in_seconds: 1, expires_in_days: 1 },
    { scopes: [] },
    { scopes: ["root"] },
    { scopes: ["read", "read"] },
    { scopes: ["read"], scope: "read" },
    { scopes: ["calls:answer", "admin"], only: { tools: ["a"] } },
    { scope: "admin", only: { tools: ["a"] } },
    { only: {} },
    { only: { names: ["a"] } },
    { only: { tools: ["a", "a"] } },
    { only: { tools: [""] } },
    { only: { tools: ["a b"] } },
    { only: { tools: ["a\0"] } },
    { only: { tools: "*" } },
    { only: { tools: Array.from({ length: 101 }, (_, index) => `t${index}`) } },
    { only: { toolsets: ["CRM"] } },
    { only: { toolsets: ["*"] } },
  ])("makes no key with %o", async (fields) => {
    const session = await signIn(test, await createAccount(db));
    const response = await session.rest("POST /api-keys", { name: "bot", ...fields });
    expect(response.status).toBe(400);
    expect(await (await session.rest("GET /api-keys")).json()).toEqual({ data: [] });
  });
});

describe("a key that expires", () => {
  it("makes no key that lives longer", async () => {
    const admin = await createClient(db, test, { scope: "admin" });
    const expiresAt = new Date(Date.now() + 72 * HOUR_MS);
    await db.prisma.apiKey.updateMany({ where: { id: admin.keyId }, data: { expiresAt } });
    const create = (fields: object) => admin.call("POST /api-keys", { name: "child", ...fields });

    for (const fields of [{}, { expires_in_days: 4 }, { expires_in_seconds: 4 * 86_400 }]) {
      const { problem } = await admin.fail("POST /api-keys", { name: "child", ...fields });
      expect(problem).toMatchObject({ status: 403, code: "forbidden" });
      expect(problem.detail).toContain(expiresAt.toISOString());
    }
    expect((await create({ expires_in_days: 2 })).status).toBe(201);
    expect(await db.prisma.apiKey.count({ where: { userId: admin.userId } })).toBe(2);
  });
});

it("the OpenAPI document names the scope of each operation", () => {
  const { paths } = JSON.parse(getOpenapiDocument()) as {
    paths: Record<
      string,
      Record<string, { "x-required-scope"?: string; security: Record<string, string[]>[] }>
    >;
  };
  for (const { name, path, method, scope, partScope } of routes) {
    const described = paths[path]?.[method.toLowerCase()];
    expect(described?.["x-required-scope"]).toBe(scope);
    const needed = described?.security.flatMap(({ apiKey }) => (apiKey ? [apiKey] : []));
    const isOfKeys = scope !== "session" && scope !== "key";
    const expected = isOfKeys ? [[scope], ...(partScope ? [[partScope]] : [])] : [];
    expect(needed, name).toEqual(scope === "key" ? [[]] : expected);
  }
});
