import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "../fixtures";
import { isEmbedded } from "../test-database";
import { createSession } from "./session";
import { withServer } from "./with-server";

const run = promisify(execFile);

test("a planted cookie next to a valid session opens nothing by itself", async ({ server }) => {
  const victim = await createSession(server);
  for (const name of ["parley", "__Secure-parley", "__Host-parley"]) {
    const planted = `${name}.session_token=planted`;
    for (const both of [`${planted}; ${victim.cookie}`, `${victim.cookie}; ${planted}`]) {
      await fetch(`${server.url}/api/v1/chats`, { headers: { cookie: both } });
      await fetch(`${server.url}/api/trpc/chats.list`, { headers: { cookie: both } });
      await fetch(server.url, { headers: { cookie: both }, redirect: "manual" });
    }
    const headers = { cookie: planted, origin: server.url, "content-type": "application/json" };
    const attempts = [
      fetch(`${server.url}/api/v1/chats`, { headers }),
      fetch(`${server.url}/api/trpc/chats.list`, { headers }),
      fetch(`${server.url}/api/v1/api-keys`, { method: "POST", headers, body: '{"name":"x"}' }),
    ];
    for (const response of await Promise.all(attempts)) expect(response.status).toBe(401);
    const page = await fetch(server.url, { headers, redirect: "manual" });
    expect(page.headers.get("location")).toContain("/login");
  }
});

test("no answer of the sign-in endpoints holds a token", async ({ server }) => {
  const { cookie, body } = await createSession(server);
  const token = /session_token=([^.;]+)/.exec(cookie)?.[1] ?? "";
  expect(token).not.toBe("");
  expect(body).not.toContain(token);
  for (const path of ["get-session", "list-sessions"]) {
    const response = await fetch(`${server.url}/api/auth/${path}`, { headers: { cookie } });
    expect(response.status).toBe(404);
  }
  const sessions = await fetch(`${server.url}/api/v1/account/sessions`, { headers: { cookie } });
  expect(await sessions.text()).not.toContain(token);
});

test("passwords tried at once from forged addresses are few, and lock out no known browser", async () => {
  await withServer(async (server) => {
    const known = await createSession(server);
    const guess = (index: number) =>
      fetch(`${server.url}/api/auth/sign-in/email`, {
        method: "POST",
        headers: {
          origin: server.url,
          "content-type": "application/json",
          "x-forwarded-for": `198.51.100.${index}`,
          "x-parley-client-address": `198.51.100.${index}`,
        },
        body: JSON.stringify({ ...server.owner, password: `wrong password ${index}` }),
      });
    const responses = await Promise.all(Array.from({ length: 80 }, (_, index) => guess(index)));
    const statuses = responses.map(({ status }) => status);
    // Five are free; the growing delays let five more pass within a minute, which no machine needs for all.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
    for (const response of responses.filter(({ status }) => status === 429)) {
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    await expect(createSession(server, known.cookie)).resolves.toBeDefined();
  });
});

test("a page whose session is ended elsewhere goes to the sign-in", async ({ server, browser }) => {
  const other = await createSession(server);
  const headers = { cookie: other.cookie, origin: server.url };
  const listSessions = async (): Promise<string[]> => {
    const answer = await fetch(`${server.url}/api/v1/account/sessions`, { headers });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    return data.map(({ id }) => id);
  };
  const otherIds = await listSessions();
  const { cookies } = await createSession(server);
  const context = await browser.newContext({ baseURL: server.url });
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: server.url })));
  const page = await context.newPage();
  await page.goto("/");
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();

  for (const id of (await listSessions()).filter((session) => !otherIds.includes(session))) {
    await fetch(`${server.url}/api/v1/account/sessions/${id}`, { method: "DELETE", headers });
  }

  await expect(page).toHaveURL(/\/login$/);
  await context.close();
});

test("npm run owner:reset sets a new password and signs out all browsers", async () => {
  await withServer(async (server) => {
    const { cookie } = await createSession(server);
    const reset = (...parameters: string[]) =>
      run("npm", ["run", "--silent", "owner:reset", "--", ...parameters], { env: server.env });
    if (isEmbedded) {
      await expect(reset()).rejects.toThrow(/in use by process \d+\. Stop that process/);
      await server.kill();
    }
    const { stdout } = await reset();
    expect(stdout).toContain(server.owner.email);
    const password = /Password: (\S+)/.exec(stdout)?.[1] ?? "";
    if (isEmbedded) await server.start();

    const read = await fetch(`${server.url}/api/v1/chats`, { headers: { cookie } });
    expect(read.status).toBe(401);
    await expect(createSession(server)).rejects.toThrow("wrong");
    const owner = { ...server.owner, password };
    await expect(createSession({ ...server, owner }, cookie)).resolves.toBeDefined();
  });
});
