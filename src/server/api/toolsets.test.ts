import { describe, expect, it } from "vitest";
import type { KeyRestriction } from "@/contract/api-key";
import type { Toolset } from "@/contract/toolset";
import type { Database } from "@/server/db/connection/database";
import { createToolsetLister } from "@/server/app/list-toolset-tools";
import { countRunners } from "@/server/db/sql/reads/runner-reads";
import { createToolSources } from "@/server/tools/tool-source";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { testProcess } from "@/test/test-process";
import { builtinTools } from "@/test/tool-fixture";

const database = await testDatabase();
/** Statements of this process that record programs. */
let recorded = 0;
const db: Database = {
  ...database,
  query: (statement, values) => {
    if (statement.name === "record-toolset-runners") recorded += 1;
    return database.query(statement, values);
  },
};
const { cached } = testProcess(db);
const toolset = createToolsetLister({
  listRows: cached.toolsets.get,
  listPresent: cached.presentToolsets.get,
});
const api = createTestApi(db, createToolSources(builtinTools, { toolset }));
const admin = await createClient(db, api, { role: "owner" });

let names = 0;
const newName = (): string => `set-${(names += 1)}`;

const TOOL = { name: "find", description: "Finds a customer" };
const declare = async (name: string, fields: object = {}, client: TestClient = admin) =>
  client.call(`PUT /toolsets/${name}`, { version: "1.4.0", tools: [TOOL], ...fields });
const read = async (name: string) => (await admin.call(`GET /toolsets/${name}`)).body as Toolset;

const keyFor = (only?: KeyRestriction) =>
  createKey({ scopes: ["calls:answer", "toolsets:write"], only });
const createKey = async (fields: object) => {
  const { body } = await admin.call("POST /api-keys", { name: "runner", ...fields });
  return { authorization: `Bearer ${(body as { key: string }).key}` };
};

const claim = (name: string, fields: object = {}) =>
  admin.call("POST /tool-calls/claim", { holder: "runner-1", toolset: name, ...fields });

/** Lets the programs of all toolsets be gone for this long. */
const pass = async (seconds: number): Promise<void> => {
  const interval = `${seconds} seconds`;
  const text = "UPDATE toolset_runner SET seen_at = seen_at - $1::interval";
  await database.query({ name: "test-pass-runners", text }, [interval]);
  cached.presentToolsets.forget();
};

/** Parks a chat of the administrator at calls of these tools. @returns its id. */
const park = async (...tools: string[]): Promise<string> => {
  const chatId = await admin.startChat();
  const parts = tools.map((tool, index) => openCall(`call-${index}`, tool, { kind: "toolset" }));
  await commitAnswer(db, chatId, { parts, after: "park" });
  return chatId;
};

