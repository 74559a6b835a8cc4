import { beforeAll, describe, expect, it } from "vitest";
import type { ApiKeyScope, KeyRestriction } from "@/contract/api-key";
import type { PartRow } from "@/server/db/chats/rows";
import type { Database } from "@/server/db/connection/database";
import { unsentBy } from "@/server/db/chats/viewer";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";

let db: Database;
let test: TestApi;
beforeAll(async () => {
  db = await testDatabase();
  test = createTestApi(db);
});

type Rights = { scopes?: ApiKeyScope[]; only?: KeyRestriction };

/** Parks a chat with calls, and makes a key of its owner that may answer some of them. */
const park = async (parts: PartRow[], { scopes = ["calls:answer"], only }: Rights) => {
  const owner = await createClient(db, test);
  const tools = [{ name: "restart_db" }, { name: "delete_db" }];
  const chatId = await owner.startChat({ dynamic_tools: tools });
  await commitAnswer(db, chatId, { parts, after: "park" });
  const runner = await createKey(owner, { scopes, ...(only && { only }) });
  return { owner, runner, chatId };
};

/** Another key of the same user. */
const createKey = async (owner: TestClient, fields: object): Promise<TestClient> => {
  const { status, body } = await owner.call("POST /api-keys", { name: "runner", ...fields });
  if (status !== 201) throw new Error(`no key: ${JSON.stringify(body)}`);
  const authorization = `Bearer ${(body as { key: string }).key}`;
  const withKey =
    <Answer>(send: (route: string, sent?: object, headers?: Record<string, string>) => Answer) =>
    (route: string, sent?: object, headers?: Record<string, string>) =>
      send(route, sent, { ...headers, authorization });
  const { call, fail, request } = owner;
  return {
    ...owner,
    call: withKey(call),
    fail: withKey(fail),
    request: withKey(request),
  } as TestClient;
};

const CALLS = [openCall("a", "restart_db"), openCall("b", "delete_db")];
const only = { tools: ["restart_*"] };
const inADay = () => ({ deadline_at: new Date(Date.now() + 86_400_000).toISOString() });

describe("a key for some tools", () => {
  it("answers and extends their calls, and sees nothing else", async () => {
    const { runner, chatId } = await park(CALLS, { only });
    const call = `/chats/${chatId}/tool-calls/a`;
    expect((await runner.call(`POST ${call}/extend`, inADay())).status).toBe(200);
    expect((await runner.call(`POST ${call}/result`, { output: 1 })).status).toBe(204);
    for (const route of [`GET /chats/${chatId}`, `GET /chats/${chatId}/messages`, "GET /watch"]) {
      expect((await runner.fail(route)).status).toBe(403);
    }
    expect((await runner.fail("POST /chats", { content: "x" })).status).toBe(403);
  });

  it("is refused for calls of others, open or not, and changes nothing", async () => {
    const { owner, runner, chatId } = await park(CALLS, { only });
    const call = `/chats/${chatId}/tool-calls/b`;
    const results = ["a", "b"].map((id) => ({ tool_call_id: id, output: 1 }));
    const before = await readWholeHistory(db, chatId);
    const attempts: [string, object][] = [
      [`POST ${call}/result`, { output: 1 }],
      [`POST ${call}/extend`, inADay()],
      [`POST /chats/${chatId}/tool-results`, { results }],
      [`POST /chats/${chatId}/tool-results`, { results: results.slice(1) }],
    ];
    for (const [route, sent] of attempts) {
      const { problem } = await runner.fail(route, sent);
      expect(problem).toMatchObject({ status: 403, code: "forbidden" });
      expect(problem.detail).toContain('"delete_db"');
    }
    expect(await readWholeHistory(db, chatId)).toEqual(before);
    expect((await owner.call(`POST ${call}/result`, { output: 1 })).status).toBe(204);
    expect((await runner.fail(`POST ${call}/result`, { output: 1 })).status).toBe(403);
    expect((await runner.fail(`POST ${call}/extend`, inADay())).status).toBe(403);
  });

  it("answers no call with an empty list of tools", async () => {
    const { runner, chatId } = await park(CALLS, { only: { tools: [] } });
    const route = `POST /chats/${chatId}/tool-calls/a/result`;
    expect((await runner.fail(route, { output: 1 })).status).toBe(403);
  });

  it("decides on approvals of their calls only", async () => {
    const waiting = { kind: "builtin", state: "awaiting_approval" } as const;
    const parts = [openCall("a", "restart_db", waiting), openCall("b", "exec", waiting)];
    const { runner, chatId } = await park(parts, { scopes: ["approvals:decide"], only });
    const decide = (...ids: string[]) => ({
      decisions: ids.map((id) => ({ tool_call_id: id, decision: "reject" })),
    });
    const route = `POST /chats/${chatId}/approvals`;
    for (const ids of [["b"], ["a", "b"]]) {
      expect((await runner.fail(route, decide(...ids))).problem.detail).toContain('"exec"');
    }
    expect((await runner.call(route, decide("a"))).status).toBe(204);
  });
});

