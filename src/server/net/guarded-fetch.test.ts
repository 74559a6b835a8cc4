import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { startStubServer, type StubRequest } from "@/test/stub-server";
import { createAddressPolicy } from "./address-policy";
import { createGuardedFetch, type LookupAll } from "./guarded-fetch";

type Answer = Parameters<typeof startStubServer>[0];
type Stub = Awaited<ReturnType<typeof startStubServer>>;

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closes.splice(0).map((close) => close()));
});

const serve = async (answer: Answer, at?: Parameters<typeof startStubServer>[1]): Promise<Stub> => {
  const server = await startStubServer(answer, at);
  closes.push(server.close);
  return server;
};

const sendText: Answer = (response) => response.end("reached");
const redirectTo =
  (location: string): Answer =>
  (response) =>
    // A header has no other characters; a URL may contain this form of them.
    response
      .writeHead(302, { location: location.replace("ⓛ", encodeURIComponent), connection: "close" })
      .end();

type Changes = { allow?: string[]; ownPort?: number; lookup?: LookupAll };

const fetchText = async (
  url: string,
  { allow = ["127.0.0.1"], ownPort = 1, lookup }: Changes = {},
) => {
  const policy = createAddressPolicy({ allow, ownPort });
  const guardedFetch = createGuardedFetch({ policy, ...(lookup && { lookup }) });
  const signal = AbortSignal.timeout(60_000);
  const { response, url: finalUrl } = await guardedFetch(url, { headers: {}, signal });
  return { status: response.status, text: await response.text(), url: finalUrl.href };
};

