import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../fixtures";
import { createTestServer } from "../server";
import { createTestDatabase, TEST_DATABASE_URL } from "../test-database";
import { waitUntil } from "../wait-until";
import { sendRaw } from "./raw-request";

const PAGES = ["/", "/login", "/api/v1/chats", "/api/trpc/chats.list", "/api/auth/ok", "/metrics"];

test.describe("a page of another site whose name resolves to the server", () => {
  for (const target of PAGES) {
    test(`reads nothing of ${target}`, async ({ server }) => {
      const headers = ["Host: evil.example", "Origin: http://evil.example"];
      const { status, head, body } = await sendRaw(server.url, { target, headers });
      expect(status).toBe(421);
      expect(head).toContain("application/problem+json");
      expect(JSON.parse(body)).toMatchObject({ status: 421, code: "forbidden" });
    });
  }

  test("does not keep probes from their answer", async ({ server }) => {
    const probe = { target: "/healthz", headers: ["Host: 10-0-0-1.pod"] };
    expect(await sendRaw(server.url, probe)).toMatchObject({ status: 200 });
    const old = { target: "/readyz", version: "1.0", headers: [] };
    expect(await sendRaw(server.url, old)).toMatchObject({ status: 200 });
  });
});

test.describe("a stranger's request", () => {
  const host = "Host: localhost";

  test("with a malformed target or method is refused as a problem", async ({ server }) => {
    const cases = [
      { target: "/%ff", status: 400 },
      { target: "/%", status: 400 },
      { target: "/api/v1/chats/%00", status: 400 },
      { method: "OPTIONS", target: "*", status: 400 },
      { target: "http://evil.example/", status: 400 },
      { target: "/nothing", headers: ["RSC: 1", "Next-Router-State-Tree: []"], status: 400 },
      { method: "TRACE", target: "/", status: 405 },
    ];
    for (const { status, headers = [], ...request } of cases) {
      const response = await sendRaw(server.url, { ...request, headers: [host, ...headers] });
      expect(response.status, JSON.stringify(request)).toBe(status);
      expect(JSON.parse(response.body)).toMatchObject({ status });
    }
  });

  test("for an unknown path of the API is answered with a problem", async ({ server }) => {
    for (const path of [
      "/api",
      "/api/nothing",
      "/api/v1",
      "/api/v2/chats",
      "/v1",
      "/v1/models",
      "/mcp",
    ]) {
      for (const method of ["GET", "POST", "DELETE"]) {
        const response = await fetch(server.url + path, { method });
        expect(response.status).toBe(404);
        expect(response.headers.get("content-type")).toBe("application/problem+json");
        expect(response.headers.get("cache-control")).toBe("no-store");
        expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      }
    }
  });

  test("cannot choose its address: metrics stay closed behind a proxy that is not named", async ({
    server,
  }) => {
    const read = async (...headers: string[]) =>
      (await sendRaw(server.url, { target: "/metrics", headers: [host, ...headers] })).status;
    expect(await read()).toBe(200);
    expect(await read("X-Parley-Client-Address: 203.0.113.9")).toBe(200);
    expect(await read("X-Forwarded-For: 203.0.113.9")).toBe(403);
    expect(await read("X-Forwarded-For: 127.0.0.1")).toBe(403);
  });
});

test("a page runs only the scripts of the server, and no other site can frame it", async ({
  server,
}) => {
  const policies = await Promise.all(
    [1, 2].map(async () => (await fetch(`${server.url}/login`)).headers),
  );
  const nonces = policies.map((headers) => {
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-dns-prefetch-control")).toBe("off");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    const [, scripts = ""] = /script-src ([^;]+)/.exec(policy) ?? [];
    expect(scripts).not.toContain("unsafe");
    return /'nonce-([^']+)'/.exec(scripts)?.[1];
  });
  expect(nonces[0]).toBeTruthy();
  expect(nonces[0]).not.toBe(nonces[1]);
});

test("an exposed server lets only the holder of its set-up link make the first account", async ({
  browser,
}) => {
  const server = await createTestServer({
    withOwner: false,
    settings: { PARLEY_ALLOWED_HOSTS: "chat.example.org" },
  });
  try {
    await server.start();
    const account = { name: "Eve", email: "eve@example.org", password: "eve's long password" };
    const signUp = (code?: string) =>
      fetch(`${server.url}/api/auth/sign-up/email`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: server.url },
        body: JSON.stringify({ ...account, setup_code: code }),
      });
    expect((await signUp()).status).toBe(403);
    expect((await signUp("guess")).status).toBe(403);

    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.url);
    await expect(page.getByText("open the link that the server printed")).toBeVisible();
    await expect(page.getByRole("textbox")).toHaveCount(0);

    const [link = ""] = /http:\S+\/setup\?code=\S+/.exec(server.output()) ?? [];
    await page.goto(link);
    await page.getByRole("textbox", { name: "Name" }).fill("Ada");
    await page.getByRole("textbox", { name: "Email" }).fill("ada@example.org");
    await page.getByLabel("Password", { exact: true }).fill("correct horse");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page).toHaveURL(`${server.url}/`);
    await context.close();
    expect((await signUp(new URL(link).searchParams.get("code") ?? "")).status).toBe(403);
  } finally {
    await server.remove();
  }
});

test("no other account of the machine can read the data", async () => {
  const database = await createTestDatabase(TEST_DATABASE_URL, "nothing");
  const server = await createTestServer({ database });
  const { dataDir } = server.database;
  // As an administrator may have made it before the first start.
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o777);
  try {
    await server.start();
    const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true });
    const directories = entries
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name));
    // The embedded database sets the modes of its files itself, so their directories count.
    const open = [dataDir, ...directories].filter((path) => statSync(path).mode & 0o077);
    expect(open).toEqual([]);
  } finally {
    await server.remove();
  }
});

test("a server that shuts down refuses new requests instead of beginning them", async () => {
  const server = await createTestServer();
  try {
    await server.start();
    const chat = await server.api.createChat({ content: "slow 30 words" });
    const stopping = server.remove();
    const response = await waitUntil("a refusal", 20_000, async () => {
      const answer = await fetch(`${server.url}/api/v1/chats/${chat.id}/stream`);
      await answer.body?.cancel();
      return answer.status === 503 ? answer : undefined;
    });
    expect(response.headers.get("retry-after")).toBe("1");
    expect(response.headers.get("connection")).toBe("close");
    await stopping;
  } finally {
    await server.remove();
  }
});
