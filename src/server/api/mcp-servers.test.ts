import { v7 as newId } from "uuid";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from "vitest";
import type { McpCommandContent, McpCommandList } from "@/contract/mcp-command";
import { MAX_MCP_SERVERS, type McpServer, type McpServerList } from "@/contract/mcp-server";
import type { ToolList } from "@/contract/tool";
import type { Database } from "@/server/db/connection/database";
import { createMcpLister } from "@/server/mcp/tools/mcp-lister";
import type { McpServers } from "@/server/mcp/mcp-servers";
import { createToolSources } from "@/server/tools/tool-source";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { createTestServers, runEverything, runProgram } from "@/test/mcp-fixture";
import { startStubServer } from "@/test/stub-server";
import { builtinTools, recordedDeps } from "@/test/tool-fixture";
import { testProcess } from "@/test/test-process";

const PATH = "/config/mcp-servers";
const UNKNOWN = "0199c6f0-0000-7000-8000-000000000000";

let db: Database;
let servers: McpServers;
let owner: TestClient;
let member: TestClient;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  // Other files of the worker have the same database.
  await db.prisma.mcpServer.deleteMany();
  testProcess(db).cached.mcpServers.forget();
  servers = createTestServers(testProcess(db).cached.mcpServers.get).servers;
  const { saveArtifact } = recordedDeps().deps;
  const lister = createMcpLister(servers, { saveArtifact });
  const sources = createToolSources(builtinTools, { mcp: lister });
  const api = createTestApi(db, sources, { mcp: servers });
  owner = await createClient(db, api, { role: "owner" });
  member = await createClient(db, api);
});
afterEach(async () => {
  await servers.stop();
  await db.prisma.mcpServer.deleteMany();
  testProcess(db).cached.mcpServers.forget();
});
afterAll(() => testProcess(db).cached.mcpServers.forget());

const hostile = (changes: object = {}) => ({
  name: "odd",
  transport: runProgram("hostile-server.mjs"),
  ...changes,
});
const http = (changes: object = {}) => ({
  name: "remote",
  transport: { type: "http", url: "https://mcp.example.org/mcp", ...changes },
  enabled: false,
});

const create = async (input: object): Promise<McpServer> => {
  const { status, body } = await owner.call(`POST ${PATH}`, input);
  expect(status).toBe(201);
  return body as McpServer;
};
const list = async () => ((await owner.call(`GET ${PATH}`)).body as McpServerList).data;
const findTool = async (name: string) =>
  ((await member.call("GET /tools")).body as ToolList).data.find((tool) => tool.name === name);

describe("MCP servers", () => {
  it("are stored, connected to, changed and deleted", async () => {
    const { id } = await create(hostile());
    await expect.poll(list).toMatchObject([{ state: "connected" }]);
    const [server] = await list();
    expect(server).toMatchObject({ id, name: "odd", approval: "annotations", timeout_seconds: 60 });
    expect(server?.tools).toContainEqual({
      name: "odd_die",
      tool: "die",
      description: "die",
      needs_approval: false,
    });
    expect(server?.notices).toHaveLength(3);
    expect(await findTool("odd_die")).toMatchObject({ source: "mcp", offered: true });
    expect(await findTool("odd_die")).toMatchObject({ read_only: true });
    expect(await findTool("odd_hang")).toMatchObject({ read_only: false });
    await owner.call(`PATCH ${PATH}/${id}`, { approval: "always" });
    await expect.poll(() => findTool("odd_die")).toMatchObject({ read_only: false });

    const changed = await owner.call(`PATCH ${PATH}/${id}`, { enabled: false });
    expect(changed).toMatchObject({ status: 200, body: { state: "off", tools: [], name: "odd" } });
    expect(await findTool("odd_die")).toBeUndefined();
    expect((await owner.call(`DELETE ${PATH}/${id}`)).status).toBe(204);
    expect(await list()).toEqual([]);
  });

  it("have their tools switched off one by one, before and after a new connection", async () => {
    const { id } = await create(hostile());
    expect((await owner.call("PUT /tools/odd_hang", { mode: "off" })).status).toBe(200);
    expect(await findTool("odd_hang")).toMatchObject({ offered: false, mode: "off" });
    await owner.call(`PATCH ${PATH}/${id}`, { timeout_seconds: 5 });
    expect(await findTool("odd_hang")).toMatchObject({ offered: false, mode: "off" });
    await owner.call("PUT /tools/odd_hang", { mode: "on" });
  });

  it("are tested, also while they are off", async () => {
    const { id } = await create(hostile({ enabled: false }));
    const { body } = await owner.call(`POST ${PATH}/${id}/test`);
    expect(body).toMatchObject({ ok: true, message: 'The MCP server "odd" has 14 tools.' });
  });

  it("say why they are not connected", async () => {
    await create(hostile({ transport: runProgram("no-such-program.mjs") }));
    await expect
      .poll(list)
      .toMatchObject([
        { state: "failed", error: expect.stringContaining("exit code 1") as string },
      ]);
  });

  it("are known and changed by administrators only", async () => {
    const { id } = await create(http());
    for (const [route, body] of [
      [`GET ${PATH}`],
      [`POST ${PATH}`, http()],
      [`PATCH ${PATH}/${id}`, { enabled: true }],
      [`POST ${PATH}/${id}/test`],
      [`DELETE ${PATH}/${id}`],
    ] as const) {
      expect((await member.fail(route, body)).status, route).toBe(403);
    }
  });

  it("have names of their own", async () => {
    const { id } = await create(http());
    await create({ ...http(), name: "other" });
    expect((await owner.fail(`POST ${PATH}`, http())).status).toBe(409);
    const taken = await owner.fail(`PATCH ${PATH}/${id}`, { name: "other" });
    expect(taken.problem.errors).toEqual([{ pointer: "/name", message: "is taken" }]);
    expect((await owner.call(`PATCH ${PATH}/${id}`, { name: "remote" })).status).toBe(200);
  });

  it.each([UNKNOWN, "no-id", "__proto__"])("answers the unknown id %s with 404", async (id) => {
    expect((await owner.fail(`PATCH ${PATH}/${id}`, { enabled: true })).status).toBe(404);
    expect((await owner.fail(`DELETE ${PATH}/${id}`)).status).toBe(404);
    expect((await owner.fail(`POST ${PATH}/${id}/test`)).status).toBe(404);
  });
});

