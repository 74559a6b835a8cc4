import { v7 as newId } from "uuid";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SCOPES_OF_SET } from "@/contract/api-key";
import type { Problem } from "@/contract/problem";
import { CLIENT_ADDRESS_HEADER } from "@/server/client-address";
import { createAuthHandler } from "@/server/api/handle-auth-request";
import type { Database } from "@/server/db/connection/database";
import { readClock } from "@/server/db/sql/machine/clock-reads";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { replaceModels } from "@/test/database-doubles";
import { createApiKey, findKeyActor, hashKey, listApiKeys, revokeApiKey } from "./api-keys";
import { createAuthServices } from "./auth-services";
import { bootstrapOwner } from "./bootstrap-owner";
import { hasOwner } from "./owner";
import { createSetupCode, isExposed, readSetupCode } from "./setup-code";

const HOST = "parley.test";
const ADA = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const statement = (name: string, text: string) => ({ name: `test-auth-${name}`, text });
const DELETE_USERS = statement("delete-users", `DELETE FROM "user"`);
const COUNT_OWNERS = statement("owners", `SELECT role FROM "user"`);

const start = (publicUrl: string | null = null) => {
  const secret = "a secret for tests, which signs nothing of value";
  const services = createAuthServices(db, { secret, publicUrl }, () => undefined);
  const errors: object[] = [];
  const handle = createAuthHandler(services, {
    error: (fields) => {
      errors.push(fields);
    },
  });
  const send = (
    route: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const [method = "", path = ""] = route.split(" ");
    return handle(
      new Request(`http://localhost:3000/api/auth${path}`, {
        method,
        headers: {
          host: HOST,
          origin: `http://${HOST}`,
          "content-type": "application/json",
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  };
  return { ...services, send, errors };
};

const warnings: string[] = [];
const bootstrap = (settings: Parameters<typeof bootstrapOwner>[1]["settings"]): Promise<void> =>
  bootstrapOwner(db, { settings, newId, warn: (message) => void warnings.push(message) });

const getCookie = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

const readProblem = async (response: Response): Promise<Problem> => {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  return (await response.json()) as Problem;
};

const createRequest = (headers: Record<string, string>, method = "GET") =>
  new Request(`http://${HOST}/`, { method, headers: { host: HOST, ...headers } });

describe("the first account", () => {
  beforeEach(async () => {
    await db.query(DELETE_USERS, []);
  });

  it("is created by the first visitor, who is signed in as the owner", async () => {
    const { send, authenticator } = start();
    expect(await hasOwner(db)).toBe(false);

    const response = await send("POST /sign-up/email", ADA);

    expect(response.status).toBe(200);
    expect(await hasOwner(db)).toBe(true);
    const { actor } = await authenticator.authenticate(
      createRequest({ cookie: getCookie(response) }),
    );
    expect(actor).toMatchObject({ role: "owner", credential: { type: "session" } });
  });

  it("is created once: a second sign-up is rejected with a message", async () => {
    const { send } = start();
    await send("POST /sign-up/email", ADA);

    const response = await send("POST /sign-up/email", { ...ADA, email: "eve@example.org" });

    expect(response.status).toBe(403);
    expect((await readProblem(response)).detail).toContain("has its owner already");
  });

  it("is the only one when many visitors sign up at the same time", async () => {
    const { send } = start();
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send("POST /sign-up/email", { ...ADA, email: `ada${index}@example.org` }),
      ),
    );

    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, 403, 403, 403, 403, 403, 403, 403]);
    expect(await db.query(COUNT_OWNERS, [])).toEqual([{ role: "owner" }]);
  });

  it("requires the set-up code on a server that has one, and removes it", async () => {
    const { send } = start();
    await Promise.all([createSetupCode(db), createSetupCode(db)]);
    const code = await readSetupCode(db);

    for (const wrong of [undefined, "", `${code}x`]) {
      const response = await send("POST /sign-up/email", { ...ADA, setup_code: wrong });
      expect(response.status).toBe(403);
      expect((await readProblem(response)).detail).toContain("open the link");
    }
    expect(await hasOwner(db)).toBe(false);

    const response = await send("POST /sign-up/email", { ...ADA, setup_code: code });
    expect(response.status).toBe(200);
    expect(await readSetupCode(db)).toBeUndefined();
  });

  it.each<[string, Partial<Parameters<typeof isExposed>[0]>, boolean]>([
    ["on loopback", {}, false],
    ["on all addresses", { hostname: "0.0.0.0" }, true],
    ["behind a public URL", { publicUrl: "https://chat.example.org" }, true],
    ["with an allowed host", { allowedHosts: ["parley"] }, true],
    ["behind a proxy", { trustedProxies: ["127.0.0.1"] }, true],
  ])("may be a stranger's on a server %s", (_, settings, exposed) => {
    const local = { hostname: "127.0.0.1", publicUrl: null, allowedHosts: [], trustedProxies: [] };
    expect(isExposed({ ...local, ...settings })).toBe(exposed);
  });

  it("requires a name, an e-mail address and a valid password", async () => {
    const { send } = start();

    const response = await send("POST /sign-up/email", { name: "", email: "x", password: "short" });

    expect(response.status).toBe(400);
    const { errors } = await readProblem(response);
    expect(errors?.map(({ pointer }) => pointer)).toEqual(["/name", "/email", "/password"]);
    expect(await hasOwner(db)).toBe(false);
  });

  it("is created from the settings, once for any number of starts", async () => {
    const owner = { email: ADA.email, password: ADA.password };
    const apiKey = "k".repeat(32);
    await Promise.all([1, 2].map(() => bootstrap({ owner, apiKey })));
    await bootstrap({ owner, apiKey });

    expect(await db.query(COUNT_OWNERS, [])).toEqual([{ role: "owner" }]);
    expect(await findKeyActor(db, { hash: hashKey(apiKey) })).toMatchObject({ role: "owner" });
    const { send } = start();
    expect((await send("POST /sign-in/email", owner)).status).toBe(200);
  });

  it("is required for an API key from the settings", async () => {
    await expect(bootstrap({ owner: null, apiKey: "k".repeat(32) })).rejects.toThrow(
      "PARLEY_OWNER_EMAIL",
    );
  });
});

