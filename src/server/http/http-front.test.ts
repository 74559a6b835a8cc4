import { EventEmitter, once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Problem } from "@/contract/problem";
import { CLIENT_ADDRESS_HEADER } from "@/server/client-address";
import { createHttpFront, type FrontSettings } from "./http-front";

const DEFAULTS: FrontSettings = {
  publicUrl: null,
  allowedHosts: [],
  corsOrigins: [],
  trustedProxies: [],
};

let seen: IncomingHttpHeaders[] = [];
let isDraining = false;
let isDatabaseReachable = true;
let isDatabaseDamaged = false;
let isFailureOfDatabase = false;
let close = (): void => undefined;

beforeEach(() => {
  seen = [];
  isDraining = false;
  isDatabaseReachable = true;
  isDatabaseDamaged = false;
  isFailureOfDatabase = false;
});
afterEach(() => close());

/** Starts a server whose handler records what passed the front. @returns its port. */
const start = async (settings: Partial<FrontSettings> = {}): Promise<number> => {
  const upgrades = new EventEmitter();
  upgrades.on("upgrade", (_request, socket: { end: (text: string) => void }) => {
    socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  });
  const front = createHttpFront({
    settings: { ...DEFAULTS, ...settings },
    observe: () => undefined,
    isDraining: () => isDraining,
    isDatabaseReachable: () => isDatabaseReachable,
    isDatabaseDamaged: () => isDatabaseDamaged,
    handle: (request, response) => {
      seen.push(request.headers);
      if (request.url === "/fails") {
        isDatabaseReachable = isFailureOfDatabase ? false : isDatabaseReachable;
        response.statusCode = 500;
      }
      response.end("handled");
    },
  });
  const server = createServer(front.handleRequest).on("upgrade", front.toUpgradeHandler(upgrades));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  close = () => void server.close();
  return (server.address() as AddressInfo).port;
};

type Sent = { method?: string; target?: string; version?: string; headers?: string[] };

/** Sends exactly these lines, as no HTTP client would. */
const send = async (
  port: number,
  { method = "GET", target = "/", version = "1.1", headers = ["Host: localhost"] }: Sent,
) => {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const ends = headers.some((line) => /^upgrade:/i.test(line)) ? [] : ["Connection: close"];
  socket.write([`${method} ${target} HTTP/${version}`, ...headers, ...ends, "", ""].join("\r\n"));
  await once(socket, "close");
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body };
};

describe("hosts", () => {
  it.each([
    "localhost",
    "localhost:3000",
    "LOCALHOST.",
    "app.localhost:3000",
    "127.0.0.1:3000",
    "192.0.2.7",
    "[::1]:3000",
    "chat.example.org",
    "Chat.Example.Org:443",
    "parley",
  ])("serves %s", async (host) => {
    const port = await start({ publicUrl: "https://chat.example.org", allowedHosts: ["parley"] });
    expect(await send(port, { headers: [`Host: ${host}`] })).toMatchObject({ status: 200 });
  });

  it.each([
    "evil.example",
    "evil.example:3000",
    "localhost.evil.example",
    "chat.example.org.evil.example",
    "127.0.0.1.evil.example",
    "localhost@evil.example",
    "evil.example#localhost",
    "2130706433",
    "",
  ])("refuses %j", async (host) => {
    const port = await start({ publicUrl: "https://chat.example.org" });
    const { status, body } = await send(port, { headers: [`Host: ${host}`] });
    expect(status).toBe(421);
    expect(Problem.parse(JSON.parse(body))).toMatchObject({
      status: 421,
      detail: expect.stringContaining("PARLEY_ALLOWED_HOSTS") as string,
    });
    expect(seen).toEqual([]);
  });

  it("refuses a host that a trusted proxy names", async () => {
    const port = await start({ trustedProxies: ["127.0.0.1"] });
    const headers = ["Host: localhost", "X-Forwarded-Host: evil.example"];
    expect(await send(port, { headers })).toMatchObject({ status: 421 });
  });

  it.each(["/healthz", "/readyz?verbose"])("lets probes of %s use any", async (target) => {
    const port = await start();
    expect(await send(port, { target, headers: ["Host: 10-0-0-1.pod"] })).toMatchObject({
      status: 200,
    });
  });

  it("lets probes name none, as HTTP/1.0 allows", async () => {
    const port = await start();
    const probe = { target: "/readyz", version: "1.0", headers: [] };
    expect(await send(port, probe)).toMatchObject({ status: 200 });
    expect(await send(port, { ...probe, target: "/" })).toMatchObject({ status: 400 });
  });

  it("refuses upgrades too", async () => {
    const port = await start();
    const upgrade = ["Connection: Upgrade", "Upgrade: websocket"];
    const refused = await send(port, { headers: ["Host: evil.example", ...upgrade] });
    expect(refused.status).toBe(421);
    const admitted = await send(port, { headers: ["Host: localhost", ...upgrade] });
    expect(admitted.status).toBe(101);
  });
});