describe("commands of MCP servers", () => {
  const toRoute = (name: string) => `POST /mcp-commands/${encodeURIComponent(name)}/run`;
  const listCommands = async () => (await member.call("GET /mcp-commands")).body as McpCommandList;

  it("are listed and run for all users", async () => {
    await create({ name: "every", transport: runEverything() });
    await expect.poll(list).toMatchObject([{ state: "connected" }]);
    const { data, notices } = await listCommands();
    expect(notices).toEqual([]);
    expect(data).toContainEqual({
      name: "every:args-prompt",
      kind: "prompt",
      description: "A prompt with two arguments, one required and one optional",
      arguments: [
        { name: "city", description: expect.any(String) as string, required: true },
        { name: "state", description: expect.any(String) as string, required: false },
      ],
    });
    const run = toRoute("every:args-prompt");
    expect((await member.call(run, { arguments: { city: "Bonn" } })).body).toEqual({
      text: "What's weather in Bonn?",
      files: [],
    });
    const { status, problem } = await member.fail(run, { arguments: { town: "Bonn" } });
    expect(status).toBe(400);
    expect(problem).toMatchObject({
      detail: "/every:args-prompt cannot be used: city is required, town is no argument of it.",
      errors: [
        { pointer: "/arguments/city", message: "is required" },
        { pointer: "/arguments/town", message: "is no argument of it" },
      ],
    });
    const refused = { resourceType: "Text", resourceId: "x" };
    const failed = await member.fail(toRoute("every:resource-prompt"), { arguments: refused });
    expect(failed.status).toBe(422);
    expect(failed.problem.detail).toContain('The MCP server "every" has refused the call');
  });

  it("bring files, which a message of that person then has", async () => {
    await create(hostile());
    await expect.poll(list).toMatchObject([{ state: "connected" }]);
    const { body } = await member.call(toRoute("odd:pictures"));
    const { text, files } = body as McpCommandContent;
    expect(files).toMatchObject([
      { name: "image-2.png", media_type: "image/png", width: 1, height: 1 },
      { name: "b.png", media_type: "image/png" },
      { name: "audio-6.wav" },
    ]);
    expect(text).toContain("[image-5.png was left out: The file was sent as image/png, but is ");
    const content = [
      { type: "text", text },
      ...files.map(({ id }) => ({ type: "file", file_id: id })),
    ];
    await member.startChat({ content });
    const [first] = files;
    expect((await owner.fail("POST /chats", { content: content.slice(0, 2) })).status).toBe(400);
    expect((await member.fail(`DELETE /files/${first?.id}`)).status).toBe(409);
  });

  it("are missing while their server has never been connected to, which is said", async () => {
    await create({ name: "gone", transport: runProgram("there-is-no-such-program.mjs") });
    await expect.poll(list).toMatchObject([{ state: "failed" }]);
    const { data, notices } = await listCommands();
    expect(data).toEqual([]);
    expect(notices).toEqual([expect.stringMatching(/^The MCP server "gone" is not connected\. /)]);
    const { status, problem } = await member.fail(toRoute("gone:review"));
    expect(status).toBe(404);
    expect(problem.detail).toMatch(/^There is no command "\/gone:review"\. .* is not connected/);
  });

  it.each(["none:none", "none", ":", "__proto__:x", "x".repeat(300)])(
    "are unknown: %s",
    async (name) => {
      expect((await member.fail(toRoute(name))).status).toBe(404);
    },
  );

  it("take no arguments that are none", async () => {
    for (const args of [{ a: 1 }, { a: "x".repeat(20_001) }, { a: "a\0b" }, []]) {
      expect((await member.fail(toRoute("a:b"), { arguments: args })).status).toBe(400);
    }
  });
});

