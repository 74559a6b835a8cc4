import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { type AddressInfo, createConnection } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text as readText } from "node:stream/consumers";
import tls from "node:tls";
import { fetch } from "undici";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { classifyFailure } from "@/server/model/classify-failure";
import { createJsonFetch } from "@/server/model/stream/json-fetch";
import { startHttpProxy } from "@/test/http-proxy";
import { startStubServer } from "@/test/stub-server";
import { createAddressPolicy } from "./address-policy";
import { createGuardedFetch, type LookupAll } from "./guarded-fetch";
import { startGuardedProxy } from "./guarded-proxy";
import { findDispatcher, findProxy, listProxyVariables, openProxyTunnel } from "./outbound-proxy";

const PROXY = "http://proxy.test:3128";
const NAMES = ["http_proxy", "https_proxy", "no_proxy"];

beforeEach(() => {
  for (const name of NAMES) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toUpperCase(), undefined);
  }
});
afterEach(() => void vi.unstubAllEnvs());

const find = (url: string, variables: Record<string, string>) =>
  findProxy(new URL(url), variables)?.href;

describe("the proxy of a URL", () => {
  it.each<
    [what: string, url: string, variables: Record<string, string>, proxy: string | undefined]
  >([
    ["none", "https://a.test", {}, undefined],
    ["HTTPS_PROXY for https", "https://a.test", { HTTPS_PROXY: PROXY }, `${PROXY}/`],
    ["no HTTPS_PROXY for http", "http://a.test", { HTTPS_PROXY: PROXY }, undefined],
    ["HTTP_PROXY for http", "http://a.test", { HTTP_PROXY: PROXY }, `${PROXY}/`],
    ["no HTTP_PROXY for https", "https://a.test", { HTTP_PROXY: PROXY }, undefined],
    ["small letters", "https://a.test", { https_proxy: PROXY }, `${PROXY}/`],
    [
      "small letters first",
      "https://a.test",
      { https_proxy: PROXY, HTTPS_PROXY: "x" },
      `${PROXY}/`,
    ],
    ["no empty variable", "https://a.test", { https_proxy: "", HTTPS_PROXY: " " }, undefined],
    [
      "an address without a scheme",
      "http://a.test",
      { HTTP_PROXY: "p.test:8080" },
      "http://p.test:8080/",
    ],
    [
      "one with a password",
      "http://a.test",
      { HTTP_PROXY: "http://me:pw@p.test" },
      "http://me:pw@p.test/",
    ],
    [
      "one whose password has a percent sign",
      "http://a.test",
      { HTTP_PROXY: "http://me:50%@p.test" },
      "http://me:50%25@p.test/",
    ],
  ])("is %s", (_what, url, variables, proxy) => {
    expect(find(url, variables)).toBe(proxy);
  });

  it.each([
    ["a name", "a.test", "https://a.test"],
    ["what is below a name", "a.test", "https://b.a.test"],
    ["a name with a dot", ".a.test", "https://b.a.test"],
    ["a name with a star", "*.a.test", "https://b.a.test"],
    ["one of several", "x.test, a.test b.test", "https://b.test"],
    ["a port", "a.test:8443", "https://a.test:8443"],
    ["the usual port", "a.test:443", "https://a.test"],
    ["capital letters", "A.Test", "https://a.test"],
    ["a name with a dot at its end", "a.test.", "https://b.a.test"],
    ["everything", "*", "https://a.test"],
    ["an address", "10.1.2.3", "https://10.1.2.3"],
    ["a network", "10.0.0.0/8", "https://10.1.2.3"],
    ["an address with a port", "10.1.2.3:8000", "http://10.1.2.3:8000"],
    ["an address of IPv6", "fd00::1", "https://[fd00::1]"],
    ["a network of IPv6", "fd00::/8", "https://[fd12::1]"],
    ["this machine by its name", "", "http://localhost:11434"],
    ["this machine by its address", "", "http://127.0.0.1:11434"],
    ["this machine by that of IPv6", "", "http://[::1]:11434"],
  ])("is none for %s of NO_PROXY", (_what, entries, url) => {
    const variables = { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY };
    expect(find(url, { ...variables, NO_PROXY: entries })).toBeUndefined();
    expect(find(url, { ...variables, no_proxy: entries })).toBeUndefined();
  });

  it.each([
    ["a name with the same end", "a.test", "https://ba.test"],
    ["another port", "a.test:8443", "https://a.test"],
    ["an address outside", "10.0.0.0/8", "https://11.1.2.3"],
    ["no network", "10.0.0.0/33,10.0.0/8", "https://10.1.2.3"],
    ["a name for an address", ".3", "https://10.1.2.3"],
  ])("is not left out for %s", (_what, entries, url) => {
    expect(find(url, { HTTPS_PROXY: PROXY, NO_PROXY: entries })).toBe(`${PROXY}/`);
  });

  it.each(["socks5://p.test:1080", "http://"])("cannot be %s", (value) => {
    expect(() => find("https://a.test", { HTTPS_PROXY: value })).toThrow(
      "HTTPS_PROXY is no address of an HTTP proxy",
    );
  });

  it("is passed on to programs in both spellings", () => {
    expect(listProxyVariables({})).toEqual({});
    expect(listProxyVariables({ HTTPS_PROXY: PROXY, no_proxy: "a" })).toEqual({
      https_proxy: PROXY,
      HTTPS_PROXY: PROXY,
      no_proxy: "a",
      NO_PROXY: "a",
      NODE_USE_ENV_PROXY: "1",
    });
  });
});

