import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { TestApi } from "./api-client";

/** Serves the REST API over HTTP on a free port of this machine. */
export const serveApi = async ({ api }: Pick<TestApi, "api">) => {
  const server = createServer((incoming, outgoing) => {
    respond(api, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const respond = async (
  api: TestApi["api"],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const { method = "", url = "", headers } = incoming;
  const closed = new AbortController();
  outgoing.once("close", () => {
    closed.abort();
  });
  const chunks = (await incoming.toArray()) as Buffer[];
  const response = await api.handleRest(
    new Request(`http://${headers.host}${url}`, {
      method,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value)]),
      ),
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      signal: closed.signal,
    }),
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
};