const stdio = (changes: object) => ({
  name: "local",
  transport: { type: "stdio", command: "sh", ...changes },
});

describe("a server that cannot be", () => {
  it.each([
    ["a name with _", { ...http(), name: "a_b" }, "/name", /must be lower-case/],
    [
      "a program that is not there",
      stdio({ command: "no-such-program" }),
      "/transport/command",
      /no program/,
    ],
    ["a NUL in an argument", stdio({ args: ["a\0b"] }), "/transport/args/0", /NUL/],
    [
      "a variable that loads code",
      stdio({ env: { NODE_OPTIONS: "x" } }),
      "/transport/env/NODE_OPTIONS",
      /load other code/,
    ],
    [
      "a variable of the server",
      stdio({ env: { DATABASE_URL: "x" } }),
      "/transport/env/DATABASE_URL",
      /belongs to the server/,
    ],
    ["a secret", stdio({ env: { API_TOKEN: "abc" } }), "/transport/env/API_TOKEN", /is a secret/],
    [
      "a provider's key itself",
      stdio({ env: { BRAVE_API_KEY: "abc" } }),
      "/transport/env/BRAVE_API_KEY",
      /is a secret/,
    ],
    [
      "a provider's key of the server",
      stdio({ env: { BRAVE_API_KEY: "${BRAVE_API_KEY}" } }),
      "/transport/env/BRAVE_API_KEY",
      /begin with MCP_/,
    ],
    [
      "another variable of the environment",
      stdio({ env: { A: "${PARLEY_SECRET}" } }),
      "/transport/env/A",
      /begin with MCP_/,
    ],
    [
      "a secret header",
      http({ headers: { Authorization: "Bearer x" } }),
      "/transport/headers/Authorization",
      /is a secret/,
    ],
    [
      "the metadata address",
      http({ url: "http://169.254.169.254/", allow_private: true }),
      "/transport/url",
      /No setting/,
    ],
    [
      "a private address",
      http({ url: "http://10.0.0.1/" }),
      "/transport/url",
      /Allow private addresses/,
    ],
    [
      "the server itself",
      http({ url: "http://127.0.0.1:1/", allow_private: true }),
      "/transport/url",
      /this server itself/,
    ],
    ["a URL of files", http({ url: "file:///etc/passwd" }), "/transport/url", /must be an address/],
    [
      "a password in a URL",
      http({ url: "https://a:b@mcp.example.org/" }),
      "/transport/url",
      /without user name/,
    ],
  ])("is refused: %s", async (_, input, pointer, message) => {
    const { status, problem } = await owner.fail(`POST ${PATH}`, input);
    expect(status).toBe(400);
    expect(problem.errors).toEqual([
      { pointer, message: expect.stringMatching(message) as string },
    ]);
    expect(await list()).toEqual([]);
  });

  it.each(["BRAVE_API_KEY", "OPENAI_API_KEY"])("may have a variable named %s", async (name) => {
    const env = { [name]: "${MCP_KEY}" };
    const created = await create({ ...stdio({ env }), enabled: false });
    expect(created.transport).toMatchObject({ env });
  });

  it("is one too many", async () => {
    const declaration = http();
    await db.prisma.mcpServer.createMany({
      data: Array.from({ length: MAX_MCP_SERVERS }, (_, index) => ({
        id: newId(),
        name: `server-${index}`,
        declaration: { ...declaration, name: `server-${index}` },
      })),
    });
    const { status, problem } = await owner.fail(`POST ${PATH}`, http());
    expect(status).toBe(409);
    expect(problem.detail).toBe("There can be at most 50 MCP servers. Delete one first.");
  });

  it("changes nothing when a change is refused", async () => {
    const { id, transport } = await create(http());
    const refused = { enabled: true, transport: { type: "http", url: "http://169.254.169.254/" } };
    expect((await owner.fail(`PATCH ${PATH}/${id}`, refused)).status).toBe(400);
    expect(await list()).toMatchObject([{ enabled: false, transport }]);
  });
});