const readFixture = (name: string): string =>
  readFileSync(path.join("src/test/fixtures/tls", name), "utf8");

/** Starts a server of https, with a certificate of the authority of the tests. */
const startSecureServer = async (): Promise<{ host: string; port: number }> => {
  const server = createServer(
    { cert: readFixture("server.pem"), key: readFixture("server-key.pem") },
    (request, response) => response.end(`${request.method} of ${request.headers.host}`),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.closeAllConnections());
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
};

const trustAuthority = (): void => {
  const before = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...before, readFixture("authority.pem")]);
  onTestFinished(() => tls.setDefaultCACertificates(before));
};

const startProxy = async (options: Parameters<typeof startHttpProxy>[0]) => {
  const proxy = await startHttpProxy(options);
  onTestFinished(proxy.close);
  vi.stubEnv("HTTPS_PROXY", proxy.url.replace("//", "//me:p%20w@"));
  vi.stubEnv("HTTP_PROXY", proxy.url);
  return proxy;
};

/** A network in which names of the internet have no address, unless one is given. */
const resolveTo =
  (addresses?: string[]): LookupAll =>
  (_name, callback) =>
    addresses
      ? callback(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        )
      : callback(Object.assign(new Error("no name"), { code: "ENOTFOUND" }), []);

const guardedFetch = async (url: string, lookup = resolveTo()) => {
  const policy = createAddressPolicy({ allow: [], ownPort: 1 });
  const fetchPage = createGuardedFetch({ policy, lookup });
  const { response } = await fetchPage(url, { headers: {}, signal: AbortSignal.timeout(60_000) });
  return response.text();
};

const CREDENTIALS = `Basic ${Buffer.from("me:p w").toString("base64")}`;

