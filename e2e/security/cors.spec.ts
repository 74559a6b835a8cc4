import type { Page } from "@playwright/test";
import type { Api } from "../api";
import { expect, test } from "../fixtures";
import { createTestServer, type TestServer } from "../server";
import { serveOtherSite } from "./serve-other-site";
import { createSession } from "./session";

/** What a page passes to `fetch`. */
type Init = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  credentials?: "include";
};
type Sent = { url: string; init: Init };
type Received = { status: number; text: string; location: string | null; requestId: string | null };

/** Sends a request from the page. @returns "blocked" for what the browser does not let the page read. */
const fetchIn = (page: Page, sent: Sent): Promise<Received | "blocked"> =>
  page.evaluate(
    ({ url, init }) =>
      fetch(url, init).then(
        async (response) => ({
          status: response.status,
          text: await response.text(),
          location: response.headers.get("location"),
          requestId: response.headers.get("x-request-id"),
        }),
        () => "blocked" as const,
      ),
    sent,
  );

/** Reads a stream in the page until it has a text. @returns "blocked" for what the browser refuses. */
const streamIn = (page: Page, sent: Sent & { until: string }): Promise<string> =>
  page.evaluate(
    ({ url, init, until }) =>
      fetch(url, init).then(
        async ({ body }) => {
          const reader = body?.getReader();
          const decoder = new TextDecoder();
          let text = "";
          while (reader && !text.includes(until)) {
            const { value, done } = await reader.read();
            if (done) break;
            text += decoder.decode(value, { stream: true });
          }
          await reader?.cancel();
          return text;
        },
        () => "blocked",
      ),
    sent,
  );

const createToken = async (api: Api, fields: object = {}): Promise<string> => {
  const { status, body } = await api.request("POST /tokens", {
    scopes: ["read", "chat"],
    ...fields,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as { token: string }).token;
};

const withToken = (token: string, init: Init = {}): Init => ({
  ...init,
  headers: {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    ...(init.method === "POST" && { "idempotency-key": crypto.randomUUID() }),
  },
});

test.describe("a page of another origin", () => {
  test.use({ storageState: { cookies: [], origins: [] } });
  let listed: Awaited<ReturnType<typeof serveOtherSite>>;
  let unlisted: Awaited<ReturnType<typeof serveOtherSite>>;
  let server: TestServer;

  test.beforeEach(async ({ context }) => {
    [listed, unlisted] = [await serveOtherSite(), await serveOtherSite()];
    server = await createTestServer({ settings: { PARLEY_CORS_ORIGINS: listed.url } });
    await server.start();
    // The visitor is signed in: the cookie goes with requests of all ports.
    const { cookies } = await createSession(server);
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: server.url })));
  });
  test.afterEach(async () => {
    await server.remove();
    listed.close();
    unlisted.close();
  });

  test("uses the API with a token if it is listed, and never with the session", async ({
    page,
  }) => {
    const { api } = server;
    const token = await createToken(api);
    const chats = `${server.url}/api/v1/chats`;
    await page.goto(listed.url);

    const created = await fetchIn(page, {
      url: chats,
      init: withToken(token, { method: "POST", body: '{"content":"write 30 words"}' }),
    });
    expect(created).toMatchObject({ status: 201, location: expect.stringContaining("/chats/") });
    expect(created).toMatchObject({ requestId: expect.stringMatching(/./) });
    const { id } = JSON.parse((created as Received).text) as { id: string };
    const streamed = await streamIn(page, {
      url: `${chats}/${id}/stream`,
      init: withToken(token),
      until: '"status":"waiting"',
    });
    expect(streamed).toContain("a model reads");
    // The page can say what was wrong.
    expect(await fetchIn(page, { url: chats, init: withToken("pt_unknown") })).toMatchObject({
      status: 401,
    });

    const other = await createToken(api, { origin: unlisted.url });
    expect(await fetchIn(page, { url: chats, init: withToken(other) })).toMatchObject({
      status: 403,
      text: expect.stringContaining(`for pages of ${unlisted.url} only`),
    });

    const withCookies = { credentials: "include" } as const;
    expect(await fetchIn(page, { url: chats, init: withCookies })).toBe("blocked");
    const both = { ...withToken(token), ...withCookies };
    expect(await fetchIn(page, { url: chats, init: both })).toBe("blocked");
    const trpc = `${server.url}/api/trpc/chats.list`;
    expect(await fetchIn(page, { url: trpc, init: withToken(token) })).toBe("blocked");
  });

  test("is refused by the browser if it is not listed, and changes nothing", async ({ page }) => {
    const { api } = server;
    const { id } = await api.createChat({ content: "private words" });
    const token = await createToken(api);
    const chats = `${server.url}/api/v1/chats`;
    await page.goto(unlisted.url);
    for (const url of [chats, `${chats}/${id}`, `${chats}/${id}/stream`]) {
      expect(await fetchIn(page, { url, init: withToken(token) }), url).toBe("blocked");
    }
    const body = '{"content":"forged"}';
    for (const url of [chats, `${chats}/${id}/messages`]) {
      const init = withToken(token, { method: "POST", body });
      expect(await fetchIn(page, { url, init }), url).toBe("blocked");
    }
    expect(JSON.stringify((await api.request("GET /chats")).body)).not.toContain("forged");
    expect(JSON.stringify(await api.history(id))).not.toContain("forged");
  });
});
