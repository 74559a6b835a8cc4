import { createParser, type EventSourceMessage } from "eventsource-parser";
import { v7 as newId } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "@/contract/problem";
import type { Database } from "@/server/db/connection/database";
import {
  createClient,
  createTestApi,
  ORIGIN,
  type TestApi,
  type TestClient,
} from "@/test/api-client";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { writeMessage } from "@/test/chat-rows";
import { beginTestTask } from "@/test/task-fixture";
import { testDatabase } from "@/test/database";
import {
  createImport,
  createPushSubscription,
  createStartingText,
  createSession,
} from "@/test/factories";
import { commitAnswer, openCall } from "@/test/park-chat";
import { PASSWORD } from "@/test/session-client";
import { testProcess } from "@/test/test-process";
import { getOpenapiDocument } from "./openapi";
import { OPERATION_TEXTS } from "./operation-texts/all-operation-texts";
import type { DownloadOperation, Operation, StreamOperation } from "./operation";
import { downloads, operations, streams, uploads } from "./operations/all-operations";
import { appRouter } from "./router";

type Route = Operation | DownloadOperation | StreamOperation;
type Ids = Record<string, string>;

const procedures: readonly Route[] = [...operations, ...streams];
const routes: readonly Route[] = [...procedures, ...uploads, ...downloads];
const isStream = (route: Route): route is StreamOperation => "event" in route;
/** What a path names that is the server's and no user's; its own tests say who may change it. */
const OF_THE_SERVER: Ids = { name: "current_time", model_id: newId(), server_id: newId() };
const isUpload = (route: Route): boolean => "bodyType" in route && route.bodyType === "file";
/** Names something of the owner in its path, or the chat of a file in its query. */
const isOwned = (route: Route): boolean =>
  isUpload(route) ||
  [...route.path.matchAll(/\{(\w+)\}/g)].some(([, name = ""]) => !(name in OF_THE_SERVER));
const namesResource = (route: Route): boolean => route.path.includes("{") || isUpload(route);

let db: Database;
let api: TestApi;
let owner: TestClient;
let stranger: TestClient;
beforeAll(async () => {
  db = await testDatabase();
  api = createTestApi(db);
  // Some routes are for administrators.
  owner = await createClient(db, api, { role: "owner" });
  stranger = await createClient(db, api);
});
afterAll(async () => {
  await db.prisma.setting.deleteMany();
  await db.prisma.recipe.deleteMany();
  await db.prisma.mcpServer.deleteMany();
});

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0)) await close();
});

/** A valid body for each route whose example does not fit here; of a GET, its query. */
const BODIES: Record<string, object> = {
  "messages.search": { q: "x" },
  "chats.submitToolResults": { results: [{ tool_call_id: "a", output: 1 }] },
  "toolCalls.extend": { deadline_at: new Date(Date.now() + 3_600_000).toISOString() },
  "chats.decideApprovals": { decisions: [{ tool_call_id: "b", decision: "approve" }] },
  "account.changePassword": { current_password: PASSWORD, new_password: "another password" },
  // Each request of the owner adds another model.
  get "models.create"() {
    return { provider: "demo", model: newId() };
  },
};

const OWNERS_CALL = "call_of_the_owner";

/** Creates a resource of the owner for each path parameter, with a pending chat. */
const createPending = async (): Promise<Ids> => {
  const chat_id = await owner.startChat({ dynamic_tools: [{ name: "deploy" }] });
  const { body: page } = await owner.call(`GET /chats/${chat_id}/messages`);
  const { body: sent } = await owner.call(`POST /chats/${chat_id}/messages`, { content: "queued" });
  await db.prisma.startingText.deleteMany();
  await db.prisma.import.deleteMany();
  // Edited, so that the chat does not wait for it.
  const parts = [openCall(OWNERS_CALL, "deploy")];
  await writeMessage(db, chat_id, { seq: 999, role: "assistant", deleted: true, parts });
  const { body: key } = await owner.call("POST /api-keys", { name: "x" });
  const { body: file } = await owner.call(`POST /files?chat_id=${chat_id}`, "a file");
  return {
    chat_id,
    message_id: (page as { data: { id: string }[] }).data[0]?.id ?? "",
    queued_id: (sent as { queued_message: { id: string } }).queued_message.id,
    key_id: (key as { id: string }).id,
    task_id: await beginTestTask(db, { chatId: chat_id }),
    rule_id: await createRule(chat_id),
    session_id: await createSession(db, owner.userId),
    text_id: await createStartingText(db, owner.userId),
    import_id: await createImport(db, owner.userId),
    subscription_id: await createPushSubscription(db, owner.userId),
    file_id: (file as { id: string }).id,
    tool_call_id: OWNERS_CALL,
  };
};

