import { chmod } from "node:fs/promises";
import {
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { getErrorMessage } from "@/lib/error-message";
import {
  checkDestination,
  type ConnectDeps,
  createGuardedConnect,
  FetchFailure,
} from "./guarded-fetch";
import { connectToProxy, findProxy, openProxyTunnel, toProxyHeaders } from "./outbound-proxy";

const GIGABYTE = 1024 ** 3;

/** What the clients of one proxy may use together. */
const LIMITS = {
  /** Connections at the same time; a package manager has some ten. */
  connections: 64,
  /** Sent and received. */
  bytes: GIGABYTE,
};

export type GuardedProxy = {
  /** Ends all connections. */
  close: () => Promise<void>;
};

type ProxyOptions = ConnectDeps & {
  /** The path at which it listens, in a directory that only its clients can enter. */
  socket: string;
  limits?: typeof LIMITS;
};

type Traffic = {
  /** Opens a connection to the host of a URL: a tunnel for https, where the network has a proxy. Rejects when there is none. */
  open: (url: URL) => Promise<Socket>;
  count: (chunk: Buffer) => void;
};

/**
 * Starts a proxy of HTTP and of tunnels, whose connections all go to addresses that the policy allows. Redirects are
 * left to the client, whose next request is checked as well.
 */
export const startGuardedProxy = async ({
  socket: path,
  limits = LIMITS,
  ...deps
}: ProxyOptions): Promise<GuardedProxy> => {
  const { keep, end, ...traffic } = createTraffic(deps, limits);
  const server = createServer((incoming, response) => {
    forward(incoming, response, traffic).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(...toHead(error)).end(toText(error));
    });
  });
  server.on("connection", keep);
  server.on("connect", (incoming, client: Socket, head: Buffer) => {
    openTunnel(incoming.url ?? "", { client, head, ...traffic }).catch((error: unknown) =>
      client.end(formatFailure(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  // Commands may have another account; the directory keeps others out.
  await chmod(path, 0o666);
  return {
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      end();
      await closed;
    },
  };
};

/** Keeps the connections of a proxy, and ends them at its limits. */
const createTraffic = (deps: ConnectDeps, limits: typeof LIMITS) => {
  const connect = createTcpConnect(deps);
  const sockets = new Set<Socket>();
  let bytes = 0;
  let opened = 0;
  let isEnded = false;
  const endAll = (): void => sockets.forEach((socket) => socket.destroy());
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  };
  return {
    keep,
    end: (): void => {
      isEnded = true;
      endAll();
    },
    count: (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limits.bytes) endAll();
    },
    open: async (url: URL): Promise<Socket> => {
      if (bytes > limits.bytes) throw new FetchFailure("The call has transferred all it may.");
      if (opened >= limits.connections)
        throw new FetchFailure("The call has too many connections.");
      opened += 1;
      try {
        const socket = await connect(url);
        keep(socket);
        socket.once("close", () => (opened -= 1));
        if (isEnded) socket.destroy();
        return socket;
      } catch (error) {
        opened -= 1;
        throw error;
      }
    },
  };
};

const createTcpConnect = (deps: ConnectDeps) => {
  const connect = createGuardedConnect(deps);
  return async (url: URL): Promise<Socket> => {
    const hostname = url.hostname.replace(/^\[|\]$/g, "");
    const isPlain = url.protocol === "http:";
    const port = Number(url.port) || (isPlain ? 80 : 443);
    const proxy = findProxy(url);
    if (proxy) {
      await checkDestination(deps, { hostname, port });
      return isPlain ? connectToProxy(proxy) : openProxyTunnel(proxy, { hostname, port });
    }
    return new Promise((resolve, reject) => {
      const options = { hostname, host: hostname, protocol: "http:", port: String(port) };
      connect(options, (...[error, socket]) => (error ? reject(error) : resolve(socket)));
    });
  };
};

/** Rejects when there is no connection. */
const openTunnel = async (
  authority: string,
  { client, head, open, count }: Traffic & { client: Socket; head: Buffer },
): Promise<void> => {
  const upstream = await open(parseAuthority(authority));
  client.once("close", () => upstream.destroy());
  upstream.once("close", () => client.destroySoon());
  if (client.destroyed) upstream.destroy();
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  upstream.write(head);
  for (const socket of [client, upstream]) socket.on("data", count);
  client.pipe(upstream).pipe(client);
};

/** @throws {FetchFailure} for what is no host with a port. */
const parseAuthority = (authority: string): URL => {
  const text = `https://${authority}/`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.host === "" || url?.username !== "" || url.pathname !== "/") {
    throw new FetchFailure("A tunnel needs a host and a port.");
  }
  return url;
};

/** Headers that are about one connection only. */
const OF_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const keepHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));

/** Sends a request on, and its response back. Rejects when there is no response, or only a part of it. */
const forward = async (
  incoming: IncomingMessage,
  response: ServerResponse,
  { open, count }: Traffic,
): Promise<void> => {
  const url = parseUrl(incoming.url ?? "");
  const upstream = await open(url);
  const proxy = findProxy(url);
  response.once("close", () => upstream.destroy());
  if (response.destroyed) upstream.destroy();
  const outgoing = request({
    createConnection: () => upstream,
    method: incoming.method,
    path: `${proxy ? url.origin : ""}${url.pathname}${url.search}`,
    headers: {
      ...keepHeaders(incoming.headers),
      ...(proxy && toProxyHeaders(proxy)),
      host: url.host,
      connection: "close",
    },
  });
  incoming.on("data", count).pipe(outgoing);
  const answer = await receiveResponse(outgoing);
  response.writeHead(answer.statusCode ?? BAD_GATEWAY, keepHeaders(answer.headers));
  answer.on("data", count);
  await pipeline(answer, response);
};

const receiveResponse = (outgoing: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.once("response", resolve);
    // Such as after an upgrade that was not requested.
    outgoing.once("close", () => reject(new Error("The server has sent no response.")));
  });

/** @throws {FetchFailure} for a request that names no URL, as one to a server does. */
const parseUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:")
    throw new FetchFailure("The proxy takes URLs of http, and tunnels.");
  return url;
};

const FORBIDDEN = 403;
const BAD_GATEWAY = 502;

const toHead = (error: unknown): [status: number, headers: Record<string, string>] => [
  error instanceof FetchFailure ? FORBIDDEN : BAD_GATEWAY,
  { "content-type": "text/plain; charset=utf-8", connection: "close" },
];

const toText = (error: unknown): string => `${getErrorMessage(error)}\n`;

const formatFailure = (error: unknown): string => {
  const [status, headers] = toHead(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${toReason(error)}\r\n${lines.join("")}\r\n${toText(error)}`;
};

/** Most clients show the reason of a tunnel that was refused, and not its body. */
const toReason = (error: unknown): string => getErrorMessage(error).replace(/[^\x20-\x7e]/g, " ");
