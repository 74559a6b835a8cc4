import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { Agent as HttpsAgent, request as requestSecurely } from "node:https";
import { BlockList, connect, isIP, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { type Dispatcher, ProxyAgent } from "undici";
import { isLoopback } from "@/lib/is-loopback";
import { proxyVariables } from "@/server/env";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Finds the proxy of the network for a URL, by the variables that most programs read. This machine is never reached by a
 * proxy, as that would find itself there.
 *
 * @throws {Error} a sentence, for a variable that is no address of a proxy.
 */
export const findProxy = (url: URL, variables: Variables = proxyVariables()): URL | undefined => {
  const name = url.protocol === "https:" ? "https_proxy" : "http_proxy";
  const value = readVariable(name, variables);
  if (value === undefined) return undefined;
  const hostname = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isOfThisMachine(hostname)) return undefined;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const direct = (readVariable("no_proxy", variables) ?? "").split(/[\s,]+/);
  if (direct.some((entry) => entry !== "" && matchesEntry(entry.toLowerCase(), { hostname, port })))
    return undefined;
  return parseProxy(name.toUpperCase(), value);
};

/** Checks the variables, so that a mistake is found at the start. @throws {Error} a sentence. */
export const checkProxyVariables = (variables: Variables = proxyVariables()): void => {
  for (const protocol of ["http", "https"])
    findProxy(new URL(`${protocol}://example.org`), variables);
};

/** The variables themselves, for programs that have the network of the server. */
export const listProxyVariables = (
  variables: Variables = proxyVariables(),
): Record<string, string> => {
  const names = ["http_proxy", "https_proxy", "no_proxy"].flatMap((name) => {
    const value = readVariable(name, variables);
    return value === undefined
      ? []
      : [[name, value] as const, [name.toUpperCase(), value] as const];
  });
  return names.length === 0 ? {} : { ...Object.fromEntries(names), NODE_USE_ENV_PROXY: "1" };
};

/** Where both spellings are set, programs take the one in small letters. */
const readVariable = (name: string, variables: Variables): string | undefined =>
  [variables[name], variables[name.toUpperCase()]].map((value) => value?.trim()).find(Boolean);

const isOfThisMachine = (hostname: string): boolean =>
  hostname === "localhost" || hostname.endsWith(".localhost") || isLoopback(hostname);

/** An entry is `*`, a name with those below it, an address, or a network; a name or an address may have a port. */
const matchesEntry = (
  entry: string,
  { hostname, port }: { hostname: string; port: string },
): boolean => {
  if (entry === "*") return true;
  if (isIP(hostname)) return matchesAddress(entry, hostname, port);
  const [, name = "", onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const suffix = name.replace(/^\*?\./, "").replace(/\.$/, "");
  return suffix !== "" && (hostname === suffix || hostname.endsWith(`.${suffix}`));
};

const matchesAddress = (entry: string, address: string, port: string): boolean => {
  const [, inBrackets, bare, onlyPort = port] =
    /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const list = toNetwork(inBrackets ?? bare ?? entry);
  return onlyPort === port && list?.check(address, toFamily(address)) === true;
};

const toFamily = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** @returns undefined for what is no address and no network. */
const toNetwork = (entry: string): BlockList | undefined => {
  const [address = "", prefix] = entry.split("/");
  if (isIP(address) === 0) return undefined;
  const family = toFamily(address);
  const longest = family === "ipv4" ? 32 : 128;
  const bits = prefix === undefined ? longest : Number(prefix);
  if (!Number.isInteger(bits) || bits < 0 || bits > longest) return undefined;
  const list = new BlockList();
  list.addSubnet(address, bits, family);
  return list;
};

/** Programs also take an address without its scheme, which is http then. */
const parseProxy = (name: string, value: string): URL => {
  const text = /^[a-z][\w+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === "http:" || url.protocol === "https:")) {
    // All that read it decode the password, and fail at a sign that stands for itself.
    url.password = url.password.replaceAll(/%(?![\da-f]{2})/gi, "%25");
    return url;
  }
  throw new Error(
    `${name} is no address of an HTTP proxy: write it as http://proxy.example.org:3128, or leave it out.`,
  );
};