const createRule = async (chatId: string): Promise<string> => {
  const rule = { chatId, toolName: "exec", scopeHash: "", createdBy: owner.userId };
  return (await db.prisma.approvalRule.create({ data: { id: newId(), ...rule } })).id;
};

/** The same with a parked chat whose recent changes are cached, so that reads use the cache. */
const createParked = async (): Promise<Ids> => {
  const ids = await createPending();
  const chatId = ids.chat_id ?? "";
  cleanups.push(testProcess(db).recent.watch(chatId));
  const parts = [openCall("a", "deploy"), openCall("b", "deploy", { state: "awaiting_approval" })];
  await commitAnswer(db, chatId, { parts, after: "park" });
  const [chat, messages] = [await readChat(db, chatId), await readWholeHistory(db, chatId)];
  testProcess(db).recent.add({ chat, messages });
  return ids;
};

const getPathParams = ({ path }: Route, ids: Ids): Ids =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
      const id = ids[name] ?? OF_THE_SERVER[name];
      if (id === undefined) throw new Error(`add a ${name} of the owner's, for ${path}`);
      return [name, id];
    }),
  );

const getBody = ({ name }: Route): object =>
  BODIES[name] ?? OPERATION_TEXTS[name]?.examples?.minimal ?? {};

type TestResponse = { status: number; text: string; problem?: Problem };

/** Reads the first message of a stream and closes it. */
const readFirstMessage = async (response: Response): Promise<EventSourceMessage | undefined> => {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (message) => {
      if (message.event !== "connected") messages.push(message);
    },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (messages.length === 0) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return undefined;
    parser.feed(chunk.value);
  }
  await reader?.cancel();
  return messages[0];
};

const isEventStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") ?? false;

const callRest = async (user: TestClient, route: Route, ids: Ids): Promise<TestResponse> => {
  const { method } = route;
  const params = getPathParams(route, ids);
  const path = route.path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? "");
  const hasBody = method !== "GET" && method !== "DELETE";
  const query = isUpload(route)
    ? `?chat_id=${ids.chat_id}`
    : method === "GET" && route.name in BODIES
      ? `?${new URLSearchParams(BODIES[route.name] as Record<string, string>).toString()}`
      : "";
  const request = user.request(
    `${method} ${path}${query}`,
    hasBody ? getBody(route) : undefined,
    // All users send the same key, because responses are stored per user.
    method === "POST" ? { "idempotency-key": `shared${query}` } : {},
  );
  const response = await api.api.handleRest(request);
  const { status } = response;
  if (isEventStream(response))
    return { status, text: (await readFirstMessage(response))?.data ?? "" };
  const text = await response.text();
  return status < 400 ? { status, text } : { status, text, problem: JSON.parse(text) as Problem };
};

const callTrpc = async (user: TestClient, route: Route, ids: Ids): Promise<TestResponse> => {
  const url = `${ORIGIN}/api/trpc/${route.name}`;
  const input = JSON.stringify({ ...getBody(route), ...getPathParams(route, ids) });
  const headers = { authorization: `Bearer ${user.key}`, "content-type": "application/json" };
  const request =
    route.method === "GET"
      ? new Request(`${url}?input=${encodeURIComponent(input)}`, { headers })
      : new Request(url, { method: "POST", headers, body: input });
  const response = await api.api.handleTrpc(request);
  if (!isEventStream(response)) return toTrpcResponse(response.status, await response.text());
  const { event, data } = (await readFirstMessage(response)) ?? { data: "" };
  const isError = event === "serialized-error";
  return toTrpcResponse(200, isError ? `{"error":${data}}` : data);
};

const toTrpcResponse = (status: number, text: string): TestResponse => {
  const { error } = JSON.parse(text) as { error?: { data: { problem: Problem } } };
  const problem = error?.data.problem;
  return problem ? { status: problem.status, text, problem } : { status, text };
};

