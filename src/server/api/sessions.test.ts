import { beforeAll, describe, expect, it } from "vitest";
import type { AccountSession } from "@/contract/account";
import type { Problem } from "@/contract/problem";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, ORIGIN, type TestApi } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import {
  createAccount,
  createCookieClient,
  PASSWORD,
  postAuth,
  signIn,
  toCookieHeader,
} from "@/test/session-client";

let db: Database;
let test: TestApi;
beforeAll(async () => {
  db = await testDatabase();
  test = createTestApi(db);
});

const NEW_PASSWORD = "another horse battery";

const listSessions = async (client: {
  rest: (route: string) => Promise<Response>;
}): Promise<AccountSession[]> => {
  const response = await client.rest("GET /account/sessions");
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: AccountSession[] }).data;
};

const readProblem = async (response: Response): Promise<Problem> =>
  (await response.json()) as Problem;

describe("a second cookie next to a valid session", () => {
  const PLANTED = [
    "parley.session_token=planted",
    "__Secure-parley.session_token=planted",
    "__Host-parley.session_token=planted",
  ];
  const places = PLANTED.flatMap((planted) => [
    { planted, join: (valid: string) => `${planted}; ${valid}`, place: "before it" },
    { planted, join: (valid: string) => `${valid}; ${planted}`, place: "behind it" },
  ]);

  it.each(places)("opens nothing by itself: $planted $place", async ({ planted, join }) => {
    const account = await createAccount(db);
    const { cookie } = await signIn(test, account);
    const both = createCookieClient(test, join(cookie));
    await both.rest("GET /chats");
    await both.trpc("chats.list");
    await both.rest("POST /api-keys", { name: "mine" });

    const alone = createCookieClient(test, planted);
    expect((await alone.rest("GET /chats")).status).toBe(401);
    expect((await alone.trpc("chats.list")).status).toBe(401);
    expect((await alone.rest("POST /api-keys", { name: "stolen" })).status).toBe(401);
    const found = await test.auth.authenticator.findSession(new Headers({ cookie: planted }), {
      canExtend: false,
    });
    expect(found.session).toBeUndefined();
  });

  it("is no session with the token of another one under an old name", async () => {
    const { cookie } = await signIn(test, await createAccount(db));
    const renamed = cookie.replaceAll("parley.session_token", "__Secure-parley.session_token");
    expect((await createCookieClient(test, renamed).rest("GET /chats")).status).toBe(401);
  });
});