type Agent = HttpAgent | HttpsAgent;

/** As Node.js has them for requests without a proxy. */
const AGENT = { keepAlive: true, scheduling: "lifo", timeout: 5_000 } as const;
/** The type asks for a whole environment, of which only these variables are read. */
const toNodeVariables = (name: string, value: string): NodeJS.ProcessEnv =>
  ({ [name]: value }) as unknown as NodeJS.ProcessEnv;
/** By origin. The variables of a process do not change. */
const agents = new Map<string, Agent | undefined>();

/**
 * @returns what sends a request of `node:http` by the proxy of the network; undefined where there is none. It is kept for
 *   each origin, so only for addresses that administrators set.
 */
export const findProxyAgent = (url: URL): Agent | undefined => {
  const { origin } = url;
  if (!agents.has(origin)) agents.set(origin, createProxyAgent(url));
  return agents.get(origin);
};

const createProxyAgent = (url: URL): Agent | undefined => {
  const proxy = findProxy(url)?.href;
  if (proxy === undefined) return undefined;
  return url.protocol === "https:"
    ? new HttpsAgent({ ...AGENT, proxyEnv: toNodeVariables("HTTPS_PROXY", proxy) })
    : new HttpAgent({ ...AGENT, proxyEnv: toNodeVariables("HTTP_PROXY", proxy) });
};

/** Creates what sends a request of `undici` by a proxy. Only encrypted connections need a tunnel. */
export const createProxyDispatcher = (proxy: URL, options: object = {}): Dispatcher =>
  new ProxyAgent({ ...options, uri: proxy.href, proxyTunnel: false });

const shared = new Map<string, Dispatcher>();

/** @returns options of `fetch` of `undici` for a URL. */
export const findDispatcher = (url: string): { dispatcher?: Dispatcher } => {
  const proxy = findProxy(new URL(url));
  if (proxy === undefined) return {};
  const dispatcher = shared.get(proxy.href) ?? createProxyDispatcher(proxy);
  shared.set(proxy.href, dispatcher);
  return { dispatcher };
};

/** @returns the headers of a request that a proxy sends on. */
export const toProxyHeaders = ({ username, password }: URL): Record<string, string> => {
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return username === ""
    ? {}
    : { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
};

const toProxyHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** Connects to a proxy itself, for requests without encryption. Rejects when it is not there. */
export const connectToProxy = (proxy: URL): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const isSecure = proxy.protocol === "https:";
    const host = toProxyHost(proxy);
    const port = Number(proxy.port) || (isSecure ? 443 : 80);
    const socket = isSecure
      ? connectSecurely({ host, port, ...(isIP(host) === 0 && { servername: host }) })
      : connect({ host, port });
    socket.once("error", reject);
    socket.once(isSecure ? "secureConnect" : "connect", () => resolve(socket));
  });

/** Opens a tunnel to a host and a port. Rejects when the proxy does not open one. */
export const openProxyTunnel = (
  proxy: URL,
  { hostname, port }: { hostname: string; port: number },
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const authority = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
    const outgoing: ClientRequest = (proxy.protocol === "https:" ? requestSecurely : request)({
      hostname: toProxyHost(proxy),
      port: proxy.port,
      method: "CONNECT",
      path: authority,
      agent: false,
      headers: { host: authority, ...toProxyHeaders(proxy) },
    });
    outgoing.once("error", reject);
    outgoing.once("response", (answer: IncomingMessage) => {
      answer.destroy();
      reject(new Error(`the proxy has answered with status ${answer.statusCode}`));
    });
    outgoing.once("connect", ({ statusCode }: IncomingMessage, socket: Socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy has answered with status ${statusCode}`));
    });
    outgoing.end();
  });
