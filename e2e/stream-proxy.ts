import { createServer, request } from "node:http";
import { listenOnLoopback } from "./server";

/** Passes requests on to a server and knows the streams of server-sent events that are open. */
export type StreamProxy = {
  port: number;
  /** All streams that were opened, in order, and whether each still is. */
  streams: { url: URL; isOpen: boolean }[];
  close: () => void;
};

/** Requests of a shared worker belong to no page, so that a test can see them on their way only. */
export const openStreamProxy = async (serverUrl: string): Promise<StreamProxy> => {
  const streams: StreamProxy["streams"] = [];
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url: path = "/" } = incoming;
    const url = new URL(path, serverUrl);
    const passed = request(url, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      outgoing.flushHeaders();
      response.pipe(outgoing);
      if (!response.headers["content-type"]?.startsWith("text/event-stream")) return;
      const stream = { url, isOpen: true };
      streams.push(stream);
      outgoing.on("close", () => (stream.isOpen = false));
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  const port = await listenOnLoopback(proxy);
  return {
    port,
    streams,
    close: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
};
