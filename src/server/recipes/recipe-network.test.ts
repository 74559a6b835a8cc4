import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Recipe } from "@/recipes/recipe";
import { findSandbox } from "@/server/exec/sandbox/find-sandbox";
import { createAddressPolicy } from "@/server/net/address-policy";
import type { LookupAll } from "@/server/net/guarded-fetch";
import { startGuardedProxy } from "@/server/net/guarded-proxy";
import { createRecipeCaller, recipe } from "@/test/recipe-fixture";
import { startStubServer } from "@/test/stub-server";

/** A server of the machine that stands for one of the internet: its name is allowed. */
let stub: Awaited<ReturnType<typeof startStubServer>>;
const PUBLIC = "public.example";
const BIG_BYTES = 3 * 1024 * 1024;

beforeAll(async () => {
  stub = await startStubServer((response, { path }) => {
    if (path === "/to-private") response.writeHead(302, { location: "http://10.0.0.1/" }).end();
    else if (path === "/to-loopback") {
      response.writeHead(302, { location: `http://127.0.0.1:${stub.port}/` }).end();
    } else if (path === "/big") response.end("x".repeat(BIG_BYTES));
    else response.end("reached");
  });
});
afterAll(() => stub.close());

/** Names of a private network stand for private addresses, and the public one for the stub's. */
const lookup: LookupAll = (hostname, callback) =>
  callback(null, [{ address: hostname === PUBLIC ? "127.0.0.1" : "10.0.0.1", family: 4 }]);

const KINDS = existsSync("/usr/bin/bwrap")
  ? (["bubblewrap", "unshare"] as const)
  : (["unshare"] as const);

const createCaller = async (
  kind: (typeof KINDS)[number],
  limits?: { connections: number; bytes: number },
) => {
  const { sandbox, failures } = await findSandbox(kind, { privateDirectories: [] });
  if (!sandbox) throw new Error(JSON.stringify(failures));
  const policy = createAddressPolicy({ allow: [PUBLIC], ownPort: 1, remedy: "" });
  return createRecipeCaller(sandbox, {
    openProxy: (socket) => startGuardedProxy({ policy, lookup, socket, ...(limits && { limits }) }),
  });
};

const shell = (script: string): Recipe["steps"] => [["sh", "-c", script]];
const curl = (url: string): string => `curl -sS -L -m 5 ${url} 2>&1; echo " exit $?"`;

const listCallDirectories = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`parley-call-${process.pid}-`));

const REFUSED = /and tools reach no other ones|is a name of a private network/;

describe.each(KINDS)("commands of a recipe with network in %s", (kind) => {
  let caller: Awaited<ReturnType<typeof createCaller>>;
  beforeAll(async () => {
    caller = await createCaller(kind);
  });
  const run = async (script: string): Promise<string> => {
    const declared = recipe({ steps: shell(script), opts: { network: true } });
    return (await caller.run(declared)).output as string;
  };

  it("reach public addresses by HTTP and by tunnels", async () => {
    const url = `http://${PUBLIC}:${stub.port}/`;
    expect(await run(curl(url))).toBe("reached exit 0\n");
    expect(await run(curl(`-p ${url}`))).toBe("reached exit 0\n");
    expect(await run(`curl -sS -p ${url}big | wc -c`)).toBe(`${BIG_BYTES}\n`);
    expect(listCallDirectories()).toEqual([]);
  });

  it.each([
    "http://127.0.0.1:$PORT/",
    "http://[::1]:$PORT/",
    "http://localhost:$PORT/",
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://metadata.google.internal/",
    "http://intranet.example/",
    `http://${PUBLIC}:$PORT/to-private`,
    `http://${PUBLIC}:$PORT/to-loopback`,
    "http://1.1.1.1.localhost/",
  ])("do not reach %s", async (template) => {
    const url = template.replace("$PORT", String(stub.port));
    const before = stub.requests.length;
    expect(await run(curl(url))).toMatch(REFUSED);
    expect(await run(curl(`-p ${url}`))).toMatch(/response 403/);
    const paths = stub.requests.slice(before).map(({ path }) => path);
    expect(paths.filter((path) => !path.startsWith("/to-"))).toEqual([]);
  });

  it("reach nothing without the proxy", async () => {
    const url = `http://127.0.0.1:${stub.port}/`;
    expect(await run(curl(`--noproxy '*' ${url}`))).toMatch(/refused|Couldn't connect/i);
    expect(await run(curl("--noproxy '*' http://1.1.1.1/"))).toMatch(/exit 7\n/);
    expect(await run(`grep -c : /proc/net/dev`)).toBe("1\n");
  });

  it("have no proxy unless the recipe has network", async () => {
    const declared = recipe({ steps: shell('echo "proxy: $http_proxy"; ls / | grep -c proxy') });
    expect((await caller.run(declared)).output).toContain("proxy: \n0");
  });
});

describe("the proxy of a call", () => {
  it("carries no more than a limit of bytes", async () => {
    const caller = await createCaller("unshare", { connections: 8, bytes: 1024 * 1024 });
    const url = `http://${PUBLIC}:${stub.port}/`;
    const steps = shell(`${curl(`-o /tmp/big ${url}big`)}; ${curl(url)}`);
    const { output } = await caller.run(recipe({ steps, opts: { network: true } }));
    expect(output).toMatch(/exit (?:18|56)\n/);
    expect(output).toContain("has transferred all it may");
  });

  it("has no more connections at once than a limit", async () => {
    const caller = await createCaller("unshare", { connections: 0, bytes: 1024 });
    const steps = shell(curl(`http://${PUBLIC}:${stub.port}/`));
    const { output } = await caller.run(recipe({ steps, opts: { network: true } }));
    expect(output).toContain("has too many connections");
  });
});