describe("sessions", () => {
  beforeEach(async () => {
    await db.query(DELETE_USERS, []);
    await bootstrap({ owner: ADA, apiKey: null });
  });

  it("start with the right password, in a cookie that scripts cannot read", async () => {
    const { send, authenticator } = start();
    const wrong = await send("POST /sign-in/email", { ...ADA, password: "wrong password" });
    expect(wrong.status).toBe(401);

    const response = await send("POST /sign-in/email", ADA);
    expect(response.status).toBe(200);
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^parley\.session_token=.*; HttpOnly; SameSite=Lax$/);
    const { actor } = await authenticator.authenticate(
      createRequest({ cookie: getCookie(response) }),
    );
    expect(actor?.role).toBe("owner");
  });

  it("have a secure cookie behind an https address", async () => {
    const { send, authenticator } = start("https://chat.example.org");
    const origin = "https://chat.example.org";
    const response = await send("POST /sign-in/email", ADA, { origin });

    const cookies = response.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-parley\.\w+=[^;]+;.*; Path=\/;.*; Secure/);
      expect(cookie).toContain("HttpOnly");
      expect(cookie).not.toContain("Domain");
    }
    const { actor } = await authenticator.authenticate(
      createRequest({ cookie: getCookie(response) }),
    );
    expect(actor?.role).toBe("owner");

    const earlier = getCookie(response).replaceAll("__Host-", "__Secure-");
    const { actor: none } = await authenticator.authenticate(createRequest({ cookie: earlier }));
    expect(none).toBeUndefined();
    const left = await send("POST /sign-out", {}, { origin, cookie: getCookie(response) });
    for (const cookie of left.headers.getSetCookie()) {
      expect(cookie).toMatch(/^__Host-parley\.\w+=; Max-Age=0; Path=\/;.*; Secure/);
    }
  });

  it("end at once with the sign-out", async () => {
    const { send, authenticator } = start();
    const cookie = getCookie(await send("POST /sign-in/email", ADA));
    expect((await authenticator.authenticate(createRequest({ cookie }))).actor).toBeDefined();

    expect((await send("POST /sign-out", {}, { cookie })).status).toBe(200);

    expect((await authenticator.authenticate(createRequest({ cookie }))).actor).toBeUndefined();
  });

  it("cannot be forged", async () => {
    const { authenticator } = start();
    const cookie = "parley.session_token=AAAA.BBBB";
    await expect(authenticator.authorize(createRequest({ cookie }))).rejects.toMatchObject({
      code: "unauthorized",
    });
  });

  it("allow writes from the site's own pages only", async () => {
    const { send, authenticator } = start();
    const cookie = getCookie(await send("POST /sign-in/email", ADA));
    const write = (headers: Record<string, string>) =>
      authenticator.authorize(createRequest({ cookie, ...headers }, "POST"));

    const refused = { code: "forbidden" };
    await expect(write({})).rejects.toMatchObject(refused);
    await expect(write({ origin: "http://evil.test" })).rejects.toMatchObject(refused);
    await expect(write({ origin: "null" })).rejects.toMatchObject(refused);
    await expect(
      write({ "sec-fetch-site": "cross-site", origin: `http://${HOST}` }),
    ).rejects.toMatchObject(refused);
    await expect(write({ "sec-fetch-site": "same-site" })).rejects.toMatchObject(refused);

    await expect(write({ origin: `http://${HOST}` })).resolves.toBeDefined();
    await expect(write({ "sec-fetch-site": "same-origin" })).resolves.toBeDefined();
    const read = authenticator.authorize(createRequest({ cookie, origin: "http://evil.test" }));
    await expect(read).resolves.toBeDefined();
  });

  it("cannot be started from another site's page", async () => {
    const { send } = start();
    const response = await send("POST /sign-in/email", ADA, { origin: "http://evil.test" });
    expect(response.status).toBe(403);
  });

  it("name both hosts to a page whose proxy replaces the one of the browser", async () => {
    const { send } = start();
    const signIn = async (headers: Record<string, string>) => {
      const response = await send("POST /sign-in/email", ADA, headers);
      return ((await response.json()) as { detail: string }).detail;
    };
    const origin = "http://chat.lan:8080";
    const detail = await signIn({ origin });
    for (const word of ["at chat.lan:8080", HOST, "proxy_set_header Host", "PARLEY_PUBLIC_URL"]) {
      expect(detail).toContain(word);
    }
    expect(await signIn({ origin: "https://chat.lan" })).toContain("to https://chat.lan.");
    // A browser that says so itself is at another site.
    expect(await signIn({ origin, "sec-fetch-site": "same-site" })).toContain("API key");
    expect(await signIn({ origin: "null" })).toContain("API key");
  });

  it("limit password attempts of others, but not those of a browser that signed in before", async () => {
    const { send } = start();
    const from = (address: string, cookie = "") => ({ [CLIENT_ADDRESS_HEADER]: address, cookie });
    const own = getCookie(await send("POST /sign-in/email", ADA, from("192.0.2.1")));
    // Letters of the e-mail address in another case are the same account.
    const emails = [ADA.email, ADA.email.toUpperCase()];
    const guess = (index: number) =>
      send(
        "POST /sign-in/email",
        { email: emails[index % 2], password: "wrong password" },
        from("192.0.2.1"),
      );

    const responses = await Promise.all(Array.from({ length: 80 }, (_, index) => guess(index)));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
    const limited = responses.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(75);
    expect(Number(limited[0]?.headers.get("retry-after"))).toBeGreaterThan(0);

    expect((await send("POST /sign-in/email", ADA, from("192.0.2.1", own))).status).toBe(200);
    expect((await send("POST /sign-in/email", ADA, from("192.0.2.2"))).status).toBe(200);
  });

  it("take a forged or another account's mark of a known browser for none", () => {
    const { knownBrowsers } = start();
    const [cookie = ""] = knownBrowsers.createCookie(ADA.email).split(";");
    const find = (given: string, account = ADA.email) =>
      knownBrowsers.find(new Headers({ cookie: given }), account);
    expect(find(cookie)).toBeDefined();
    expect(find(cookie, "eve@example.org")).toBeUndefined();
    expect(find(cookie.replace(/.$/, (last) => (last === "A" ? "B" : "A")))).toBeUndefined();
    expect(find("parley.known_browser=x")).toBeUndefined();
    expect(find("")).toBeUndefined();
  });

  it("record the client's address as the HTTP front names it, never a forwarded one", async () => {
    const { send } = start();
    const headers = { [CLIENT_ADDRESS_HEADER]: "192.0.2.9", "x-forwarded-for": "198.51.100.1" };
    await send("POST /sign-in/email", ADA, headers);
    const [session] = await db.prisma.session.findMany({ select: { ipAddress: true } });
    expect(session?.ipAddress).toBe("192.0.2.9");
  });

  it("expose no other endpoint of the library", async () => {
    const { send } = start();
    expect((await send("POST /update-user", { role: "owner" })).status).toBe(404);
    expect((await send("GET /sign-in/email")).status).toBe(404);
  });

  it("reject a body that is not valid, and log no error", async () => {
    const { send, errors } = start();
    const response = await send("POST /sign-in/email", [] as object);
    expect(response.status).toBe(400);
    expect((await send("POST /sign-in/email", { email: 1, password: {} })).status).toBe(400);
    expect(errors).toEqual([]);
  });
});