describe("a toolset", () => {
  it("is declared once, and changed by another declaration only", async () => {
    const name = newName();
    const first = await declare(name);
    expect(first.status).toBe(200);
    expect(first.headers.get("etag")).toBe('"1"');
    expect(first.body).toMatchObject({
      name,
      revision: 1,
      version: "1.4.0",
      offered_to: "all",
      when_absent: "withhold",
      tools: [{ ...TOOL, approval: "never" }],
      declared_by: `api_key:${admin.keyId}`,
      key_name: "test",
      runners: [],
      last_seen_at: null,
      open_calls: 0,
      oldest_open_at: null,
    });
    expect((await declare(name)).body).toEqual(first.body);
    expect((await declare(name, { version: 2 })).body).toMatchObject({ revision: 2, version: "2" });
    expect(await read(name)).toMatchObject({ revision: 2 });
    const { body: list } = await admin.call("GET /toolsets");
    expect((list as { data: Toolset[] }).data.map((each) => each.name)).toContain(name);
  });

  it("says which parts of a schema models do not get", async () => {
    const input_schema = { type: "object", required: 7 };
    const { body } = await declare(newName(), { tools: [{ ...TOOL, input_schema }] });
    expect((body as Toolset).warnings).toHaveLength(1);
  });

  it("is replaced only as it is known, where that is asked for", async () => {
    const name = newName();
    expect((await declare(name, { if_revision: 1 })).status).toBe(409);
    expect((await declare(name, { if_revision: 0 })).status).toBe(200);
    const late = { version: "9", tools: [TOOL] };
    const stale = await admin.fail(`PUT /toolsets/${name}`, late, { "if-match": '"3"' });
    expect(stale.problem).toMatchObject({ status: 409, reason: "version_mismatch" });
    expect((await admin.call(`PUT /toolsets/${name}`, late, { "if-match": '"1"' })).status).toBe(
      200,
    );
  });

  it.each([
    ["a name with capitals", "Crm", {}, "/name"],
    ["a name that is too long", "a".repeat(33), {}, "/name"],
    [
      "251 tools",
      "ok",
      { tools: Array.from({ length: 251 }, (_, at) => ({ name: `t${at}` })) },
      "/tools",
    ],
    ["two tools of one name", "ok", { tools: [TOOL, TOOL] }, "/tools/1/name"],
    ["no version", "ok", { version: undefined }, "/version"],
    ["a version of words", "ok", { version: "latest" }, "/version"],
    ["a field that there is not", "ok", { offered: "all" }, "/offered"],
    [
      "a name that is too long with that of the toolset",
      "ok",
      { tools: [{ name: "a".repeat(62) }] },
      "/tools/0/name",
    ],
    [
      "a schema of more than 64 KB",
      "ok",
      { tools: [{ name: "a", input_schema: { title: "a".repeat(65_536) } }] },
      "/tools/0/input_schema",
    ],
  ])("is refused with %s", async (_, name, fields, pointer) => {
    const before = await db.prisma.toolset.count();
    const { problem } = await admin.fail(`PUT /toolsets/${name}`, {
      version: "1",
      tools: [TOOL],
      ...fields,
    });
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer }] });
    expect(await db.prisma.toolset.count()).toBe(before);
  });

  it("does not take a name that another tool of the server, or an MCP server, has", async () => {
    const { problem } = await admin.fail("PUT /toolsets/web", {
      version: "1",
      tools: [{ name: "search" }],
    });
    expect(problem).toMatchObject({ status: 409, errors: [{ pointer: "/tools/0/name" }] });
    const server = {
      name: "billing",
      transport: { type: "http", url: "https://mcp.example.org/mcp" },
    };
    const { body } = await admin.call("POST /config/mcp-servers", { ...server, enabled: false });
    expect((await admin.fail("PUT /toolsets/billing", { version: "1", tools: [] })).status).toBe(
      409,
    );
    await admin.call(`DELETE /config/mcp-servers/${(body as { id: string }).id}`);
    expect((await declare("billing")).status).toBe(200);
    expect((await admin.fail("POST /config/mcp-servers", server)).status).toBe(409);
  });

  it("is declared and removed by administrators, and keys that are for it", async () => {
    const name = newName();
    const only = await keyFor({ toolsets: [name] });
    const body = { version: "1", tools: [TOOL] };
    const status = async (headers: Record<string, string>, route: string, sent?: object) =>
      (await admin.call(route, sent, headers)).status;
    expect(await status(only, `PUT /toolsets/${name}`, body)).toBe(200);
    expect(await status(only, `GET /toolsets/${name}`)).toBe(200);
    expect(await status(only, `PUT /toolsets/${newName()}`, body)).toBe(403);
    for (const headers of [
      await keyFor(),
      await keyFor({ tools: [`${name}_*`] }),
      await keyFor({ labels: { app: "bot" } }),
      await createKey({ scopes: ["calls:answer", "chat", "read"] }),
    ]) {
      expect(await status(headers, `PUT /toolsets/${name}`, body)).toBe(403);
      expect(await status(headers, `GET /toolsets/${name}`)).toBe(403);
      expect(await status(headers, `DELETE /toolsets/${name}`)).toBe(403);
    }
    const list = await admin.call("GET /toolsets", undefined, only);
    expect((list.body as { data: Toolset[] }).data.map((each) => each.name)).toEqual([name]);
    const member = await createClient(db, api);
    expect((await member.call(`PUT /toolsets/${name}`, body)).status).toBe(403);
    expect((await member.call("GET /toolsets")).status).toBe(403);
    expect(await status(only, `DELETE /toolsets/${name}`)).toBe(204);
    expect(await status(only, `DELETE /toolsets/${name}`)).toBe(404);
  });

  it("is offered to the chats of its account", async () => {
    const name = newName();
    await declare(name, { when_absent: "offer" });
    const find = async (client: TestClient) => {
      const { body } = await client.call("GET /tools");
      return (body as { data: { name: string }[] }).data.find(
        (tool) => tool.name === `${name}_find`,
      );
    };
    expect(await find(admin)).toMatchObject({ source: "toolset", offered: true });
    expect(await find(await createClient(db, api, { role: "owner" }))).toBeUndefined();
    await declare(name, { when_absent: "offer", offered_to: "chosen" });
    const chosen = await find(admin);
    expect(chosen).toMatchObject({ offered: false, for_chosen: true });
    expect(chosen).not.toHaveProperty("reason");
    await declare(name, { offered_to: "chosen" });
    expect(await find(admin)).toMatchObject({
      offered: false,
      reason: "No program that runs it is connected.",
    });
    const mode = await admin.call(`PUT /tools/${name}_find`, { mode: "ask" });
    expect(mode.body).toMatchObject({ mode: "ask" });
  });
});