const asking = {
  ...openCall("a", "crm_delete", { kind: "mcp" }),
  elicitations: [{ message: "Delete the contact?", requested_schema: { type: "object" } }],
};

describe("the file of a result", () => {
  const count = (chatId: string) => db.prisma.artifact.count({ where: { chatId } });
  const send = (by: TestClient, chatId: string) =>
    by.fail(`POST /files?chat_id=${chatId}`, Buffer.from("a file"));

  it("is sent by a key that answers calls of its chat, and named by the result", async () => {
    for (const restriction of [{ only }, {}]) {
      const { owner, runner, chatId } = await park(CALLS, restriction);
      const sent = await runner.call(`POST /files?chat_id=${chatId}`, Buffer.from("a file"));
      expect(sent.status).toBe(201);
      const { id } = sent.body as { id: string };
      const result = { output: "see the file", file_ids: [id] };
      const route = `POST /chats/${chatId}/tool-calls/a/result`;
      expect((await runner.call(route, result)).status).toBe(204);
      const { body } = await owner.call(`GET /chats/${chatId}/files`);
      expect(body).toMatchObject({ data: [{ id }] });
      for (const read of [`GET /files/${id}`, `GET /chats/${chatId}/files`, `DELETE /files/${id}`])
        expect((await runner.fail(read)).status, read).toBe(403);
    }
  });

  it("is refused without a chat, for an unknown chat and for one of another person", async () => {
    const { runner, chatId } = await park(CALLS, {});
    const none = await runner.fail("POST /files", Buffer.from("a file"));
    expect(none.problem).toMatchObject({ status: 400, errors: [{ pointer: "/chat_id" }] });
    const { runner: stranger } = await park(CALLS, {});
    const unknown = "0199c6f0-0000-7000-8000-000000000000";
    const refusals = [
      await send(stranger, chatId),
      await send(runner, unknown),
      await send(runner, "x"),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await count(chatId)).toBe(0);
    expect(await db.prisma.artifact.count({ where: unsentBy(runner) })).toBe(0);
  });

  it("is refused for a chat that waits for other tools, for no result, or is archived", async () => {
    const waiting = { kind: "builtin", state: "awaiting_approval" } as const;
    const { chatId: others, runner } = await park(CALLS.slice(1), { only });
    const refusal = await send(runner, others);
    expect(refusal.problem).toMatchObject({ status: 403, code: "forbidden" });
    expect(refusal.problem.detail).toContain('"delete_db"');
    const cases = [
      { parts: [openCall("a", "restart_db", waiting)], reason: "call_not_awaited" },
      { parts: [asking], reason: "call_not_awaited" },
      { parts: CALLS, reason: "call_not_awaited", isStopped: true },
      { parts: CALLS, reason: "chat_archived", isStopped: true, isArchived: true },
    ];
    for (const { parts, reason, isStopped, isArchived } of cases) {
      const { owner, runner: program, chatId } = await park(parts, {});
      if (isStopped) await owner.call(`POST /chats/${chatId}/interrupt`);
      if (isArchived) await owner.call(`PATCH /chats/${chatId}`, { archived: true });
      expect((await send(program, chatId)).problem, reason).toMatchObject({ status: 409, reason });
      expect(await count(chatId)).toBe(0);
    }
    expect(await count(others)).toBe(0);
  });
});