describe("API keys", () => {
  it("work until they are revoked, then stop at once", async () => {
    const { authenticator, caches } = start();
    const userId = await createUser(db);
    const created = await createApiKey(db, { id: newId(), userId, name: "bot" });
    const request = createRequest({ authorization: `Bearer ${created?.key}` });

    expect((await authenticator.authenticate(request)).actor).toEqual({
      userId,
      role: "member",
      credential: {
        type: "api_key",
        id: created?.id,
        scopes: SCOPES_OF_SET.chat,
        only: null,
        expiresAt: null,
      },
    });
    expect(await listApiKeys(db, userId)).toEqual([
      expect.objectContaining({ name: "bot", prefix: created?.key.slice(0, 12) }),
    ]);

    expect(await revokeApiKey({ db, caches }, { id: created?.id ?? "", userId })).toBe(true);
    expect((await authenticator.authenticate(request)).actor).toBeUndefined();
    expect(await listApiKeys(db, userId)).toEqual([]);
  });

  it("cost one query for many requests", async () => {
    let queries = 0;
    const findUnique = (args: { where: { hash: string } }) => {
      queries += 1;
      return db.prisma.apiKey.findUnique(args);
    };
    const counted = replaceModels(db, { apiKey: { findUnique } });
    const { authenticator } = createAuthServices(
      counted,
      { secret: "s".repeat(32), publicUrl: null },
      () => undefined,
    );
    const userId = await createUser(db);
    const created = await createApiKey(db, { id: newId(), userId, name: "bot" });
    const request = createRequest({ authorization: `Bearer ${created?.key}` });

    await Promise.all(Array.from({ length: 20 }, () => authenticator.authenticate(request)));
    await authenticator.authenticate(request);

    expect(queries).toBe(1);
  });

  it("record when they were last used", async () => {
    const userId = await createUser(db);
    const created = await createApiKey(db, { id: newId(), userId, name: "bot" });
    await findKeyActor(db, { hash: hashKey(created?.key ?? "") });
    const [first] = await listApiKeys(db, userId);
    expect(first?.lastUsedAt).toBeInstanceOf(Date);
    await findKeyActor(db, { hash: hashKey(created?.key ?? "") });
    const [second] = await listApiKeys(db, userId);
    expect(second?.lastUsedAt).toEqual(first?.lastUsedAt);
  });

  it("can be revoked by their own user only", async () => {
    const { caches } = start();
    const [userId, other] = [await createUser(db), await createUser(db)];
    const created = await createApiKey(db, { id: newId(), userId, name: "bot" });
    expect(await revokeApiKey({ db, caches }, { id: created?.id ?? "", userId: other })).toBe(
      false,
    );
    expect(await revokeApiKey({ db, caches }, { id: "nonsense", userId })).toBe(false);
  });

  it("take precedence over the cookie", async () => {
    const { send, authenticator } = start();
    await db.query(DELETE_USERS, []);
    const cookie = getCookie(await send("POST /sign-up/email", ADA));
    const request = createRequest({ cookie, authorization: "Bearer unknown" });
    expect((await authenticator.authenticate(request)).actor).toBeUndefined();
  });

  it("limit attempts with invalid keys per network, and never a valid key", async () => {
    const { authenticator } = start();
    const userId = await createUser(db);
    const created = await createApiKey(db, { id: newId(), userId, name: "bot" });
    const use = (key: string, address = "2001:db8::1") =>
      authenticator.authenticate(
        createRequest({ authorization: `Bearer ${key}`, [CLIENT_ADDRESS_HEADER]: address }),
      );
    for (let index = 0; index < 30; index++) {
      expect((await use(`wrong-${index}`, `2001:db8::${index}`)).actor).toBeUndefined();
    }
    await expect(use("wrong-again")).rejects.toMatchObject({ code: "limit_exceeded" });
    expect((await use("wrong-again", "2001:db8:0:1::1")).actor).toBeUndefined();
    expect((await use(created?.key ?? "")).actor).toMatchObject({ userId });
  });

  it("stop when they expire, by the database's clock", async () => {
    const { authenticator } = start();
    const userId = await createUser(db);
    const now = (await readClock(db)).getTime();
    const use = async (expiresAt: Date) => {
      const created = await createApiKey(db, { id: newId(), userId, name: "bot", expiresAt });
      const authorization = `Bearer ${created?.key}`;
      return (await authenticator.authenticate(createRequest({ authorization }))).actor;
    };
    expect(await use(new Date(now + 60_000))).toMatchObject({ userId });
    expect(await use(new Date(now - 1))).toBeUndefined();
    expect(await listApiKeys(db, userId)).toHaveLength(1);
  });
});

