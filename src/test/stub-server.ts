import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";

export type StubRequest = {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  text: string;
};

/** Where a local server listens; at any free port unless one is given. */
type StubAddress = { host?: string; port?: number };

/** Starts a local HTTP server that records requests and responds with `answer`. */
export const startStubServer = async (
  answer: (response: ServerResponse, request: StubRequest) => void,
  { host = "127.0.0.1", port: wantedPort = 0 }: StubAddress = {},
) => {
  const requests: StubRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      const request = { path: incoming.url ?? "", headers: incoming.headers, body, text };
      requests.push(request);
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(wantedPort, host, resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  const { port } = address;
  return {
    url: `http://${host}:${port}`,
    port,
    requests,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Sends server-sent events and leaves the response open. */
export const sendEvents = (response: ServerResponse, events: unknown[]): void => {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    const type = typeof event === "object" && event && "type" in event ? event.type : undefined;
    const name = typeof type === "string" ? `event: ${type}\n` : "";
    response.write(`${name}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
};
