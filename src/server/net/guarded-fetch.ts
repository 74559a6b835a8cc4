import { type LookupAddress, lookup as lookupName } from "node:dns";
import { type LookupFunction, isIP } from "node:net";
import {
  Agent,
  buildConnector,
  type Dispatcher,
  fetch,
  type RequestInit,
  type Response,
} from "undici";
import { getErrorMessage } from "@/lib/error-message";
import { hasErrorCode } from "@/lib/has-error-code";
import type { AddressPolicy } from "./address-policy";
import { createProxyDispatcher, findProxy } from "./outbound-proxy";
import { explainUselessConnection } from "./useless-connection";

/** Why a URL could not be fetched, as a sentence that a model may read. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
}

export type GuardedResponse = {
  response: Response;
  /** After all redirects. */
  url: URL;
};

export type FetchOptions = { headers: Record<string, string>; signal: AbortSignal };

/**
 * Gets a URL, by http and https only, and follows its redirects. Every connection goes to an address that
 * the policy allows.
 *
 * @throws {FetchFailure} for what cannot be fetched; the signal's reason when it is aborted.
 */
export type GuardedFetch = (url: string, options: FetchOptions) => Promise<GuardedResponse>;

export type ConnectDeps = {
  policy: AddressPolicy;
  /** Resolves host names; replaced in tests. */
  lookup?: LookupAll;
};

type GuardedFetchDeps = ConnectDeps & {
  /** Options of connections, such as timeouts. */
  agent?: Agent.Options;
};

/** Sends one request, whose redirects are not followed. Rejects with a `FetchFailure`, or as the signal. */
export type GuardedRequest = (url: string | URL, init: RequestInit) => Promise<Response>;

export type LookupAll = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const MAX_REDIRECTS = 5;
const CONNECT_TIMEOUT_MS = 10_000;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

const lookupAll: LookupAll = (hostname, callback) => lookupName(hostname, { all: true }, callback);

/** Creates a function for requests of any method, whose connections are closed by `close`. */
export const createGuardedRequest = ({
  agent,
  ...deps
}: GuardedFetchDeps): { request: GuardedRequest; close: () => Promise<void> } => {
  const direct = new Agent({ ...agent, connect: createGuardedConnect(deps) });
  const proxied = new Map<string, Dispatcher>();
  /** What sends a request, after a check of its destination where the proxy of the network makes the connection. */
  const findDispatcher = async (url: URL): Promise<Dispatcher> => {
    const proxy = findProxy(url);
    if (!proxy) return direct;
    await checkDestination(deps, toDestination(url));
    const dispatcher = proxied.get(proxy.href) ?? createProxyDispatcher(proxy, agent);
    proxied.set(proxy.href, dispatcher);
    return dispatcher;
  };
  return {
    request: async (to, init) => {
      const url = parseUrl(String(to));
      try {
        const dispatcher = await findDispatcher(url);
        return await fetch(url, { ...init, dispatcher, redirect: "manual" });
      } catch (error) {
        init.signal?.throwIfAborted();
        throw toFailure(error, url);
      }
    },
    close: async () => {
      await Promise.all([direct, ...proxied.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
};

export const createGuardedFetch = (deps: GuardedFetchDeps) => {
  const { request } = createGuardedRequest(deps);
  return async (start: string, options: FetchOptions): Promise<GuardedResponse> => {
    let url = parseUrl(start);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await request(url, options);
      const location = response.headers.get("location");
      if (!REDIRECT_STATUSES.has(response.status) || location === null) return { response, url };
      await response.body?.cancel();
      url = parseUrl(location, url);
    }
    throw new FetchFailure(`${url.host} redirects more than ${MAX_REDIRECTS} times.`);
  };
};

const parseUrl = (text: string, base?: URL): URL => {
  const from = base ? `${base.host} redirects to a URL that cannot be fetched: ` : "";
  if (!URL.canParse(text, base)) {
    throw new FetchFailure(`${from}${JSON.stringify(text)} is not a complete URL.`);
  }
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new FetchFailure(`${from}Only http: and https: URLs can be fetched.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new FetchFailure(`${from}A URL must not contain a user name or a password.`);
  }
  return url;
};

const toDestination = ({
  hostname,
  port,
  protocol,
}: Pick<URL, "hostname" | "port" | "protocol">) => ({
  hostname: hostname.replace(/^\[|\]$/g, ""),
  port: Number(port) || (protocol === "https:" ? 443 : 80),
});

/**
 * Checks a destination that another machine connects to: all addresses that it has here must be allowed. A name that has
 * none here, as in a network without names of the internet, is checked as a name only.
 *
 * @throws {FetchFailure} when it is not allowed.
 */
export const checkDestination = async (
  { policy, lookup = lookupAll }: ConnectDeps,
  { hostname, port }: { hostname: string; port: number },
): Promise<void> => {
  const addresses = isIP(hostname)
    ? []
    : await new Promise<LookupAddress[]>((resolve) =>
        lookup(hostname, (error, found) => resolve(error ? [] : found)),
      );
  for (const address of [undefined, ...addresses.map((found) => found.address)]) {
    const problem = policy.findProblem({ hostname, port, address });
    if (problem !== undefined) throw new FetchFailure(problem);
  }
};

/** What opens connections, each to an address that the policy allows. */
export const createGuardedConnect = ({
  policy,
  lookup = lookupAll,
}: ConnectDeps): buildConnector.connector => {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    lookup: createGuardedLookup(policy, lookup),
  });
  return (target, callback) => {
    const { hostname, port } = toDestination(target);
    // A literal address is not looked up. A name is checked again with its address.
    const problem = policy.findProblem({ hostname, port });
    if (problem !== undefined) return callback(new FetchFailure(problem), null);
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      const address = socket.remoteAddress ?? "";
      const found = policy.findProblem({ hostname, port, address });
      if (found === undefined) return callback(null, socket);
      socket.destroy();
      callback(new FetchFailure(found), null);
    });
  };
};

/** Creates a lookup that leaves out the addresses which are not allowed, so that they are never tried. */
const createGuardedLookup =
  (policy: AddressPolicy, lookup: LookupAll): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, (error, addresses) => {
      if (error) return callback(error, []);
      const problems = addresses.map(({ address }) =>
        policy.findProblem({ hostname, port: 0, address }),
      );
      const allowed = addresses.filter((_, index) => problems[index] === undefined);
      const [first] = allowed;
      if (first === undefined) {
        return callback(new FetchFailure(problems[0] ?? `"${hostname}" has no address.`), []);
      }
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });

const toFailure = (error: unknown, { host, hostname }: URL): FetchFailure => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof FetchFailure) return cause;
  if (hasErrorCode(cause, "ENOTFOUND", "EAI_AGAIN", "EAI_FAIL") && !isIP(hostname)) {
    return new FetchFailure(`The host "${hostname}" was not found.`, { cause });
  }
  const problem = explainUselessConnection(cause);
  if (problem !== undefined) return new FetchFailure(`${host} ${problem}`, { cause });
  return new FetchFailure(`${host} could not be reached: ${getErrorMessage(cause)}.`, { cause });
};