describe("requests by a proxy", () => {
  it("of models are sent by a tunnel, with the password of the proxy", async () => {
    trustAuthority();
    const proxy = await startProxy({ target: await startSecureServer() });
    const fetchJson = createJsonFetch();
    const post = await fetchJson("https://service.test/v1/x", { method: "POST", body: "{}" });
    expect(await post.text()).toBe("POST of service.test");
    const get = await fetchJson("https://service.test/v1/models");
    expect(await get.text()).toBe("GET of service.test");
    expect(new Set(proxy.asked)).toEqual(new Set(["CONNECT service.test:443"]));
    expect(proxy.credentials[0]).toBe(CREDENTIALS);
  });

  it("of models go directly to what NO_PROXY names, and to this machine", async () => {
    const proxy = await startProxy({ target: { host: "127.0.0.1", port: 1 } });
    const { url, close } = await startStubServer((response) => response.end("direct"));
    onTestFinished(close);
    const answer = await createJsonFetch()(`${url}/v1`, { method: "POST", body: "{}" });
    expect(await answer.text()).toBe("direct");
    expect(proxy.asked).toEqual([]);
  });

  it("of web tools and MCP servers are sent by a tunnel, or as they are without encryption", async () => {
    trustAuthority();
    const proxy = await startProxy({ target: await startSecureServer() });
    expect(await guardedFetch("https://service.test/")).toBe("GET of service.test");
    expect(proxy.asked).toEqual(["CONNECT service.test:443"]);
    expect(proxy.credentials).toEqual([CREDENTIALS]);
    const { port, close } = await startStubServer((response) => response.end("plain"));
    onTestFinished(close);
    const plain = await startProxy({ target: { host: "127.0.0.1", port } });
    expect(await guardedFetch("http://service.test/a")).toBe("plain");
    expect(plain.asked).toEqual(["GET http://service.test/a"]);
  });

  it("of searches are sent by it", async () => {
    trustAuthority();
    const proxy = await startProxy({ target: await startSecureServer() });
    const url = "https://service.test/search";
    expect(await (await fetch(url, findDispatcher(url))).text()).toBe("GET of service.test");
    expect(proxy.asked).toEqual(["CONNECT service.test:443"]);
  });

  it.each([
    ["a private address", "http://10.0.0.1/", undefined],
    ["the metadata of a cloud", "http://169.254.169.254/latest", undefined],
    ["a name of a private network", "https://wiki.internal/", undefined],
    ["a name with a private address", "https://service.test/", ["10.0.0.1"]],
    [
      "a name with a private address among others",
      "https://service.test/",
      ["9.9.9.9", "10.0.0.1"],
    ],
  ])("never ask it for %s", async (_what, url, addresses) => {
    const proxy = await startProxy({ target: { host: "127.0.0.1", port: 1 } });
    await expect(guardedFetch(url, resolveTo(addresses))).rejects.toThrow("tools");
    expect(proxy.asked).toEqual([]);
  });

  it("of commands are sent by a tunnel of its own", async () => {
    const { port, close } = await startStubServer((response) => response.end("tunnelled"));
    onTestFinished(close);
    const proxy = await startProxy({ target: { host: "127.0.0.1", port } });
    const socket = await openProxyTunnel(new URL(proxy.url), {
      hostname: "service.test",
      port: 80,
    });
    socket.write("GET / HTTP/1.1\r\nHost: service.test\r\nConnection: close\r\n\r\n");
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/tunnelled/);
    expect(proxy.asked).toEqual(["CONNECT service.test:80"]);
  });

  it("of commands are sent as they are without encryption, and never for a private address", async () => {
    const { port, close } = await startStubServer((response) => response.end("plain"));
    onTestFinished(close);
    const proxy = await startProxy({ target: { host: "127.0.0.1", port } });
    vi.stubEnv("HTTP_PROXY", proxy.url.replace("//", "//me:p%20w@"));
    const directory = mkdtempSync(path.join(tmpdir(), "parley-proxy-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const socketPath = path.join(directory, "proxy");
    const policy = createAddressPolicy({ allow: [], ownPort: 1 });
    const guarded = await startGuardedProxy({ policy, lookup: resolveTo(), socket: socketPath });
    onTestFinished(guarded.close);
    const send = (url: string): Promise<string> => {
      const socket = createConnection(socketPath);
      socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      return readText(socket);
    };
    expect(await send("http://service.test/a?b=c")).toMatch(/200 OK.*plain/s);
    expect(await send("http://10.0.0.1/")).toMatch(/^HTTP\/1\.1 403 /);
    expect(proxy.asked).toEqual(["GET http://service.test/a?b=c"]);
    expect(proxy.credentials).toEqual([CREDENTIALS]);
  });

  it("say what a proxy answers that opens no tunnel", async () => {
    const proxy = await startProxy({
      target: { host: "127.0.0.1", port: 1 },
      refusal: "407 Proxy Authentication Required",
    });
    await expect(guardedFetch("https://service.test/")).rejects.toThrow(/service\.test .*407/);
    // Which proxy an origin has is remembered.
    const post = createJsonFetch()("https://locked.test/", { method: "POST", body: "{}" });
    const failure: unknown = await post.catch((error: unknown) => error);
    expect(classifyFailure(failure, "openai", new Date())).toMatchObject({
      kind: "config",
      retryable: false,
      message: expect.stringMatching(/status 407.*HTTPS_PROXY/) as string,
    });
    const tunnel = openProxyTunnel(new URL(proxy.url), { hostname: "service.test", port: 443 });
    await expect(tunnel).rejects.toThrow("status 407");
  });
});

it("an address whose certificate is not trusted names the setting", async () => {
  const { port } = await startSecureServer();
  const policy = createAddressPolicy({ allow: ["127.0.0.1"], ownPort: 1 });
  const fetchPage = createGuardedFetch({ policy });
  const options = { headers: {}, signal: AbortSignal.timeout(60_000) };
  await expect(fetchPage(`https://127.0.0.1:${port}/`, options)).rejects.toThrow(
    /^127\.0\.0\.1:\d+ has a certificate that this server does not trust\..*NODE_EXTRA_CA_CERTS/,
  );
  const url = `https://127.0.0.1:${port}/v1`;
  const failure: unknown = await createJsonFetch()(url, { method: "POST", body: "{}" }).catch(
    (error: unknown) => error,
  );
  expect(classifyFailure(failure, "openai-compatible", new Date())).toMatchObject({
    kind: "config",
    retryable: false,
    message: expect.stringContaining("NODE_EXTRA_CA_CERTS") as string,
  });
});