const TRANSPORTS = { REST: callRest, tRPC: callTrpc };
const createCases = (of: readonly Route[]) =>
  Object.entries(TRANSPORTS).flatMap(([transport, call]) =>
    of
      .filter((route) => call === callRest || procedures.includes(route))
      .map((route) => ({ name: `${route.name} over ${transport}`, route, call })),
  );

/** All rows of a user and all settings as one text. */
const STATE = {
  name: "test-state-of-user",
  text: `SELECT json_build_array(
    (SELECT json_agg(c ORDER BY c.id) FROM chat c WHERE c.owner_id = $1),
    (SELECT json_agg(m ORDER BY m.id) FROM message m JOIN chat c ON c.id = m.chat_id WHERE c.owner_id = $1),
    (SELECT json_agg(p ORDER BY p.message_id, p.index) FROM part p
      JOIN message m ON m.id = p.message_id JOIN chat c ON c.id = m.chat_id WHERE c.owner_id = $1),
    (SELECT json_agg(q ORDER BY q.id) FROM queued_message q JOIN chat c ON c.id = q.chat_id WHERE c.owner_id = $1),
    (SELECT json_agg(r ORDER BY r.id) FROM approval_rule r JOIN chat c ON c.id = r.chat_id WHERE c.owner_id = $1),
    (SELECT json_agg(json_build_array(k.id, k.name, k.revoked_at) ORDER BY k.id) FROM api_key k WHERE k.user_id = $1),
    (SELECT json_agg(s ORDER BY s.id) FROM session s WHERE s.user_id = $1),
    (SELECT json_agg(p ORDER BY p.id) FROM push_subscription p WHERE p.user_id = $1),
    (SELECT json_agg(t ORDER BY t.id) FROM starting_text t WHERE t.user_id = $1),
    (SELECT json_agg(i ORDER BY i.id) FROM import i WHERE i.owner_id = $1),
    (SELECT json_agg(a ORDER BY a.id) FROM account a WHERE a.user_id = $1),
    (SELECT json_agg(f.id ORDER BY f.id) FROM artifact f WHERE f.owner_id = $1),
    (SELECT json_agg(s ORDER BY s.key) FROM setting s)
  )::text AS state`,
};
const readState = async (user: TestClient): Promise<string | undefined> =>
  (await db.query<{ state: string }>(STATE, [user.userId]))[0]?.state;

const replaceIds = (ids: Ids, id: () => string): Ids =>
  Object.fromEntries(Object.keys(ids).map((name) => [name, id()]));

/** Removes what differs between requests from a problem. */
const toComparable = ({ problem, status }: TestResponse, ids: Ids) => ({
  ...problem,
  status,
  detail: Object.values(ids).reduce(
    (text, id) => text.replaceAll(id, "…"),
    problem?.detail ?? "no problem",
  ),
  request_id: "",
});

it("the procedures are exactly the operations and streams", () => {
  const names = Object.keys(appRouter._def.procedures);
  expect(names.toSorted()).toEqual(procedures.map(({ name }) => name).toSorted());
  expect(routes.filter(isOwned).length).toBeGreaterThan(10);
});

describe.each([
  { state: "pending chat", create: createPending },
  { state: "parked chat", create: createParked },
])("another user's $state", ({ create }) => {
  it.each(createCases(routes.filter(isOwned)))(
    "is not found by $name and stays unchanged",
    async ({ route, call }) => {
      const ids = await create();
      const before = await readState(owner);

      const foreign = await call(stranger, route, ids);

      expect(await readState(owner)).toBe(before);
      expect(foreign.status).toBe(404);
      const unknown = replaceIds(ids, newId);
      const none = await call(stranger, route, unknown);
      expect(toComparable(foreign, ids)).toEqual(toComparable(none, unknown));
      const malformed = await call(
        stranger,
        route,
        replaceIds(ids, () => "not-an-id"),
      );
      expect(malformed.status).toBe(404);

      // The owner's request is served, so the stranger's was rejected because of the user.
      const own = await call(owner, route, ids);
      expect(own.status, own.text).not.toBe(404);
      expect([200, 201, 202, 204, 409]).toContain(own.status);
      expect(api.faults).toEqual([]);
    },
  );
});

