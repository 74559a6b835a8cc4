import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test as base } from "@playwright/test";
import { MAX_HISTORY_BODY_BYTES, MAX_STREAMS_PER_CREDENTIAL } from "@/contract/limits";
import { Problem } from "@/contract/problem";
import { ORDER_TOOL } from "./chat-page";
import { HANG_MS, TEST_MS } from "./limits";
import { sendRaw } from "./security/raw-request";
import { createTestServer, type TestServer } from "./server";
import { waitUntil } from "./wait-until";

const MEGABYTE = new Uint8Array(1024 * 1024);
/** More failures than a network may have within five minutes. */
const WRONG_KEYS = 45;

const NEXT_PROGRAM = "node_modules/next/dist/bin/next";

/** The production build, served by Next's own program, before which no front of ours stands. */
const test = base.extend<object, { server: TestServer }>({
  server: [
    // eslint-disable-next-line no-empty-pattern -- Playwright derives the dependencies from this pattern
    async ({}, use) => {
      const server = await createTestServer();
      const { hostname, port } = new URL(server.url);
      const args = [NEXT_PROGRAM, "start", "--hostname", hostname, "--port", port];
      const child = spawn(process.execPath, args, { env: server.env, stdio: "inherit" });
      const exited = once(child, "exit");
      await waitUntil("Next is ready", HANG_MS, async () => {
        const { ok } = await fetch(`${server.url}/readyz`);
        return ok || undefined;
      });
      await use(server);
      child.kill("SIGKILL");
      await exited;
      await server.remove();
    },
    { scope: "worker", timeout: TEST_MS },
  ],
});

test("serves its document, which the answer to an unknown path names", async ({ server }) => {
  const unknown = await fetch(`${server.url}/api/v1`);
  expect(unknown.status).toBe(404);
  const [path] = /\/api\/v1\/\S+\w/.exec(Problem.parse(await unknown.json()).detail ?? "") ?? [];
  const { status, body } = await server.api.request("GET /openapi.json");
  expect(path).toBe("/api/v1/openapi.json");
  expect(status).toBe(200);
  expect(body).toMatchObject({ openapi: "3.1.0" });
});

test("a parked call is answered by REST, and a stream shows it", async ({ server: { api } }) => {
  const { id } = await api.createChat({
    content: 'use check_order with {"order":"A-17"}',
    dynamic_tools: [ORDER_TOOL],
  });
  const readEvents = async (): Promise<string[]> => {
    const types: string[] = [];
    for await (const event of api.stream(id, 0, AbortSignal.timeout(HANG_MS))) {
      types.push(event.type);
      if (event.type === "chat" && event.chat.status === "waiting") break;
    }
    return types;
  };
  const answerCall = async (): Promise<void> => {
    await api.waitForStatus(id, ["requires_action"]);
    const { messages } = await api.history(id);
    const calls = messages.flatMap(({ parts }) =>
      parts.filter((part) => part.type === "tool_call"),
    );
    const output = { shipped: true, days: 2, note: "left on Monday" };
    expect(calls).toHaveLength(1);
    await api.submit(
      id,
      calls.map(({ tool_call_id }) => ({ tool_call_id, output })),
    );
  };
  const [types] = await Promise.all([readEvents(), answerCall()]);
  expect(types).toContain("message");
  expect(await api.waitForStatus(id)).toMatchObject({ status: "waiting" });
});

test("a stream ends when its client is gone, and HEAD opens none", async ({ server }) => {
  const { id } = await server.api.createChat({ content: "hello" });
  const open = (signal?: AbortSignal, method = "GET"): Promise<Response> =>
    fetch(`${server.url}/api/v1/chats/${id}/stream`, {
      method,
      headers: { authorization: `Bearer ${server.apiKey}` },
      ...(signal && { signal }),
    });
  const gone = new AbortController();
  for (let count = 0; count < MAX_STREAMS_PER_CREDENTIAL; count += 1) {
    expect((await open(undefined, "HEAD")).status).toBe(200);
  }
  // They are kept, as the body of a response that was collected as garbage ends.
  const streams: Response[] = [];
  for (let count = 0; count < MAX_STREAMS_PER_CREDENTIAL; count += 1) {
    streams.push(await open(gone.signal));
  }
  expect((await open()).status).toBe(429);
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  gone.abort();
  const response = await waitUntil("the streams have ended", HANG_MS, async () => {
    const opened = await open();
    return opened.ok ? opened : undefined;
  });
  await response.body?.cancel();
});

test("a foreign host is refused, as before all handlers of our own server", async ({ server }) => {
  const target = "/api/v1/chats";
  const authorization = `Authorization: Bearer ${server.apiKey}`;
  const send = (host: string) =>
    sendRaw(server.url, { target, headers: [`Host: ${host}`, authorization] });
  expect(await send("localhost")).toMatchObject({ status: 200 });
  const { status, body } = await send("evil.example");
  expect(status).toBe(421);
  expect(body).toContain("PARLEY_ALLOWED_HOSTS");
});

test("a client cannot name its own address", async ({ server }) => {
  const metrics = (headers: Record<string, string>) =>
    fetch(`${server.url}/metrics`, { headers }).then(({ status }) => status);
  expect(await metrics({})).toBe(200);
  expect(await metrics({ "x-forwarded-for": "127.0.0.1" })).toBe(403);
  expect(
    await metrics({ "x-forwarded-for": "192.0.2.1", "x-parley-client-address": "127.0.0.1" }),
  ).toBe(403);

  const statuses: number[] = [];
  for (let count = 0; count < WRONG_KEYS; count += 1) {
    const address = `192.0.2.${count}`;
    const { status } = await fetch(`${server.url}/api/v1/chats`, {
      headers: {
        authorization: "Bearer wrong",
        "x-forwarded-for": address,
        "x-parley-client-address": address,
      },
    });
    statuses.push(status);
  }
  expect(statuses[0]).toBe(401);
  expect(statuses.at(-1)).toBe(429);
});

test("a body of 100 MB is refused before it is read", async ({ server }) => {
  let sentMegabytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sentMegabytes += 1;
      controller.enqueue(MEGABYTE);
      if (sentMegabytes === 100) controller.close();
    },
  });
  const send = (given: BodyInit) =>
    fetch(`${server.url}/api/v1/chats`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${server.apiKey}`,
        "content-type": "application/json",
      },
      body: given,
      // Needed for a stream; the types do not have it.
      duplex: "half",
    } as RequestInit);

  const streamed = await send(body);
  expect(streamed.status).toBe(413);
  expect(Problem.parse(await streamed.json()).detail).toContain(String(MAX_HISTORY_BODY_BYTES));
  // What the buffers of the connection hold comes on top of the limit.
  expect(sentMegabytes).toBeLessThan(20);
  expect((await send(new Uint8Array(100 * MEGABYTE.length))).status).toBe(413);
  expect(await server.api.request("GET /chats")).toMatchObject({ status: 200 });
});