describe("a page that fails", () => {
  it("keeps its status while the database is there", async () => {
    const { status } = await send(await start(), { target: "/fails" });
    expect(status).toBe(500);
  });

  it("has the status of an outage when that has begun", async () => {
    isFailureOfDatabase = true;
    const { status, head } = await send(await start(), { target: "/fails" });
    expect(status).toBe(503);
    expect(head.toLowerCase()).toContain("retry-after: 5");
  });

  it("has that status too once data of the database could not be read", async () => {
    isDatabaseDamaged = true;
    expect(await send(await start(), { target: "/fails" })).toMatchObject({ status: 503 });
    expect(await send(await start(), { target: "/" })).toMatchObject({ status: 200 });
  });
});

describe("malformed requests", () => {
  it.each([
    ["another site's URL", { target: "http://evil.example/" }],
    ["an asterisk", { method: "OPTIONS", target: "*" }],
    ["two slashes", { target: "//evil.example/" }],
    ["a backslash", { target: "/\\evil.example/" }],
    ["a broken escape", { target: "/%" }],
    ["an escape that is no UTF-8", { target: "/%ff" }],
    ["an escaped NUL", { target: "/%00" }],
    [
      "a router state that is none",
      { headers: ["Host: localhost", "Next-Router-State-Tree: garbage"] },
    ],
    ["two hosts", { headers: ["Host: localhost", "Host: evil.example"] }],
  ])("with %s are refused with 400", async (_, sent: Sent) => {
    const port = await start();
    const { status, body } = await send(port, sent);
    expect(status).toBe(400);
    expect(Problem.parse(JSON.parse(body))).toMatchObject({ status: 400, code: "invalid" });
    expect(seen).toEqual([]);
  });

  it("with a method that nothing supports are refused with 405", async () => {
    const port = await start();
    const { status, head } = await send(port, { method: "TRACE" });
    expect(status).toBe(405);
    expect(head).toContain("allow: GET, HEAD, POST");
  });

  it("close the connection, as their body was not read", async () => {
    const port = await start();
    const { head } = await send(port, { method: "TRACE" });
    expect(head.toLowerCase()).toContain("connection: close");
  });
});

describe("the client's address", () => {
  const forged = ["X-Forwarded-For: 203.0.113.5", `${CLIENT_ADDRESS_HEADER}: 203.0.113.6`];

  it("is the socket's", async () => {
    const port = await start();
    await send(port, { headers: ["Host: localhost", `${CLIENT_ADDRESS_HEADER}: 203.0.113.6`] });
    expect(seen[0]).toMatchObject({ [CLIENT_ADDRESS_HEADER]: "127.0.0.1" });
  });

  it("is what a trusted proxy says", async () => {
    const port = await start({ trustedProxies: ["127.0.0.0/8"] });
    await send(port, { headers: ["Host: localhost", ...forged, "X-Forwarded-Proto: https"] });
    expect(seen[0]).toMatchObject({
      [CLIENT_ADDRESS_HEADER]: "203.0.113.5",
      "x-forwarded-proto": "https",
    });
  });

  it("is unknown behind a proxy on this machine that is not trusted", async () => {
    const port = await start();
    const headers = [...forged, "X-Forwarded-Host: evil.example", "Forwarded: for=203.0.113.5"];
    await send(port, { headers: ["Host: localhost", ...headers] });
    expect(seen[0]).toMatchObject({ [CLIENT_ADDRESS_HEADER]: "unknown" });
    expect(Object.keys(seen[0] ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/forwarded/)]),
    );
  });
});

describe("while the process shuts down", () => {
  it("refuses requests, but not probes", async () => {
    const port = await start();
    isDraining = true;
    const { status, head, body } = await send(port, { method: "POST", target: "/api/v1/chats" });
    expect(status).toBe(503);
    expect(head).toMatch(/retry-after: 1\r\n/i);
    expect(head).toMatch(/connection: close/i);
    expect(Problem.parse(JSON.parse(body))).toMatchObject({ code: "unavailable" });
    expect(await send(port, { target: "/readyz" })).toMatchObject({ status: 200 });
  });
});