describe("/api/auth", () => {
  it("answers a sign-in with the user and no token", async () => {
    const account = await createAccount(db);
    const { response, cookie } = await signIn(test, account);
    const body = await response.text();

    expect(JSON.parse(body)).toEqual({
      user: { id: account.userId, name: "Test user", email: account.email, role: "member" },
    });
    for (const pair of cookie.split("; ")) {
      const token = decodeURIComponent(pair.split("=")[1] ?? "").split(".")[0] ?? "";
      expect(token).not.toBe("");
      expect(body).not.toContain(token);
    }
  });

  it.each([
    ["sign-in", () => postAuth(test, "/sign-in/email", { body: { email: "x", password: "y" } })],
    ["sign-out", () => postAuth(test, "/sign-out")],
    ["unknown", () => postAuth(test, "/unknown")],
  ])("is not cached and not sniffed: %s", async (_name, send) => {
    const { headers } = await send();
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each([
    "/get-session",
    "/list-sessions",
    "/change-password",
    "/revoke-session",
    "/revoke-sessions",
    "/revoke-other-sessions",
    "/update-user",
  ])("has no %s", async (path) => {
    const { cookie } = await signIn(test, await createAccount(db));
    const posted = await postAuth(test, path, { cookie, body: { token: "x" } });
    expect(posted.status).toBe(404);
    const read = await test.api.handleAuth(
      new Request(`${ORIGIN}/api/auth${path}`, { headers: { cookie } }),
    );
    expect(read.status).toBe(404);
    expect((await readProblem(read)).code).toBe("not_found");
  });

  it("refuses a wrong password with a problem document", async () => {
    const { email } = await createAccount(db);
    const response = await postAuth(test, "/sign-in/email", {
      body: { email, password: "wrong password" },
    });
    expect(response.status).toBe(401);
    expect(await readProblem(response)).toMatchObject({
      code: "unauthorized",
      detail: "The email address or the password is wrong.",
    });
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

describe("the sessions of an account", () => {
  it("are listed without their tokens, the current one marked", async () => {
    const account = await createAccount(db);
    const first = await signIn(test, account);
    const second = await signIn(test, account);

    const sessions = await listSessions(second);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    const fields = Object.keys(sessions[0] ?? {}).toSorted();
    expect(fields).toEqual(["created_at", "current", "id", "last_used_at", "user_agent"]);
    const [ofFirst] = (await listSessions(first)).filter(({ current }) => current);
    expect(ofFirst?.id).not.toBe(sessions.find(({ current }) => current)?.id);
  });

  it("do not include one that has expired by the database's clock", async () => {
    const account = await createAccount(db);
    const client = await signIn(test, account);
    await signIn(test, account);
    const [other] = (await listSessions(client)).filter(({ current }) => !current);
    await db.prisma.session.updateMany({
      where: { id: other?.id ?? "" },
      data: { expiresAt: new Date(Date.now() - 60_000) },
    });
    expect(await listSessions(client)).toHaveLength(1);
  });

  it("can be ended one by one, and stop at once", async () => {
    const account = await createAccount(db);
    const [kept, ended] = [await signIn(test, account), await signIn(test, account)];
    expect((await ended.rest("GET /chats")).status).toBe(200);
    const [other] = (await listSessions(kept)).filter(({ current }) => !current);

    expect((await kept.rest(`DELETE /account/sessions/${other?.id}`)).status).toBe(204);

    expect((await ended.rest("GET /chats")).status).toBe(401);
    expect((await kept.rest("GET /chats")).status).toBe(200);
    expect((await kept.rest(`DELETE /account/sessions/${other?.id}`)).status).toBe(404);
  });
});

describe("a change of the password", () => {
  const change = (
    client: { rest: (route: string, body: object) => Promise<Response> },
    fields: object = {},
  ) =>
    client.rest("POST /account/password", {
      current_password: PASSWORD,
      new_password: NEW_PASSWORD,
      ...fields,
    });

  it("keeps the current session, ends all others, and replaces the password", async () => {
    const account = await createAccount(db);
    const [current, other] = [await signIn(test, account), await signIn(test, account)];
    expect((await other.rest("GET /chats")).status).toBe(200);

    expect((await change(current)).status).toBe(204);

    expect((await current.rest("GET /chats")).status).toBe(200);
    expect((await other.rest("GET /chats")).status).toBe(401);
    await expect(signIn(test, account)).rejects.toThrow("wrong");
    await expect(signIn(test, account, NEW_PASSWORD)).resolves.toBeDefined();
  });

  it("is refused with a wrong current password, field by field, and then with a delay", async () => {
    const account = await createAccount(db);
    const client = await signIn(test, account);
    for (let failures = 1; failures <= 5; failures++) {
      const response = await change(client, { current_password: "wrong password" });
      expect(response.status).toBe(400);
      expect((await readProblem(response)).errors).toEqual([
        { pointer: "/current_password", message: "is not your current password" },
      ]);
    }
    const limited = await change(client);
    expect(limited.status).toBe(429);
    expect(limited.headers.get("retry-after")).toBe("1");
    // Other browsers of the same person are not locked out.
    expect((await change(await signIn(test, account))).status).toBe(204);
  });

  it("requires a valid new password, and changes nothing otherwise", async () => {
    const account = await createAccount(db);
    const client = await signIn(test, account);
    const response = await change(client, { new_password: "short" });
    expect(response.status).toBe(400);
    expect((await readProblem(response)).errors?.map(({ pointer }) => pointer)).toEqual([
      "/new_password",
    ]);
    await expect(signIn(test, account)).resolves.toBeDefined();
  });

  it("succeeds once if two are made at the same time", async () => {
    const account = await createAccount(db);
    const client = await signIn(test, account);
    const responses = await Promise.all([
      change(client, { new_password: "one horse battery" }),
      change(client, { new_password: "two horse battery" }),
    ]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });

  it("is refused for API keys of any scope, and leaves no trace of the passwords", async () => {
    const key = await createClient(db, test, { role: "owner", scope: "admin" });
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    const { status, problem } = await key.fail("POST /account/password", body, {
      "idempotency-key": "once",
    });
    expect([status, problem.detail]).toEqual([
      403,
      "This needs a signed-in browser: an API key cannot do it.",
    ]);
    const client = await signIn(test, await createAccount(db));
    const stored = await test.api.handleRest(
      new Request(`${ORIGIN}/api/v1/account/password`, {
        method: "POST",
        headers: {
          cookie: client.cookie,
          host: new URL(ORIGIN).host,
          origin: ORIGIN,
          "content-type": "application/json",
          "idempotency-key": "once",
        },
        body: JSON.stringify(body),
      }),
    );
    expect(stored.status).toBe(204);
    const route = "POST /account/password";
    expect(await db.prisma.idempotencyKey.count({ where: { route } })).toBe(0);
  });
});

it("a sign-out deletes the session's cookie and ends the session", async () => {
  const client = await signIn(test, await createAccount(db));
  expect((await client.rest("GET /chats")).status).toBe(200);
  const response = await postAuth(test, "/sign-out", { cookie: client.cookie });
  expect(response.status).toBe(200);
  expect(toCookieHeader(response)).toContain("parley.session_token=;");
  expect((await client.rest("GET /chats")).status).toBe(401);
});
