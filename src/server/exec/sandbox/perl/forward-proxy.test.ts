import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer, text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runPerl, startPerl } from "@/test/run-perl";
import forwardProxy from "./forward-proxy.pl?raw";

/** More than the kernel holds for both ends of a connection. */
const LONG = randomBytes(8 * 1024 * 1024);

let directory: string;
let proxy: Server;
let forwarder: ChildProcess;
let port: number;
let onConnection: (socket: Socket) => void;

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return address.port;
};

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "parley-forward-"));
  const file = path.join(directory, "proxy");
  proxy = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => undefined);
    onConnection(socket);
  }).listen(file);
  await once(proxy, "listening");
  port = await findFreePort();
  forwarder = startPerl({
    files: [forwardProxy],
    script: `pipe(my $reports, my $report); forward_proxy($report); syswrite STDOUT, "ready"; sleep;`,
    settings: { proxy: { path: file, port } },
  });
  if (!forwarder.stdout) throw new Error("the program has no output");
  await once(forwarder.stdout, "data");
});
afterEach(async () => {
  const { pid } = forwarder;
  if (pid === undefined) throw new Error("the program did not start");
  // The forwarder is a process beside that of the command, in the same group.
  process.kill(-pid, "SIGKILL");
  await once(forwarder, "close");
  proxy.close();
  await rm(directory, { recursive: true });
});

const open = (): Socket => connect({ host: "127.0.0.1", port, allowHalfOpen: true });

it("forwards what both sides send, as fast as they read it", async () => {
  onConnection = (socket) => socket.pipe(socket);
  const client = open();
  client.end(LONG);
  expect((await buffer(client)).equals(LONG)).toBe(true);
});

it("forwards an answer that begins when all has been sent", async () => {
  onConnection = (socket) => {
    text(socket).then(
      (request) => socket.end(`answer to ${request}`),
      () => undefined,
    );
  };
  const client = open();
  client.end("a request");
  expect(await text(client)).toBe("answer to a request");
});

it("keeps connections apart", async () => {
  onConnection = (socket) => socket.pipe(socket);
  const clients = Array.from({ length: 20 }, open);
  for (const [index, client] of clients.entries()) client.end(`text ${index}`);
  const answers = await Promise.all(clients.map((client) => text(client)));
  expect(answers).toEqual(clients.map((_, index) => `text ${index}`));
});

it("ends a connection that the proxy breaks, and serves the next", async () => {
  onConnection = (socket) => socket.destroy();
  const broken = open();
  broken.on("error", () => undefined);
  broken.write(LONG);
  await new Promise((resolve) => broken.on("close", resolve));
  onConnection = (socket) => socket.end("next");
  expect(await text(open())).toBe("next");
});

it("does nothing where a sandbox has no proxy", async () => {
  const { stdout, exitCode } = await runPerl({
    files: [forwardProxy],
    script: `forward_proxy(undef); print wait`,
    settings: { proxy: { path: path.join(directory, "none"), port } },
  });
  expect({ stdout, exitCode }).toEqual({ stdout: "-1", exitCode: 0 });
});