/** Answers each lookup with the next list of addresses, and the last one from then on. */
const resolveTo = (...answers: string[][]) => {
  let count = 0;
  const lookup: LookupAll = (_hostname, callback) => {
    const addresses = answers[Math.min(count++, answers.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return { lookup, count: () => count };
};

describe("a guarded fetch", () => {
  it("gets an allowed URL", async () => {
    const { url } = await serve(sendText);
    expect(await fetchText(`${url}/a?b=1`)).toEqual({
      status: 200,
      text: "reached",
      url: `${url}/a?b=1`,
    });
  });

  it.each([
    ["file:///etc/passwd", "http"],
    ["data:text/plain,hello", "http"],
    ["ftp://example.org/", "http"],
    ["example.org", "complete URL"],
    ["http://", "complete URL"],
    ["http://me:secret@example.org/", "password"],
    ["http://me@example.org/", "password"],
  ])("refuses %s without a connection", async (url, word) => {
    await expect(fetchText(url)).rejects.toThrow(word);
  });

  const forms = (port: number) => [
    `http://127.0.0.1:${port}/`,
    `http://0177.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f.1:${port}/`,
    `http://127.1:${port}/`,
    `http://0:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://[64:ff9b::7f00:1]:${port}/`,
    `http://[::7f00:1]:${port}/`,
    `http://localhost:${port}/`,
    `http://LOCALHOST.:${port}/`,
    `http://%6cocalhost:${port}/`,
    `http://ⓛocalhost:${port}/`,
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://metadata.google.internal/computeMetadata/v1/",
  ];

  it.each(forms(0).map((_form, index) => index))(
    "refuses an address of this machine or its network, form %i",
    async (index) => {
      const target = await serve(sendText);
      const url = forms(target.port)[index] ?? "";
      await expect(fetchText(url, { allow: [] }), url).rejects.toThrow("PARLEY_WEB_ALLOW");
      expect(target.requests).toEqual([]);
    },
  );

  it.each(forms(0).map((_form, index) => index))(
    "refuses a redirect to such an address, form %i",
    async (index) => {
      const target = await serve(sendText, { host: "127.0.0.2" });
      const url = (forms(target.port)[index] ?? "").replace("127.0.0.1", "127.0.0.2");
      const first = await serve(redirectTo(url));
      const name = `http://first.example:${first.port}/`;
      const { lookup } = resolveTo(["127.0.0.1"]);
      await expect(fetchText(name, { allow: ["first.example"], lookup }), url).rejects.toThrow(
        "PARLEY_WEB_ALLOW",
      );
      expect(target.requests).toEqual([]);
    },
  );

  it.each([
    "file:///etc/passwd",
    "data:text/plain,x",
    "javascript:1",
    "http://a:b@127.0.0.1/",
    "http://[",
  ])("refuses a redirect to %s", async (location) => {
    const { url } = await serve(redirectTo(location));
    await expect(fetchText(url)).rejects.toThrow("redirects to a URL that cannot be fetched");
  });

  it("follows five redirects, relative ones too, and no sixth", async () => {
    const chain: Answer = (response, { path }) => {
      const left = Number(path.slice(1));
      if (left === 0) response.end("arrived");
      else response.writeHead(307, { location: `./${left - 1}` }).end();
    };
    const { url, requests } = await serve(chain);
    expect(await fetchText(`${url}/5`)).toMatchObject({ text: "arrived", url: `${url}/0` });
    requests.length = 0;
    await expect(fetchText(`${url}/6`)).rejects.toThrow("more than 5 times");
    expect(requests).toHaveLength(6);
  });

  it("connects to the address that it has checked, and not to that of a second lookup", async () => {
    const good = await serve(sendText);
    const bad = await serve(sendText, { host: "127.0.0.2", port: good.port });
    const resolver = resolveTo(["127.0.0.1"], ["127.0.0.2"]);
    const page = await fetchText(`http://rebind.example:${good.port}/`, resolver);
    expect(page.text).toBe("reached");
    expect(resolver.count()).toBe(1);
    expect(bad.requests).toEqual([]);
  });

  it("checks the address of a name again for each redirect", async () => {
    const good = await serve(redirectTo("/next"));
    const bad = await serve(sendText, { host: "127.0.0.2", port: good.port });
    const { lookup } = resolveTo(["127.0.0.1"], ["127.0.0.2"]);
    const url = `http://rebind.example:${good.port}/`;
    await expect(fetchText(url, { lookup })).rejects.toThrow("no public address");
    expect(good.requests).toHaveLength(1);
    expect(bad.requests).toEqual([]);
  });

  it("leaves out the refused addresses of a name, and uses another one", async () => {
    const good = await serve(sendText);
    const bad = await serve(sendText, { host: "127.0.0.2", port: good.port });
    const { lookup } = resolveTo(["127.0.0.2", "::1", "127.0.0.1"]);
    const page = await fetchText(`http://mixed.example:${good.port}/`, { lookup });
    expect(page.text).toBe("reached");
    expect(bad.requests).toEqual([]);
  });

  it("refuses the port of the server itself, also by a name", async () => {
    const own = await serve(sendText);
    const options = {
      allow: ["own.example", "127.0.0.0/8"],
      ownPort: own.port,
      ...resolveTo(["127.0.0.1"]),
    };
    await expect(fetchText(own.url, options)).rejects.toThrow("itself");
    await expect(fetchText(`http://own.example:${own.port}/`, options)).rejects.toThrow("itself");
    expect(own.requests).toEqual([]);
  });

  it("sends no line of a URL or of a redirect as a header", async () => {
    const end: Answer = (response) => response.end("end");
    const target = await serve(end);
    const injected = "x-injected: 1";
    await fetchText(`${target.url}/a\r\n${injected}\r\nb`);
    await fetchText(`${target.url}/a%0d%0a${injected}`);
    await fetchText(`${target.url}/?q=%0d%0a${injected}`);
    const redirecting = await serve(redirectTo(`${target.url}/c%0d%0a${injected}`));
    await fetchText(redirecting.url);
    expect(target.requests).toHaveLength(4);
    const names = target.requests.flatMap(({ headers }: StubRequest) => Object.keys(headers));
    expect(names).not.toContain("x-injected");
  });

  it("names a host that does not exist", async () => {
    const lookup: LookupAll = (_hostname, callback) =>
      callback(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }), []);
    await expect(fetchText("http://missing.example/", { lookup })).rejects.toThrow(
      'The host "missing.example" was not found.',
    );
  });

  it.each<[what: string, bytes: string]>([
    ["no HTTP", "SSH-2.0-OpenSSH\r\n"],
    ["headers without end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}`],
    ["nothing", ""],
  ])("names a server that answers with %s", async (_what, bytes) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.write(bytes);
      socket.destroySoon();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closes.push(() => new Promise((resolve) => void server.close(() => resolve())));
    const { port } = server.address() as { port: number };
    await expect(fetchText(`http://127.0.0.1:${port}/`)).rejects.toThrow(
      `127.0.0.1:${port} could not be reached`,
    );
  });

  it("ends with the reason of its signal, also while the name is looked up", async () => {
    const lookup: LookupAll = () => undefined;
    const policy = createAddressPolicy({ allow: [], ownPort: 1 });
    const controller = new AbortController();
    const fetching = createGuardedFetch({ policy, lookup })("http://slow.example/", {
      headers: {},
      signal: controller.signal,
    });
    controller.abort(new Error("stopped"));
    await expect(fetching).rejects.toThrow("stopped");
  });
});