describe("a program that runs a toolset", () => {
  it("is connected while it asks for calls", async () => {
    const name = newName();
    await declare(name);
    const tools = async () => (await admin.call("GET /tools")).body as { data: { name: string }[] };
    const find = async () => (await tools()).data.find((tool) => tool.name === `${name}_find`);
    expect(await find()).toMatchObject({
      offered: false,
      reason: "No program that runs it is connected.",
    });
    expect((await claim(name, { toolset_version: "1.5" })).status).toBe(200);
    expect(await find()).toMatchObject({ offered: true });
    expect(await read(name)).toMatchObject({
      runners: [{ holder: "runner-1", version: "1.5", claimed: 0 }],
    });
    expect(await countRunners(db)).toContainEqual({ toolset: name, count: 1 });
    await pass(44);
    expect(await find()).toMatchObject({ offered: true });
    await pass(2);
    expect(await find()).toMatchObject({ offered: false });
    const { runners, last_seen_at } = await read(name);
    expect(runners).toEqual([]);
    expect(Date.parse(last_seen_at ?? "")).toBeLessThan(Date.now() - 45_000);
  });

  it("is refused an older version than that of another one that is connected", async () => {
    const name = newName();
    await declare(name, { version: "1.10" });
    await claim(name);
    const { problem } = await admin.fail(`PUT /toolsets/${name}`, {
      version: "1.9",
      tools: [TOOL],
    });
    expect(problem).toMatchObject({ status: 409, reason: "older_version" });
    expect(problem.detail).toContain('"runner-1" runs version 1.10');
    expect((await declare(name, { version: "1.11" })).status).toBe(200);
    await pass(46);
    expect((await declare(name, { version: "1.9" })).status).toBe(200);
  });

  it("gets the calls of its toolset only, which say what they are of", async () => {
    const name = newName();
    await declare(name);
    const chatId = await park(`${name}_find`, "other_find");
    const { body } = await claim(name, { limit: 10 });
    const { data } = body as { data: object[] };
    expect(data).toMatchObject([{ chat_id: chatId, tool_name: `${name}_find`, toolset: name }]);
    expect(data).toHaveLength(1);
    expect(await read(name)).toMatchObject({ open_calls: 1, runners: [{ claimed: 1 }] });
    const list = await admin.call(`GET /tool-calls?toolset=${name}`);
    expect((list.body as { data: object[] }).data).toHaveLength(1);
    const chat = await admin.call(`GET /chats/${chatId}`);
    expect(chat.body).toMatchObject({
      required_action: { tool_calls: [{ toolset: name }, { toolset: "other" }] },
    });
  });

  it("answers and claims with a key that is for it what no other toolset or tool has", async () => {
    const name = newName();
    await declare(name);
    const chatId = await park(`${name}_find`, "other_find");
    const only = await keyFor({ toolsets: [name] });
    const all = { holder: "runner-1", limit: 10 };
    const claimed = await admin.call("POST /tool-calls/claim", all, only);
    expect(claimed.body).toMatchObject({ data: [{ toolset: name }] });
    expect((claimed.body as { data: object[] }).data).toHaveLength(1);
    const answer = (call: string) =>
      admin.call(`POST /chats/${chatId}/tool-calls/${call}/result`, { output: 1 }, only);
    expect((await answer("call-1")).status).toBe(403);
    const other = await admin.call("POST /tool-calls/claim", { ...all, toolset: "other" }, only);
    expect(other.status).toBe(403);
    const named = { ...all, toolset: name, tools: [`${name}_find`] };
    expect((await admin.call("POST /tool-calls/claim", named, only)).status).toBe(200);
    const byPattern = await keyFor({ tools: ["deploy"] });
    expect((await admin.call("POST /tool-calls/claim", named, byPattern)).status).toBe(403);
  });

  it("is refused a toolset that there is not, and a version of none", async () => {
    expect((await claim("none-such")).status).toBe(404);
    const { problem } = await admin.fail("POST /tool-calls/claim", {
      holder: "runner-1",
      toolset_version: "1",
    });
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: "/toolset_version" }] });
    const member = await createClient(db, api);
    const name = newName();
    await declare(name);
    const foreign = { holder: "runner-1", toolset: name };
    expect((await member.call("POST /tool-calls/claim", foreign)).status).toBe(404);
  });

  it("is recorded with all others in one statement", async () => {
    const name = newName();
    await declare(name);
    recorded = 0;
    const claims = Array.from({ length: 100 }, (_, at) => claim(name, { holder: `runner-${at}` }));
    expect((await Promise.all(claims)).every(({ status }) => status === 200)).toBe(true);
    expect((await read(name)).runners).toHaveLength(100);
    // The first one alone, and those that came while it was recorded.
    expect(recorded).toBeLessThanOrEqual(2);
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => claim(name, { holder: `runner-${at}` })),
    );
    expect(recorded).toBeLessThanOrEqual(2);
  });
});

