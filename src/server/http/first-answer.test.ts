import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { createFirstAnswer } from "./first-answer";

/** Starts a server that answers a request of `/<status>` or `/<name>/<status>` with that status. */
const startServer = async (watch: ReturnType<typeof createFirstAnswer>["watch"]) => {
  const server = createServer((request, response) => {
    const target = request.url ?? "";
    watch(target, response);
    response.writeHead(Number(target.slice(-3))).end();
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return async (path: string): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { connection: "close" },
    });
    await response.text();
  };
};

it("a server is ready when it has answered its first request", async () => {
  const markReady = vi.fn();
  const { watch } = createFirstAnswer({ isReady: () => false, markReady });
  const request = await startServer(watch);
  await request("/readyz/503");
  await request("/healthz/200");
  expect(markReady).not.toHaveBeenCalled();
  await request("/readyz/200");
  expect(markReady).toHaveBeenCalledOnce();
});

it("a page that asks for the sign-in is an answer", async () => {
  const markReady = vi.fn();
  const { watch } = createFirstAnswer({ isReady: () => false, markReady });
  await (
    await startServer(watch)
  )("/chats/401");
  expect(markReady).toHaveBeenCalledOnce();
});

it("no request is watched any more when the server is ready", async () => {
  const markReady = vi.fn();
  const { watch } = createFirstAnswer({ isReady: () => true, markReady });
  await (
    await startServer(watch)
  )("/readyz/200");
  expect(markReady).not.toHaveBeenCalled();
});

it("a server that nobody asks is ready after a while", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const markReady = vi.fn();
  createFirstAnswer({ isReady: () => false, markReady }).limit();
  vi.advanceTimersByTime(9_999);
  expect(markReady).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(markReady).toHaveBeenCalledOnce();
});
