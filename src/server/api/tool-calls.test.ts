import { setTimeout } from "node:timers/promises";
import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import type { Chat } from "@/contract/chat";
import type { ChatPage } from "@/contract/chat-outputs";
import type { ClaimedCall, ClaimedCalls, OpenCall, OpenCallPage } from "@/contract/call";
import type { Problem } from "@/contract/problem";
import type { Database } from "@/server/db/connection/database";
import { shutdown } from "@/server/stream/shutdown";
import { createClient, createTestApi } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { HANGING } from "@/test/hanging";
import { commitAnswer, openCall } from "@/test/park-chat";

const database = await testDatabase();
/** Statements of this process that look for calls. */
let statements = 0;
/** Reads of what a chat waits for. */
let reads = 0;
/** Statements of this process that store results. */
let stored = 0;
/** Runs after a claim has been stored, before its answer. */
let holdClaim: (() => Promise<unknown>) | undefined;
/** Runs after a call was read for its result, before that is stored. */
let holdResult: (() => Promise<unknown>) | undefined;
/** Runs after results have been stored, before their answers. */
let holdStored: (() => Promise<unknown>) | undefined;
const db: Database = {
  ...database,
  query: (statement, values) => {
    if (/^(?:claim-calls|find-next-offer)$/.test(statement.name)) statements += 1;
    if (/^chat-(?:with-some-calls|changes)$/.test(statement.name)) reads += 1;
    const isResult = statement.name.startsWith("answer-and-");
    if (isResult) stored += 1;
    const answer = database.query(statement, values);
    if (isResult && holdStored)
      return answer.then((rows) => holdStored?.().then(() => rows) ?? rows);
    if (statement.name === "chat-with-some-calls" && holdResult)
      return answer.then((rows) => holdResult?.().then(() => rows) ?? rows);
    return statement.name === "claim-calls" && holdClaim
      ? answer.then((rows) => holdClaim?.().then(() => rows) ?? rows)
      : answer;
  },
} as Database;
const api = createTestApi(db);
const client = await createClient(db, api);

const hang = (): Promise<never> => new Promise(() => undefined);

const TOOL = {
  name: "restart",
  description: "Restarts",
  output_schema: { type: "string" },
  repeatable: true,
};

const park = async (ids: readonly string[], labels: object = {}): Promise<string> => {
  const chatId = await client.startChat({ dynamic_tools: [TOOL, { name: "look" }], labels });
  const parts = ids.map((id) => openCall(id, id === "look" ? "look" : "restart"));
  await commitAnswer(db, chatId, { parts, after: "park" });
  return chatId;
};

