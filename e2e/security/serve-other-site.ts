import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Serves an empty page on another port: cookies ignore ports, so the session goes with its requests. */
export const serveOtherSite = async (): Promise<{ url: string; close: () => void }> => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<title>other site</title>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
};
