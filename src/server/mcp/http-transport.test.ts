import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createHttpTransport } from "./http-transport";
import { TOO_LONG } from "./server-transport";

it("ends a stream of which one event is too long, in lines that are not", async () => {
  const line = `data: ${"x".repeat(1024 * 1024)}\n`;
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let lines = 0; lines < 25; lines++) response.write(line);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { transport, findProblem } = createHttpTransport({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    headers: {},
    allowPrivate: true,
    ownPort: 1,
  });
  onTestFinished(() => transport.close());
  await transport.start();
  await transport.send({ jsonrpc: "2.0", id: 1, method: "ping" });
  await expect.poll(findProblem).toBe(TOO_LONG);
});

it("ends the session of a server when it is closed", async () => {
  const requests: [method: string | undefined, session: unknown][] = [];
  const server = createServer((request, response) => {
    requests.push([request.method, request.headers["mcp-session-id"]]);
    request.resume();
    if (request.method !== "POST") return response.writeHead(405).end();
    const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: {} };
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "one" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { transport } = createHttpTransport({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    headers: {},
    allowPrivate: true,
    ownPort: 1,
  });
  await transport.start();
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  await transport.send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  await transport.close();
  await transport.close();
  expect(requests).toEqual([
    ["POST", undefined],
    ["DELETE", "one"],
  ]);
});
