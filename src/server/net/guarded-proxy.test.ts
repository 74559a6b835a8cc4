import { mkdtemp, rm } from "node:fs/promises";
import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAddressPolicy } from "./address-policy";
import { type GuardedProxy, startGuardedProxy } from "./guarded-proxy";

let directory: string;
let proxy: GuardedProxy;
let upstreams: Socket[];
let answer: string;
const server = createServer((socket) => {
  upstreams.push(socket);
  socket.on("error", () => undefined);
  socket.once("data", () => socket.end(answer));
});

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "parley-proxy-"));
  [upstreams, answer] = [[], "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"];
  const policy = createAddressPolicy({ allow: ["127.0.0.1"], ownPort: 1, remedy: "" });
  proxy = await startGuardedProxy({ policy, socket: path.join(directory, "proxy") });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await proxy.close();
  await new Promise((resolve) => server.close(resolve));
  await rm(directory, { recursive: true });
});

const connect = (): Socket => createConnection(path.join(directory, "proxy"));

const send = async (request: string): Promise<string> => {
  const socket = connect();
  socket.write(request);
  return text(socket);
};

const origin = (): string => {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return `127.0.0.1:${address.port}`;
};
const get = (): Promise<string> =>
  send(`GET http://${origin()}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);

it.each([
  "CONNECT nonsense:x HTTP/1.1\r\nHost: a\r\n\r\n",
  "CONNECT :80 HTTP/1.1\r\nHost: a\r\n\r\n",
  "CONNECT a@127.0.0.1:80 HTTP/1.1\r\nHost: a\r\n\r\n",
  "CONNECT [::1]:80 HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "GET ftp://127.0.0.1/ HTTP/1.1\r\nHost: a\r\n\r\n",
])("refuses the request %j, and goes on", async (request) => {
  expect(await send(request)).toMatch(/^HTTP\/1\.1 403 /);
  expect(await get()).toMatch(/200 OK.*ok$/s);
});

it.each([
  "HTTP/1.1 099 Odd\r\n\r\n",
  "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
  "nonsense",
  "",
])("reports a server that answers %j, and goes on", async (odd) => {
  const good = answer;
  answer = odd;
  expect(await get()).toMatch(/^HTTP\/1\.1 502 /);
  answer = good;
  expect(await get()).toMatch(/200 OK.*ok$/s);
});

it("cuts a response that its server has cut", async () => {
  answer = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nok";
  await expect(get()).resolves.toMatch(/content-length: 5.*ok$/is);
});

it("ends its connections when it is closed, and when a client is gone", async () => {
  const clients = [connect(), connect()];
  for (const [index, client] of clients.entries()) {
    client.write(`CONNECT ${origin()} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    await once(client, "data");
    await expect.poll(() => upstreams.length).toBe(index + 1);
  }
  const [first, second] = upstreams;
  clients[0]?.destroy();
  await expect.poll(() => first?.destroyed).toBe(true);
  expect(second?.destroyed).toBe(false);
  await proxy.close();
  await expect.poll(() => second?.destroyed).toBe(true);
});