describe("a watcher of a toolset", () => {
  it("is told of its calls, and of no others", async () => {
    const name = newName();
    await declare(name);
    const response = await api.api.handleRest(admin.request(`GET /watch?toolset=${name}`));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const readOn = async (): Promise<string> => {
      text += (await reader?.read())?.value ?? "";
      return text;
    };
    await park("other_find");
    const chatId = await park(`${name}_find`);
    await expect.poll(readOn).toContain(chatId);
    expect(text).not.toContain("other_find");
    await reader?.cancel();
  });
});

describe("a toolset that is removed", () => {
  it("has its open calls cancelled, and leaves the others of a chat open", async () => {
    const name = newName();
    await declare(name);
    const alone = await park(`${name}_find`);
    const mixed = await park(`${name}_find`, "other_find");
    const { body } = await claim(name, { limit: 10 });
    const [held] = (body as { data: { chat_id: string; claim: { token: string } }[] }).data;
    expect((await admin.call(`DELETE /toolsets/${name}`)).status).toBe(204);
    expect((await admin.call(`GET /toolsets/${name}`)).status).toBe(404);
    expect((await admin.call(`GET /chats/${alone}`)).body).toMatchObject({ status: "pending" });
    expect((await admin.call(`GET /chats/${mixed}`)).body).toMatchObject({
      status: "requires_action",
      required_action: { tool_calls: [{ tool_name: "other_find" }] },
    });
    const { body: page } = await admin.call(`GET /chats/${alone}/messages`);
    expect(JSON.stringify(page)).toContain(
      "Cancelled: the tools that this call is of were removed before it had an outcome.",
    );
    const beat = await admin.fail(`POST /chats/${held?.chat_id}/tool-calls/call-0/heartbeat`, {
      token: held?.claim.token,
    });
    expect(beat.problem).toMatchObject({ status: 409, reason: "call_closed" });
    expect((await declare(name)).body).toMatchObject({ revision: 1 });
  });

  it("has the calls of all chats cancelled, however many there are", async () => {
    const name = newName();
    await declare(name);
    const chatIds: string[] = [];
    // More than are read at once.
    for (let count = 0; count < 230; count++) chatIds.push(await park(`${name}_find`));
    expect((await read(name)).open_calls).toBe(230);
    expect((await admin.call(`DELETE /toolsets/${name}`)).status).toBe(204);
    const where = { id: { in: chatIds } };
    expect(await db.prisma.chat.groupBy({ by: "status", where, _count: true })).toEqual([
      { status: "pending", _count: 230 },
    ]);
  });
});