describe("a route without path parameters", () => {
  const routesWithoutIds = routes.filter((route) => !namesResource(route));

  it.each(createCases(routesWithoutIds.filter((route) => !isStream(route))))(
    "$name does not show or change another user's data",
    async ({ route, call }) => {
      const ids = await createParked();
      await callRest(owner, route, ids);
      const before = await readState(owner);

      const { status, text } = await call(stranger, route, ids);

      expect(await readState(owner)).toBe(before);
      expect([200, 201, 204, 403], text).toContain(status);
      for (const id of [...Object.values(ids), owner.userId]) expect(text).not.toContain(id);
    },
  );

  it("lists no chats of other users", async () => {
    await owner.startChat();
    const { body } = await (await createClient(db, api)).call("GET /chats");
    expect(body).toEqual({ data: [] });
  });

  const openRest = ({ path }: Route) =>
    api.api.handleRest(stranger.request(`GET ${path}`, undefined));
  const openTrpc = ({ name }: Route) =>
    api.api.handleTrpc(
      new Request(`${ORIGIN}/api/trpc/${name}`, {
        headers: { authorization: `Bearer ${stranger.key}` },
      }),
    );
  it.each(
    routesWithoutIds.filter(isStream).flatMap((route) => [
      { name: `${route.name} over REST`, open: () => openRest(route) },
      { name: `${route.name} over tRPC`, open: () => openTrpc(route) },
    ]),
  )("$name sends no events of another user's chats", async ({ open }) => {
    const early = await createParked();
    const reader = (await open()).body?.pipeThrough(new TextDecoderStream()).getReader();
    cleanups.push(() => reader?.cancel());
    let text = "";
    const readUntil = async (expected: string): Promise<void> => {
      while (!text.includes(expected)) {
        const chunk = await reader?.read();
        if (!chunk || chunk.done) throw new Error(`the stream ended with ${text}`);
        text += chunk.value;
      }
    };
    // A required action is also sent if it came first; afterwards the stream sends every change.
    const parked = await stranger.startChat({ dynamic_tools: [{ name: "deploy" }] });
    await commitAnswer(db, parked, { parts: [openCall("a", "deploy")], after: "park" });
    await readUntil(parked);
    const late = await createParked();
    await owner.call(`PATCH /chats/${early.chat_id ?? ""}`, { title: "Renamed" });
    await owner.call(`DELETE /chats/${await owner.startChat()}`);

    await readUntil(await stranger.startChat());

    const ids = [...Object.values(early), ...Object.values(late), owner.userId];
    for (const id of ids) expect(text).not.toContain(id);
    expect(text).not.toContain("deleted");
  });
});

describe("every route of the OpenAPI document", () => {
  type Document = { openapi: string; paths: Record<string, Record<string, unknown>> };
  const document = JSON.parse(getOpenapiDocument()) as Document;
  const documentedRoutes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

  it("is covered by this test, except for the document itself", () => {
    expect(document.openapi).toBe("3.1.0");
    const known = routes.map(({ method, path }) => `${method} ${path}`);
    expect(documentedRoutes.toSorted()).toEqual([...known, "GET /openapi.json"].toSorted());
  });

  it("responds to its owner without an error", async () => {
    for (const route of routes.filter((one) => !namesResource(one) && !isStream(one))) {
      const { status } = await callRest(owner, route, {});
      // The owner's requests have an API key.
      const expected = route.scope === "session" ? [403] : [200, 201, 204];
      expect(expected, route.name).toContain(status);
    }
    const response = await api.api.handleRest(owner.request("GET /openapi.json"));
    const etag = response.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const known = await owner.call("GET /openapi.json", undefined, { "if-none-match": etag });
    expect(known).toMatchObject({ status: 304, body: undefined });
    expect(known.headers.get("etag")).toBe(etag);
    const other = await owner.call("GET /openapi.json", undefined, { "if-none-match": '"other"' });
    expect(other.status).toBe(200);
    expect([response.status, await response.json()]).toEqual([200, document]);
    expect(api.faults).toEqual([]);
  });

  it("is 401 without a key, except for the document itself", async () => {
    const ids = await createPending();
    const anonymous = { ...owner, key: "", request: withoutKey };
    for (const { name, route, call } of createCases(routes)) {
      expect((await call(anonymous, route, ids)).status, name).toBe(401);
    }
  });

  const withoutKey: TestClient["request"] = (route, sent, headers) =>
    owner.request(route, sent, { ...headers, authorization: "" });
});
