import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { listenOnLoopback } from "./server";

/** Parts that a document arrives in. */
const PARTS = 16;
/** Several frames of a page, which shows what it has of a document in each. */
const PART_INTERVAL_MS = 60;

/** Sends a document in parts, as a slow network does. */
const sendSlowly = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = [];
  for await (const chunk of from) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const size = Math.ceil(body.length / PARTS);
  for (let at = 0; at < body.length && !to.destroyed; at += size) {
    to.write(body.subarray(at, at + size));
    await pause(PART_INTERVAL_MS);
  }
  to.end();
};

/** Serves what a server serves, with documents that arrive in parts. @returns its URL. */
export const startSlowDocuments = async (target: string) => {
  const { host, origin } = new URL(target);
  const proxy = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      host,
      "accept-encoding": "identity",
      ...(incoming.headers.origin !== undefined && { origin }),
    };
    const url = new URL(incoming.url ?? "/", target);
    const passed = request(url, { method: incoming.method ?? "GET", headers }, (answer) => {
      const isDocument = answer.headers["content-type"]?.startsWith("text/html") === true;
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (isDocument) sendSlowly(answer, outgoing).catch(() => outgoing.destroy());
      else answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  const port = await listenOnLoopback(proxy);
  return {
    url: `http://127.0.0.1:${port}`,
    close: (): void => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
};
