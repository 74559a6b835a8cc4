import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Problem } from "@/contract/problem";
import { createLogger } from "@/server/log";
import { appMetrics } from "@/server/metrics/app-metrics";
import { REQUEST_RECORD_HEADER } from "@/server/request-record";
import { createApiFixture } from "@/test/api-client";
import { createAccessLog } from "./access-log";
import { createHttpFront } from "./http-front";
import { serveRest } from "./serve-rest";

const { api, client } = await createApiFixture();

type Line = Record<string, unknown>;
let lines: Line[] = [];
let output = "";
let url = "";
let close: () => void;

beforeAll(async () => {
  const log = createLogger("debug", {
    write: (line) => {
      output += line;
      lines.push(JSON.parse(line) as Line);
    },
  });
  const { findRoutePattern } = api.api;
  const front = createHttpFront({
    settings: { publicUrl: null, allowedHosts: [], corsOrigins: [], trustedProxies: [] },
    observe: createAccessLog({ log, record: appMetrics().record, findRoutePattern }),
    isDraining: () => false,
    isDatabaseReachable: () => true,
    isDatabaseDamaged: () => false,
    handle: (request, response) => {
      if (request.url?.startsWith("/api/v1/")) {
        serveRest(api.api.handleRest, request, response).catch(() => response.destroy());
      } else if (request.url !== "/chats/never") response.end("a page");
    },
  });
  const server = createServer(front.handleRequest);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => void server.close();
});
afterAll(() => close());
beforeEach(() => {
  lines = [];
  output = "";
});

/** Waits for the line of the only request. */
const readLine = async (): Promise<Line> => {
  await expect.poll(() => lines).toHaveLength(1);
  return lines[0] ?? {};
};

const send = (path: string, init: RequestInit = {}) =>
  fetch(`${url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${client.key}`,
      "content-type": "application/json",
      ...(init.headers as object),
    },
  });

/** Sends bytes as no client would. */
const sendRaw = async (head: string): Promise<string> => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  await once(socket, "close");
  return text;
};

it("logs the pattern of the path, the key and the id of the request, and nothing that it carries", async () => {
  const chatId = await client.startChat({ content: "a private text" });
  const response = await send(`/api/v1/chats/${chatId}/messages?limit=123`, {
    headers: { "x-request-id": "mine-1" },
  });
  expect(response.status).toBe(200);
  await response.text();
  expect(await readLine()).toEqual({
    level: "info",
    time: expect.any(String) as string,
    method: "GET",
    route: "/api/v1/chats/{chat_id}/messages",
    status: 200,
    ms: expect.any(Number) as number,
    requestId: "mine-1",
    keyId: client.keyId,
    msg: "request",
  });
  expect(output).not.toMatch(/private|limit/);
  expect(output).not.toContain(client.key);
  expect(output).not.toContain(chatId);
});

it.each([
  { path: "/api/v1/chats/nothing", status: 404, route: "/api/v1/chats/{chat_id}" },
  { path: "/api/v1/nothing/at/all", status: 404, route: "/api/v1/*" },
  { path: "/api/v1/watch?after=x", status: 400, route: "/api/v1/watch" },
  { path: "/api/v1/watch", method: "POST", status: 405, route: "/api/v1/watch" },
  { path: "/api/v1/chats", method: "POST", body: "{", status: 400, route: "/api/v1/chats" },
  {
    path: "/api/v1/chats",
    method: "POST",
    body: "x".repeat(9 * 1024 * 1024),
    status: 413,
    route: "/api/v1/chats",
  },
])("finds the request id of a refusal: $method $path, $status", async ({ path, ...expected }) => {
  const { status, route, ...init } = expected;
  const response = await send(path, init);
  expect(response.status).toBe(status);
  const { request_id: requestId } = (await response.json()) as Problem;
  expect(await readLine()).toMatchObject({ status, route, requestId, level: "info" });
});

it("logs a wrong key without it, and without the id of another", async () => {
  const response = await fetch(`${url}/api/v1/chats`, {
    headers: { authorization: "Bearer guessed", [REQUEST_RECORD_HEADER]: "1" },
  });
  expect(response.status).toBe(401);
  const line = await readLine();
  expect(line).toMatchObject({ status: 401, route: "/api/v1/chats" });
  expect(line).not.toHaveProperty("keyId");
  expect(output).not.toContain("guessed");
});

it("logs what the front refuses: a host that is none, a method, a path", async () => {
  for (const [head, status] of [
    ["GET /chats HTTP/1.1\r\nHost: evil.example", 421],
    ["TRACE / HTTP/1.1\r\nHost: localhost", 405],
    ["GET /%ff?a=1 HTTP/1.1\r\nHost: localhost", 400],
  ] as const) {
    lines = [];
    const answer = await sendRaw(head);
    const requestId = /x-request-id: (.*)\r/i.exec(answer)?.[1];
    expect(requestId).toMatch(/./);
    expect(await readLine()).toMatchObject({ status, requestId });
  }
});

it("stays one line, and short, whatever the client sends", async () => {
  const id = "x".repeat(8_000);
  await sendRaw(
    `GET /api/v1/${"a%0Ab".repeat(500)}?a=1 HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${id}\r\nUser-Agent: "\t\\u000a`,
  );
  expect(await readLine()).toMatchObject({ status: 400 });
  expect(output.trimEnd()).not.toContain("\n");
  expect(output.length).toBeLessThan(300);
});

it("logs a stream at its end, and a client that is gone before its answer", async () => {
  const controller = new AbortController();
  const stream = await send("/api/v1/watch", { signal: controller.signal });
  expect(stream.status).toBe(200);
  expect(lines).toEqual([]);
  controller.abort();
  expect(await readLine()).toMatchObject({ route: "/api/v1/watch", status: 200, aborted: true });
  lines = [];
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("GET /chats/never HTTP/1.1\r\nHost: localhost\r\n\r\n", () => socket.destroy());
  expect(await readLine()).toMatchObject({ route: "/chats/*", status: 499, aborted: true });
});

it("logs probes and files of pages at the level debug, unless they fail", async () => {
  for (const path of ["/healthz", "/_next/static/a.js"]) {
    lines = [];
    await (await send(path)).text();
    expect(await readLine()).toMatchObject({ level: "debug", status: 200 });
  }
});

it("counts requests by patterns, of which clients make no new ones", async () => {
  for (const path of ["/api/v1/x1", "/api/v1/x2", "/nowhere/1", "/nowhere-2", "/chats/1"]) {
    await (await send(path)).text();
  }
  await sendRaw("PROPFIND /api/v1/x3 HTTP/1.1\r\nHost: localhost");
  await expect.poll(() => lines).toHaveLength(6);
  const text = await appMetrics().register.getSingleMetricAsString("parley_http_requests_total");
  expect(text).toContain('method="GET",route="/api/v1/*",status="404"');
  expect(text).toContain('method="other",route="/api/v1/*",status="405"');
  expect(text).not.toMatch(/nowhere|x1|PROPFIND/);
});

it("counts conflicts by the reason of their problem", async () => {
  const chatId = await client.startChat();
  const results = [{ tool_call_id: "none", output: "late" }];
  const { problem } = await client.fail(`POST /chats/${chatId}/tool-results`, { results });
  expect(problem.code).toBe("conflict");
  const text = await appMetrics().register.getSingleMetricAsString("parley_conflicts_total");
  expect(text).toContain(`{reason="${problem.reason ?? "other"}"} `);
});