describe("while the database is away", () => {
  const headers = ["Host: localhost", "Accept: text/html,*/*;q=0.8"];

  it.each(["/", "/login", "/chats/0199-x?y=1"])("answers the page %s with 503", async (target) => {
    const port = await start();
    isDatabaseReachable = false;
    const { status, head, body } = await send(port, { target, headers });
    expect(status).toBe(503);
    expect(head).toMatch(/retry-after: 5\r\n/i);
    expect(head).toMatch(/content-type: text\/html/i);
    expect(body).toContain("The database is not available.");
    expect(body).toContain('http-equiv="refresh" content="5"');
    expect(seen).toEqual([]);
  });

  it.each(["/api/v1/chats", "/api/trpc/chats.list", "/_next/static/a.js", "/healthz", "/metrics"])(
    "passes %s on, which has its own answer",
    async (target) => {
      const port = await start();
      isDatabaseReachable = false;
      expect(await send(port, { target, headers })).toMatchObject({ status: 200 });
    },
  );
});

describe("pages of other origins", () => {
  const PAGE = "https://app.example.com";
  const settings = { corsOrigins: [PAGE] };
  const PREFLIGHT = ["Host: localhost", "Access-Control-Request-Method: POST"];
  const BEARER = ["Host: localhost", "Authorization: bearer x"];
  const ask = async (
    headers: string[],
    sent: Sent = {},
    given: Partial<FrontSettings> = settings,
  ) => {
    const answer = await send(await start(given), { target: "/api/v1/chats", ...sent, headers });
    close();
    return answer;
  };
  const preflight = (...headers: string[]) =>
    ask([...PREFLIGHT, ...headers], { method: "OPTIONS" });

  it("learn what they may send", async () => {
    const { status, head, body } = await preflight(`Origin: ${PAGE}`);
    expect([status, body]).toEqual([204, ""]);
    expect(head).toContain(`access-control-allow-origin: ${PAGE}`);
    expect(head).toContain("access-control-max-age: 600");
    expect(head).toContain(
      "access-control-allow-headers: authorization, content-type, idempotency-key",
    );
    expect(head).toMatch(/access-control-allow-methods: .*DELETE/);
    expect(head).not.toContain("credentials");
    expect(seen).toEqual([]);
  });

  it.each([
    "null",
    "https://app.example.com.evil.test",
    "https://app.example.com:8443",
    "http://app.example.com",
    "https://APP.example.com",
    `${PAGE}, ${PAGE}`,
    "*",
  ])("of %s learn nothing", async (origin) => {
    const { status, head } = await preflight(`Origin: ${origin}`);
    expect(status).toBe(204);
    expect(head).not.toContain("access-control");
    const sent = await ask([...BEARER, `Origin: ${origin}`]);
    expect(sent.head).not.toContain("access-control");
    expect(sent.head).toMatch(/vary: origin/i);
  });

  it("read the answers to requests with a key only", async () => {
    const { status, head } = await ask([...BEARER, `Origin: ${PAGE}`]);
    expect(status).toBe(200);
    expect(head).toContain(`access-control-allow-origin: ${PAGE}`);
    expect(head).toContain("access-control-expose-headers: location, retry-after");
    expect(head).not.toContain("credentials");
    for (const headers of [[], ["Cookie: parley.session_token=x"], ["Authorization: Basic x"]]) {
      const other = await ask(["Host: localhost", `Origin: ${PAGE}`, ...headers]);
      expect(other.head).not.toContain("access-control");
    }
  });

  it("read refusals", async () => {
    isDraining = true;
    const { status, head } = await ask([...BEARER, `Origin: ${PAGE}`]);
    expect(status).toBe(503);
    expect(head).toContain(`access-control-allow-origin: ${PAGE}`);
  });

  it("reach no server by the name of another one", async () => {
    const headers = ["Host: evil.test", "Access-Control-Request-Method: GET", `Origin: ${PAGE}`];
    expect((await ask(headers, { method: "OPTIONS" })).status).toBe(421);
  });

  it("have nothing of pages, and without the setting nothing at all", async () => {
    for (const target of ["/", "/api/trpc/chats.list", "/api/v1", "/api/auth/sign-in"]) {
      const { head } = await ask([...BEARER, `Origin: ${PAGE}`], { target });
      expect(head).not.toContain("access-control");
    }
    const { status, head } = await ask(
      [...PREFLIGHT, `Origin: ${PAGE}`],
      { method: "OPTIONS" },
      {},
    );
    expect(status).toBe(204);
    expect(head).not.toContain("access-control");
  });
});
