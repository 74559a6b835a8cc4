import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";

type ProxyOptions = {
  /** Where it connects to, whatever it is asked for: it stands for a network with names of its own. */
  target: { host: string; port: number };
  /** What it answers to a tunnel, in place of one. */
  refusal?: string;
};

/** Starts a proxy of HTTP and of tunnels on a free port of this machine, which records what it is asked for. */
export const startHttpProxy = async ({ target, refusal }: ProxyOptions) => {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const record = (what: string, incoming: IncomingMessage): void => {
    asked.push(what);
    credentials.push(incoming.headers["proxy-authorization"]);
  };
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    record(`${incoming.method} ${incoming.url}`, incoming);
    const { pathname } = new URL(incoming.url ?? "");
    const { method, headers } = incoming;
    const outgoing = request({ ...target, method, headers, path: pathname }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  server.on("connect", (incoming: IncomingMessage, client: Socket) => {
    record(`CONNECT ${incoming.url}`, incoming);
    if (refusal !== undefined) return void client.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
    const upstream = net.connect(target, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    credentials,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