describe("the question of an MCP server", () => {
  const answer = { output: { action: "decline" } };

  it("is not answered without the scope for decisions", async () => {
    const { runner, chatId } = await park([asking], {});
    const route = `POST /chats/${chatId}/tool-calls/a/result`;
    const { problem } = await runner.fail(route, answer);
    expect(problem).toMatchObject({ status: 403 });
    expect(problem.detail).toMatch(/"approvals:decide".*"calls:answer"/);
  });

  it("is answered with both", async () => {
    const scopes: ApiKeyScope[] = ["calls:answer", "approvals:decide"];
    const { runner, chatId } = await park([asking], { scopes });
    const { status } = await runner.call(`POST /chats/${chatId}/tool-calls/a/result`, answer);
    expect(status).toBe(204);
  });
});

describe("a key for chats with labels", () => {
  const labels = { app: "slackbot" };
  const SCOPES: ApiKeyScope[] = ["read", "chat", "calls:answer", "approvals:decide"];
  const createBot = async (only: KeyRestriction = { labels }) => {
    const owner = await createClient(db, test);
    const bot = await createKey(owner, { scopes: SCOPES, only });
    return { owner, bot, outside: await owner.startChat({ labels: { app: "Slackbot" } }) };
  };
  type Listed = { data: { id: string; labels: object }[] };

  it("makes chats that have them, and sees no others", async () => {
    const { owner, bot, outside } = await createBot();
    const created = await bot.call("POST /chats", { content: "x", labels: { thread: "1" } });
    expect(created).toMatchObject({ status: 201, body: { labels: { ...labels, thread: "1" } } });
    const { id } = created.body as { id: string };
    const shared = await owner.startChat({ labels });
    const list = (await bot.call("GET /chats")).body as Listed;
    expect(new Set(list.data.map((chat) => chat.id))).toEqual(new Set([id, shared]));
    for (const route of [
      `GET /chats/${outside}`,
      `GET /chats/${outside}/messages`,
      `GET /chats/${outside}/stream`,
      `GET /chats/${outside}/export?format=json`,
      `DELETE /chats/${outside}`,
    ]) {
      expect((await bot.fail(route)).status, route).toBe(404);
    }
    const sent = { content: "x" };
    expect((await bot.fail(`POST /chats/${outside}/messages`, sent)).status).toBe(404);
    expect((await owner.call(`GET /chats/${outside}`)).status).toBe(200);
  });

  it("takes no chat from others, and gives none to them", async () => {
    const { bot, outside } = await createBot();
    const chat = await bot.call("POST /chats", { content: "x" });
    const { id } = chat.body as { id: string };
    const other = { labels: { app: "other" } };
    for (const [route, sent] of [
      ["POST /chats", { content: "x", ...other }],
      [`PATCH /chats/${id}`, other],
    ] as const) {
      const { problem } = await bot.fail(route, sent);
      expect(problem).toMatchObject({ status: 403, errors: [{ pointer: "/labels/app" }] });
    }
    expect((await bot.fail(`PATCH /chats/${outside}`, { labels })).status).toBe(404);
    const changed = await bot.call(`PATCH /chats/${id}`, { labels: { thread: "2" } });
    expect(changed.body).toMatchObject({ labels: { ...labels, thread: "2" } });
  });

  it("forks a chat to one that it sees", async () => {
    const { owner, bot } = await createBot();
    const messages = [
      { role: "user", content: "x" },
      { role: "assistant", content: "y" },
    ];
    const chat = await owner.call("POST /chats", { messages, labels: { ...labels, thread: "1" } });
    const { id } = chat.body as { id: string };
    const fork = await bot.call(`POST /chats/${id}/fork`, {});
    expect(fork).toMatchObject({ status: 201, body: { labels } });
    expect((await owner.call(`POST /chats/${id}/fork`, {})).body).toMatchObject({ labels: {} });
  });

  it("is told of an external id of a chat that it does not see", async () => {
    const { owner, bot } = await createBot();
    await owner.startChat({ external_id: "thread-1" });
    for (const if_exists of ["conflict", "return", "send"]) {
      const sent = { content: "x", external_id: "thread-1", if_exists };
      const { problem } = await bot.fail("POST /chats", sent);
      expect(problem).toMatchObject({ status: 409, reason: "external_id_taken" });
      expect(problem).not.toHaveProperty("chat_id");
    }
  });

  it("is given no stored answer of another key, and imports nothing", async () => {
    const { owner, bot } = await createBot();
    const once = { "idempotency-key": "once" };
    expect((await owner.call("POST /chats", { content: "x" }, once)).status).toBe(201);
    expect((await bot.fail("POST /chats", { content: "x" }, once)).status).toBe(422);
    expect((await bot.fail("POST /imports?name=a.zip", Buffer.from("PK"))).status).toBe(403);
  });

  it("is announced no other chats on its stream", async () => {
    const { owner, bot, outside } = await createBot();
    const stream = await test.api.handleRest(bot.request("GET /watch"));
    const inside = await owner.startChat();
    await owner.call(`PATCH /chats/${outside}`, { title: "Secret" });
    await owner.call(`DELETE /chats/${outside}`);
    await owner.call(`PATCH /chats/${inside}`, { labels });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes(inside)) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    expect(text).not.toContain(outside);
  });

  const UNUSUAL: Record<string, string>[] = [
    { "a\"\\'$1{}": "b\"\\'" },
    { constructor: "x", "0": "y", "a.b": "z" },
  ];
  it.each(UNUSUAL)("with unusual texts sees its chats: %o", async (unusual) => {
    const { bot } = await createBot({ labels: unusual });
    const { id } = (await bot.call("POST /chats", { content: "x" })).body as { id: string };
    expect((await bot.call(`GET /chats/${id}`)).status).toBe(200);
    const { data } = (await bot.call("GET /chats")).body as Listed;
    expect(data.map((chat) => chat.id)).toEqual([id]);
  });

  it("is not made without a label that it names", async () => {
    const owner = await createClient(db, test);
    for (const text of [
      '{"\\u0000":"x"}',
      '{"__proto__":"x"}',
      '{"__proto__":"x","a":"b"}',
      "{}",
    ]) {
      const body = `{"name":"x","only":{"labels":${text}}}`;
      const made = await owner.call("POST /api-keys", body);
      expect(made.status, text).toBe(400);
    }
  });
});

describe("a key for some tools that makes chats", () => {
  it("names no others", async () => {
    const owner = await createClient(db, test);
    const bot = await createKey(owner, { scopes: ["chat"], only });
    const declare = (name: string) => ({ content: "x", dynamic_tools: [{ name }] });
    expect((await bot.call("POST /chats", declare("restart_db"))).status).toBe(201);
    const chatId = await owner.startChat();
    const mentions = { tools: ["exec"] };
    for (const [route, sent] of [
      ["POST /chats", declare("delete_db")],
      ["POST /chats", { content: "x", tools: ["exec"] }],
      [`PATCH /chats/${chatId}`, { tools: ["exec"] }],
      [`POST /chats/${chatId}/messages`, { content: "x", mentions }],
    ] as const) {
      expect((await bot.fail(route, sent)).status, route).toBe(403);
    }
  });
});
