import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { Goodbye } from "@/contract/stream-event";
import { openConnection } from "./stream-connection";

// Node has none.
beforeEach(() => void vi.stubGlobal("reportError", vi.fn()));
afterEach(() => {
  expect(reportError).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Serves streams that end after these events. */
const serveStreams = async (events: readonly { type: string }[]) => {
  const requests: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    response.setHeader("content-type", "text/event-stream");
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
};

it("connects again after the time of a goodbye, which is no event for its listeners", async () => {
  const goodbye: Goodbye = { type: "goodbye", reason: "restart", retry_after_ms: 0 };
  const { url, requests } = await serveStreams([{ type: "change" }, goodbye]);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const received: { type: string }[] = [];
  const connection = openConnection<{ type: string }>({
    getUrl: () => url,
    onEvents: (events) => received.push(...events),
    onState: () => undefined,
  });
  onTestFinished(connection.close);
  // Without the goodbye, the next try would be after a second.
  while (requests.length < 3) {
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(0);
  }
  expect(new Set(received.map(({ type }) => type))).toEqual(new Set(["change"]));
});