describe("the API key of the settings", () => {
  const owner = { email: ADA.email, password: ADA.password };
  const [first, second] = ["1".repeat(32), "2".repeat(32)];
  const getScope = async (key: string) => {
    const actor = await findKeyActor(db, { hash: hashKey(key) });
    return actor?.credential.type === "api_key" ? actor.credential.scopes : undefined;
  };
  beforeEach(async () => {
    warnings.length = 0;
    await db.query(DELETE_USERS, []);
  });

  it("is an administrator's, and revokes the one before it", async () => {
    await bootstrap({ owner, apiKey: first });
    expect(await getScope(first)).toEqual(SCOPES_OF_SET.admin);
    await bootstrap({ owner, apiKey: second });
    expect([await getScope(first), await getScope(second)]).toEqual([
      undefined,
      SCOPES_OF_SET.admin,
    ]);
    await bootstrap({ owner, apiKey: null });
    expect(await getScope(second)).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it("leaves the keys that people made as they are", async () => {
    await bootstrap({ owner, apiKey: first });
    const holder = await db.prisma.user.findFirst();
    const userId = holder?.id ?? "";
    const created = await createApiKey(db, { id: newId(), userId, name: "from the environment" });
    await bootstrap({ owner, apiKey: second });
    expect(await getScope(created?.key ?? "")).toEqual(SCOPES_OF_SET.chat);
  });

  it("gets its scope when an earlier version had made it", async () => {
    await bootstrap({ owner, apiKey: null });
    const holder = await db.prisma.user.findFirst();
    const userId = holder?.id ?? "";
    await createApiKey(db, { id: newId(), userId, name: "x", key: first, fromEnvironment: true });
    expect(await getScope(first)).toEqual(SCOPES_OF_SET.chat);
    await bootstrap({ owner, apiKey: first });
    expect(await getScope(first)).toEqual(SCOPES_OF_SET.admin);
  });

  it("stays revoked once it was, and the start says so", async () => {
    await bootstrap({ owner, apiKey: first });
    await db.prisma.apiKey.updateMany({ data: { revokedAt: await readClock(db) } });
    await bootstrap({ owner, apiKey: first });
    expect(await getScope(first)).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining("PARLEY_API_KEY has been revoked")]);
  });
});