const list = async (query = ""): Promise<OpenCallPage> => {
  const { status, body } = await client.call(`GET /tool-calls${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as OpenCallPage;
};

const claim = async (body: object): Promise<ClaimedCall[]> =>
  (
    (await client.call("POST /tool-calls/claim", { holder: "runner-7", ...body }))
      .body as ClaimedCalls
  ).data;

const getRequired = async (chatId: string): Promise<OpenCall[]> => {
  const { body } = await client.call(`GET /chats/${chatId}`);
  return (body as Chat).required_action?.tool_calls ?? [];
};

it("lists open calls in pages, the oldest first, as the chats name them", async () => {
  const chatId = await park(["a", "b", "look"], { app: "bot", team: "a=b" });
  const other = await park(["a"], { app: "other" });
  const first = await list("?limit=2");
  expect(first.data.map(({ tool_call_id }) => tool_call_id)).toEqual(["a", "b"]);
  const rest = await list(`?limit=50&cursor=${first.next_cursor}`);
  expect(rest.next_cursor).toBeUndefined();
  expect(rest.data.map(({ chat_id, tool_call_id }) => [chat_id, tool_call_id])).toEqual([
    [chatId, "look"],
    [other, "a"],
  ]);
  expect([...first.data, ...rest.data.slice(0, 1)]).toEqual(await getRequired(chatId));
  expect(first.data[0]).toMatchObject({
    root_chat_id: chatId,
    description: "Restarts",
    labels: { app: "bot" },
    attempt: 1,
    claim: null,
  });
  const labeled = await list("?label=app=bot&label=team=a%3Db&tool=look");
  expect(labeled.data.map(({ tool_call_id }) => tool_call_id)).toEqual(["look"]);
  expect((await list("?label=app=bot&label=team=x")).data).toEqual([]);
  expect((await list("?label=app=bot&label=app=bot")).data).toHaveLength(3);
  const [claimed] = await claim({ labels: { app: "other" } });
  expect((await list("?claimed=true")).data).toMatchObject([
    { chat_id: other, claim: { holder: "runner-7" } },
  ]);
  expect((await list("?claimed=false")).data).toHaveLength(3);
  // The token is for the holder alone.
  expect(JSON.stringify(await list())).not.toContain(claimed?.claim.token);
  expect(JSON.stringify(await getRequired(other))).not.toContain(claimed?.claim.token);
});

it("lets a program claim, keep, give back and answer a call", async () => {
  const chatId = await park(["a"], { test: "one" });
  const [call] = await claim({ labels: { test: "one" }, tools: ["restart"], lease_seconds: 600 });
  const token = call?.claim.token ?? "";
  const path = `/chats/${chatId}/tool-calls/a`;
  const beat = await client.call(`POST ${path}/heartbeat`, {
    token,
    progress: { message: "Copying", percent: 40.5 },
  });
  expect(beat.status).toBe(200);
  expect((await getRequired(chatId))[0]?.claim).toMatchObject({
    holder: "runner-7",
    progress: { message: "Copying", percent: 40.5 },
  });
  const refused = await client.call(`POST ${path}/claim`, { holder: "other" });
  expect(refused.status).toBe(409);
  expect(refused.headers.get("x-should-retry")).not.toBe("false");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
  expect(refused.body as Problem).toMatchObject({
    reason: "call_claimed",
    call: { state: "awaiting_result", claim: { holder: "runner-7" } },
  });
  expect((await client.call(`POST ${path}/release`, { token })).status).toBe(204);
  const lost = await client.call(`POST ${path}/result`, { token, output: "done" });
  expect([lost.status, (lost.body as Problem).reason]).toEqual([409, "lease_lost"]);
  expect(lost.headers.get("x-should-retry")).toBe("false");
  const again = (await client.call(`POST ${path}/claim`, { holder: "other" })).body as ClaimedCall;
  const result = { token: again.claim.token, output: "done" };
  for (let sent = 0; sent < 2; sent += 1)
    expect((await client.call(`POST ${path}/result`, result)).status).toBe(204);
});

it("a chat whose calls programs work on does not need its person", async () => {
  const labels = { test: "attention" };
  const chatId = await park(["a", "b"], labels);
  const listNeedy = async (needs: boolean): Promise<string[]> => {
    const { body } = await client.call(`GET /chats?needs_you=${needs}&limit=200`);
    return (body as ChatPage).data
      .filter(({ id, needs_you }) => id === chatId && needs_you === needs)
      .map(({ id }) => id);
  };
  await claim({ labels });
  expect([await listNeedy(true), await listNeedy(false)]).toEqual([[chatId], []]);
  const [second] = await claim({ labels });
  expect([await listNeedy(true), await listNeedy(false)]).toEqual([[], [chatId]]);
  const path = `/chats/${chatId}/tool-calls/${second?.tool_call_id}`;
  await client.call(`POST ${path}/release`, { token: second?.claim.token });
  expect([await listNeedy(true), await listNeedy(false)]).toEqual([[chatId], []]);
});

describe("a program that waits", () => {
  const waiting = (body: object = {}): Promise<ClaimedCall[]> =>
    claim({ wait_seconds: 30, ...body });
  /** Claims that have found nothing yet. */
  const start = async (count: number, body: object): Promise<Promise<ClaimedCall[]>[]> => {
    const before = statements;
    const started = Array.from({ length: count }, () => waiting(body));
    // Each looks for calls once, and whether one is free.
    await expect.poll(() => statements, HANGING).toBeGreaterThanOrEqual(before + 2 * count);
    return started;
  };

  it("gets a call as soon as a chat makes one, and one of many gets it", async () => {
    const labels = { test: "waiting" };
    const others = await start(20, { labels });
    const [call] = await Promise.all([Promise.race(others), park(["a"], labels)]);
    expect(call).toMatchObject([{ tool_call_id: "a" }]);
    const path = `/chats/${call[0]?.chat_id}/tool-calls/a`;
    const token = call[0]?.claim.token;
    // What is given back is offered to the next.
    const next = Promise.race(others.map(async (each) => ((await each) === call ? hang() : each)));
    expect((await client.call(`POST ${path}/release`, { token })).status).toBe(204);
    const [again] = await next;
    expect(again?.claim.token).not.toBe(token);
    const before = statements;
    await park(["a"], { test: "other" });
    await new Promise(setImmediate);
    // Those who want the same calls are not asked one by one.
    expect(statements - before).toBeLessThan(10);
    await park(
      Array.from({ length: 18 }, (_, index) => `c${index}`),
      labels,
    );
    const all = (await Promise.all(others)).flat();
    expect(new Set(all.map(({ chat_id, tool_call_id }) => chat_id + tool_call_id)).size).toBe(19);
    await client.call(`POST ${path}/result`, { token: again?.claim.token, output: "done" });
  });

  it("gets a call that was given back as soon as it is offered again", async () => {
    const labels = { test: "later" };
    const chatId = await park(["a"], labels);
    const [call] = await claim({ labels });
    const others = await start(20, { labels });
    const release = { token: call?.claim.token, retry_after_seconds: 1 };
    const path = `/chats/${chatId}/tool-calls/a`;
    expect((await client.call(`POST ${path}/release`, release)).status).toBe(204);
    // All who wait ask for it once.
    const before = statements;
    const [again] = await Promise.race(others);
    expect(again).toMatchObject({ tool_call_id: "a", attempt: 1 });
    expect(statements - before).toBeLessThan(10);
    await park(
      Array.from({ length: 19 }, (_, index) => `c${index}`),
      labels,
    );
    await Promise.all(others);
    await client.call(`POST ${path}/result`, { token: again?.claim.token, output: "done" });
  });

  it("is not asked one by one when calls of others open while many try", async () => {
    const labels = { test: "trying" };
    const before = statements;
    const { promise: noticed, resolve: goOn } = Promise.withResolvers<undefined>();
    holdClaim = () => noticed;
    const others = Array.from({ length: 20 }, () => waiting({ labels }));
    await expect.poll(() => statements, HANGING).toBe(before + 20);
    await park(["a"], { test: "other" });
    holdClaim = undefined;
    goOn(undefined);
    await park(
      Array.from({ length: 20 }, (_, index) => `c${index}`),
      labels,
    );
    await Promise.all(others);
    // Each looks once and gets one; between these, one looks again for all.
    expect(statements - before).toBeLessThan(20 + 20 + 20 + 10);
  });

  it("gets nothing when its time is over or the server stops, and its calls are given back when it is gone", async () => {
    const labels = { test: "gone" };
    expect(await claim({ labels, wait_seconds: 1 })).toEqual([]);
    const [stopped] = await start(1, { labels });
    shutdown.signal.dispatchEvent(new Event("abort"));
    expect(await stopped).toEqual([]);
    const chatId = await park(["a"], labels);
    const gone = new AbortController();
    const request = client.request("POST /tool-calls/claim", { holder: "gone", labels });
    gone.abort();
    await api.api.handleRest(new Request(request, { signal: gone.signal }));
    expect((await getRequired(chatId))[0]?.claim).toBeNull();
    const given = { chatId, holder: "gone", token: null };
    expect(await db.prisma.callClaim.count({ where: given })).toBe(1);
  });

  it("has its calls given back when its key is revoked before the answer", async () => {
    const other = await createClient(db, api);
    const chatId = await other.startChat({ dynamic_tools: [TOOL] });
    await commitAnswer(db, chatId, { parts: [openCall("a", "restart")], after: "park" });
    const claimAs = (holder: string, labels: object = {}) =>
      other.call("POST /tool-calls/claim", { holder, labels, wait_seconds: 30 });
    const before = statements;
    const idle = claimAs("idle", { none: "such" });
    await expect.poll(() => statements, HANGING).toBeGreaterThanOrEqual(before + 2);
    holdClaim = async () => {
      holdClaim = undefined;
      await db.prisma.apiKey.deleteMany({ where: { id: other.keyId } });
      expect((await idle).status).toBe(401);
    };
    expect((await claimAs("revoked")).status).toBe(401);
    const given = { chatId, holder: "revoked", token: null };
    expect(await db.prisma.callClaim.count({ where: given })).toBe(1);
  });

  it("keeps what it had claimed before when it is gone, as it may have begun that", async () => {
    const labels = { test: "resumed" };
    const chatId = await park(["a", "b"], labels);
    const wanted = { holder: "gone", labels };
    expect(await claim(wanted)).toHaveLength(1);
    const body = { ...wanted, limit: 2, resume: true };
    const request = client.request("POST /tool-calls/claim", body);
    await api.api.handleRest(new Request(request, { signal: AbortSignal.abort() }));
    const held = (await getRequired(chatId)).map((call) => call.claim?.holder);
    expect(held).toEqual(["gone", undefined]);
  });
});

describe("results of one chat that come at the same time", () => {
  const send = (chatId: string, id: string, sent: object) =>
    client.call(`POST /chats/${chatId}/tool-calls/${id}/result`, sent);
  const ids = Array.from({ length: 40 }, (_, index) => `call-${index}`);

  it("are stored together, each as the answer of its call", async () => {
    const chatId = await park(ids);
    stored = 0;
    const sendIts = (id: string) => send(chatId, id, { output: `of ${id}` });
    const [first = "", ...others] = ids;
    const sent: Promise<{ status: number }>[] = [];
    // The others come while the first one is stored.
    holdResult = () => {
      holdResult = undefined;
      sent.push(...others.map(sendIts));
      return Promise.resolve();
    };
    // Each write takes so long that meanwhile all others are read and validated, also on a busy machine.
    holdStored = async () => {
      for (let turn = 0; turn < 20; turn++) await setTimeout(20);
    };
    expect((await sendIts(first)).status).toBe(204);
    const answers = await Promise.all(sent);
    expect(answers.map(({ status }) => status)).toEqual(others.map(() => 204));
    holdStored = undefined;
    expect(stored).toBeLessThan(10);
    const { body } = await client.call(`GET /chats/${chatId}/messages`);
    const { data } = body as { data: { parts: { tool_call_id?: string; output?: string }[] }[] };
    const parts = data.flatMap((message) => message.parts).filter((part) => part.tool_call_id);
    expect(parts.map(({ output }) => output)).toEqual(ids.map((id) => `of ${id}`));
    expect((await client.call(`GET /chats/${chatId}`)).body).toMatchObject({ status: "pending" });
  });

  it("are decided by what the results before have left, as long as nothing else changes the chat", async () => {
    const chatId = await park(ids.map((id) => `look-${id}`));
    const sendLook = (id: string, sent: object = {}) =>
      send(chatId, `look-${id}`, { output: "done", ...sent });
    const [one = "", two = "", three = "", four = "", five = "", six = "", ...others] = ids;
    const before = reads;
    for (const id of [one, two, three, four]) expect((await sendLook(id)).status).toBe(204);
    // The first reads its call, the second one all of them.
    expect(reads - before).toBe(2);
    const held = await client.call(`POST /chats/${chatId}/tool-calls/look-${five}/claim`, {
      holder: "other",
    });
    await client.call(`PATCH /chats/${chatId}`, { title: "Renamed" });
    expect(await Promise.all([sendLook(five), sendLook(six)])).toMatchObject([
      { status: 409, body: { reason: "call_claimed" } },
      { status: 204 },
    ]);
    expect(await sendLook(six, { output: "other" })).toMatchObject({ status: 409 });
    const { claim: held5 } = held.body as ClaimedCall;
    expect((await sendLook(five, { token: held5.token })).status).toBe(204);
    const answers = await Promise.all(others.map((id) => sendLook(id)));
    expect(answers.map(({ status }) => status)).toEqual(others.map(() => 204));
    expect((await client.call(`GET /chats/${chatId}`)).body).toMatchObject({
      status: "pending",
      title: "Renamed",
    });
  });

  it("are refused one by one, and hold up none of the others", async () => {
    const chatId = await park(["a", "b", "c", "d"]);
    const held = await client.call(`POST /chats/${chatId}/tool-calls/d/claim`, { holder: "other" });
    expect(held.status).toBe(200);
    const answers = await Promise.all([
      send(chatId, "a", { output: "one" }),
      send(chatId, "b", { output: "one" }),
      send(chatId, "b", { output: "two" }),
      send(chatId, "b", { output: "one" }),
      send(chatId, "c", { output: 3 }),
      send(chatId, "none", { output: "one" }),
      send(chatId, "d", { output: "one" }),
      send(chatId, "d", { output: "one", token: newId() }),
      send(chatId, "c", { output: "one", file_ids: [newId()] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      204, 204, 409, 204, 400, 404, 409, 409, 400,
    ]);
    expect((await client.call(`GET /chats/${chatId}`)).body).toMatchObject({
      status: "requires_action",
      required_action: { tool_calls: [{ tool_call_id: "c" }, { tool_call_id: "d" }] },
    });
  });
});

it("stores results with keys that find another version of their chat, at the same time", async () => {
  const chatId = await park(["a", "b", "c"]);
  const claimOther = () => client.call(`POST /chats/${chatId}/tool-calls/c/claim`, { holder: "h" });
  holdResult = async () => {
    holdResult = undefined;
    expect((await claimOther()).status).toBe(200);
  };
  const send = (id: string) =>
    client.call(
      `POST /chats/${chatId}/tool-calls/${id}/result`,
      { output: "done" },
      { "idempotency-key": `key-${id}` },
    );
  const answers = await Promise.all([send("a"), send("b")]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
});

it("refuses what is not valid, and changes nothing", async () => {
  const chatId = await park(["a"], { test: "two" });
  const before = await client.call(`GET /chats/${chatId}`);
  const path = `/chats/${chatId}/tool-calls/a`;
  const token = "00000000-0000-4000-8000-000000000000";
  for (const [route, body] of [
    ["POST /tool-calls/claim", {}],
    ["POST /tool-calls/claim", { holder: "" }],
    ["POST /tool-calls/claim", { holder: " " }],
    ["POST /tool-calls/claim", { holder: "h".repeat(10_000) }],
    ["POST /tool-calls/claim", { holder: "h\0" }],
    ...[0, -1, 9, 3_601, 1e9, 1.5, "60", null].map(
      (lease_seconds) => ["POST /tool-calls/claim", { holder: "h", lease_seconds }] as const,
    ),
    ["POST /tool-calls/claim", { holder: "h", limit: 51 }],
    ["POST /tool-calls/claim", { holder: "h", wait_seconds: 31 }],
    ["POST /tool-calls/claim", { holder: "h", tools: [] }],
    ["POST /tool-calls/claim", { holder: "h", labels: { a: 1 } }],
    ["POST /tool-calls/claim", { holder: "h", unknown: 1 }],
    [`POST ${path}/claim`, { holder: "h", message_id: "x" }],
    [`POST ${path}/heartbeat`, { token: "x" }],
    [`POST ${path}/heartbeat`, { token, progress: { message: "m".repeat(501) } }],
    [`POST ${path}/heartbeat`, { token, progress: { message: "m", percent: 101 } }],
    [`POST ${path}/heartbeat`, { token, progress: { message: "m", other: 1 } }],
    [`POST ${path}/release`, { token, retry_after_seconds: -1 }],
    [`POST ${path}/result`, { token: "x", output: 1 }],
    ["GET /tool-calls?label=x", undefined],
    ["GET /tool-calls?label==x", undefined],
    ["GET /tool-calls?label=a=1&label=a=2", undefined],
    ["GET /tool-calls?cursor=x", undefined],
    ["GET /tool-calls?claimed=x", undefined],
    ["GET /tool-calls?limit=0", undefined],
  ] as const) {
    const { status } = await client.call(route, body);
    expect(status, `${route} ${JSON.stringify(body)}`).toBe(400);
  }
  expect(await client.call(`GET /chats/${chatId}`)).toMatchObject({ body: before.body as object });
  expect((await client.call(`POST ${path}x/claim`, { holder: "h" })).status).toBe(404);
  expect((await client.call(`POST ${path}x/heartbeat`, { token })).status).toBe(404);
  expect((await client.call(`POST ${path}x/release`, { token })).status).toBe(404);
  expect((await client.call(`POST ${path}/release`, { token })).status).toBe(409);
});