describe("the secrets of an MCP server", () => {
  const SECRET = "Bearer of-the-test-0123456789";

  /** @returns the address of a server that refuses everyone, and the headers that it got. */
  const startRefusing = async () => {
    const seen: (string | undefined)[] = [];
    const { url, close } = await startStubServer((response, request) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    onTestFinished(close);
    return { url: `${url}/mcp`, seen };
  };
  const createWithSecret = async (url: string) =>
    create({
      ...http({ url, allow_private: true }),
      secrets: { Authorization: SECRET, "X-Team-Token": "of the team" },
    });
  const readRow = (id: string) => db.prisma.mcpServer.findUniqueOrThrow({ where: { id } });

  it("are sent to it, and neither returned nor stored as they are", async () => {
    const { url, seen } = await startRefusing();
    const server = await createWithSecret(url);
    expect(server).toMatchObject({ secret_names: ["Authorization", "X-Team-Token"] });
    expect(JSON.stringify([server, await list(), await readRow(server.id)])).not.toContain(SECRET);
    await owner.call(`POST ${PATH}/${server.id}/test`);
    expect(seen).toContain(SECRET);
  });

  it("stay unless they are replaced or removed", async () => {
    const { url, seen } = await startRefusing();
    const { id } = await createWithSecret(url);
    await owner.call(`PATCH ${PATH}/${id}`, { timeout_seconds: 5 });
    const { body } = await owner.call(`PATCH ${PATH}/${id}`, {
      secrets: { "X-Team-Token": null },
    });
    expect(body).toMatchObject({ secret_names: ["Authorization"] });
    await owner.call(`PATCH ${PATH}/${id}`, { secrets: { Authorization: "another one" } });
    await owner.call(`POST ${PATH}/${id}/test`);
    expect(seen).not.toContain(SECRET);
    expect(seen).toContain("another one");
  });

  it("are not sent to another address, nor given to a program", async () => {
    const { url } = await startRefusing();
    const { id } = await createWithSecret(url);
    const transport = { type: "http", url: "http://127.0.0.1:9/mcp", allow_private: true };
    expect(await owner.call(`PATCH ${PATH}/${id}`, { transport })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/secrets" }] },
    });
    const secrets = { Authorization: "a new one", "X-Team-Token": null };
    const moved = await owner.call(`PATCH ${PATH}/${id}`, { transport, secrets });
    expect(moved.body).toMatchObject({ secret_names: ["Authorization"] });
    const program = await owner.call(`PATCH ${PATH}/${id}`, {
      transport: runProgram("hostile-server.mjs"),
    });
    expect(program.body).toMatchObject({ secret_names: [] });
  });

  it.each([
    { command: "sh", args: ["-c", "env >&2"] },
    { args: ["other.mjs"] },
    { env: { npm_config_registry: "https://evil.test" } },
    { network: true },
  ])("are not given to another program: %j", async (change) => {
    const declaration = stdio({ args: ["server.mjs"] });
    const { id } = await create({ ...declaration, enabled: false, secrets: { API_TOKEN: SECRET } });
    const transport = { ...declaration.transport, ...change };
    expect(await owner.call(`PATCH ${PATH}/${id}`, { transport })).toMatchObject({
      status: 400,
      body: {
        errors: [{ pointer: "/secrets", message: expect.stringContaining("program") as string }],
      },
    });
    const same = await owner.call(`PATCH ${PATH}/${id}`, { transport: declaration.transport });
    expect(same.body).toMatchObject({ secret_names: ["API_TOKEN"] });
    const entered = { transport, secrets: { API_TOKEN: "another one" } };
    expect((await owner.call(`PATCH ${PATH}/${id}`, entered)).body).toMatchObject({
      secret_names: ["API_TOKEN"],
      transport: change,
    });
  });

  it.each([
    [{ "X Team": "a" }, "/secrets/X Team"],
    [{ Authorization: "a\r\nX-Other: b" }, "/secrets/Authorization"],
    [{ Authorization: "" }, "/secrets/Authorization"],
  ])("are refused as %j", async (secrets, pointer) => {
    const { status, body } = await owner.call(`POST ${PATH}`, { ...http(), secrets });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ pointer }] });
  });
});
