import { createParser, type EventSourceMessage } from "eventsource-parser";
import { v7 as newId } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import type { Problem } from "@/contract/problem";
import type { Database } from "@/server/db/database";
import { recentChanges } from "@/server/db/recent-changes";
import {
  createClient,
  createTestApi,
  ORIGIN,
  type TestApi,
  type TestClient,
} from "@/test/api-client";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { getOpenapiDocument } from "./openapi";
import type { Operation, StreamOperation } from "./operation";
import { operations, streams } from "./operations/all-operations";
import { appRouter } from "./router";

type Route = Operation | StreamOperation;
type Ids = Record<string, string>;

const routes: readonly Route[] = [...operations, ...streams];
const isStream = (route: Route): route is StreamOperation => "event" in route;
const namesSomething = ({ path }: Route): boolean => path.includes("{");

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
afterAll(() => db.prisma.setting.deleteMany());

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A valid body for each route that needs one. */
const BODIES: Record<string, object> = {
  "chats.create": { content: "x" },
  "messages.send": { content: "x" },
  "messages.edit": { content: "x" },
  "chats.update": { title: "x" },
  "chats.submitToolResults": { results: [{ tool_call_id: "a", output: 1 }] },
  "chats.decideApprovals": { decisions: [{ tool_call_id: "b", decision: "approve" }] },
  "apiKeys.create": { name: "x" },
  "config.setAdvisor": DEFAULT_ADVISOR_CONFIG,
};

/** Something of the owner's for each id that a path names, with a chat that is still to be answered. */
const createPending = async (): Promise<Ids> => {
  const chat_id = await owner.startChat({ dynamic_tools: [{ name: "deploy" }] });
  const { body: page } = await owner.call(`GET /chats/${chat_id}/messages`);
  const { body: sent } = await owner.call(`POST /chats/${chat_id}/messages`, { content: "queued" });
  const { body: key } = await owner.call("POST /api-keys", { name: "x" });
  return {
    chat_id,
    message_id: (page as { data: { id: string }[] }).data[0]?.id ?? "",
    queued_id: (sent as { queued_message: { id: string } }).queued_message.id,
    key_id: (key as { id: string }).id,
  };
};

/** The same with a parked chat that this process watches, and so answers from memory where it can. */
const createParked = async (): Promise<Ids> => {
  const ids = await createPending();
  const chatId = ids.chat_id ?? "";
  closing.push(recentChanges(db).watch(chatId));
  const parts = [openCall("a", "deploy"), openCall("b", "deploy", { state: "awaiting_approval" })];
  await commitAnswer(db, chatId, { parts, after: "park" });
  const [chat, messages] = [await readChat(db, chatId), await readWholeHistory(db, chatId)];
  recentChanges(db).add({ chat, messages });
  return ids;
};

const pathParams = ({ path }: Route, ids: Ids): Ids =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
      const id = ids[name];
      if (id === undefined) throw new Error(`add a ${name} of the owner's, for ${path}`);
      return [name, id];
    }),
  );

type Answer = { status: number; text: string; problem?: Problem };

/** Reads no more of a stream than its first message. */
const firstMessage = async (response: Response): Promise<EventSourceMessage | undefined> => {
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

const callRest = async (person: TestClient, route: Route, ids: Ids): Promise<Answer> => {
  const { method, name } = route;
  const params = pathParams(route, ids);
  const path = route.path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? "");
  const hasBody = method !== "GET" && method !== "DELETE";
  const request = person.request(
    `${method} ${path}`,
    hasBody ? (BODIES[name] ?? {}) : undefined,
    // The same key for everybody: answers are kept for each user apart.
    method === "POST" ? { "idempotency-key": "shared" } : {},
  );
  const response = await api.api.handleRest(request);
  const { status } = response;
  if (isEventStream(response)) return { status, text: (await firstMessage(response))?.data ?? "" };
  const text = await response.text();
  return status < 400 ? { status, text } : { status, text, problem: JSON.parse(text) as Problem };
};

const callTrpc = async (person: TestClient, route: Route, ids: Ids): Promise<Answer> => {
  const url = `${ORIGIN}/api/trpc/${route.name}`;
  const input = JSON.stringify({ ...BODIES[route.name], ...pathParams(route, ids) });
  const headers = { authorization: `Bearer ${person.key}`, "content-type": "application/json" };
  const request =
    route.method === "GET"
      ? new Request(`${url}?input=${encodeURIComponent(input)}`, { headers })
      : new Request(url, { method: "POST", headers, body: input });
  const response = await api.api.handleTrpc(request);
  if (!isEventStream(response)) return toTrpcAnswer(response.status, await response.text());
  const { event, data } = (await firstMessage(response)) ?? { data: "" };
  const isError = event === "serialized-error";
  return toTrpcAnswer(200, isError ? `{"error":${data}}` : data);
};

const toTrpcAnswer = (status: number, text: string): Answer => {
  const { error } = JSON.parse(text) as { error?: { data: { problem: Problem } } };
  const problem = error?.data.problem;
  return problem ? { status: problem.status, text, problem } : { status, text };
};

const TRANSPORTS = { REST: callRest, tRPC: callTrpc };
const cases = (of: readonly Route[]) =>
  Object.entries(TRANSPORTS).flatMap(([transport, call]) =>
    of.map((route) => ({ name: `${route.name} over ${transport}`, route, call })),
  );

/** All rows of a user, and the settings, as one text. */
const STATE = {
  name: "test-state-of-user",
  text: `SELECT json_build_array(
    (SELECT json_agg(c ORDER BY c.id) FROM chat c WHERE c.owner_id = $1),
    (SELECT json_agg(m ORDER BY m.id) FROM message m JOIN chat c ON c.id = m.chat_id WHERE c.owner_id = $1),
    (SELECT json_agg(p ORDER BY p.message_id, p.index) FROM part p
      JOIN message m ON m.id = p.message_id JOIN chat c ON c.id = m.chat_id WHERE c.owner_id = $1),
    (SELECT json_agg(q ORDER BY q.id) FROM queued_message q JOIN chat c ON c.id = q.chat_id WHERE c.owner_id = $1),
    (SELECT json_agg(json_build_array(k.id, k.name, k.revoked_at) ORDER BY k.id) FROM api_key k WHERE k.user_id = $1),
    (SELECT json_agg(s ORDER BY s.key) FROM setting s)
  )::text AS state`,
};
const stateOf = async (person: TestClient): Promise<string | undefined> =>
  (await db.query<{ state: string }>(STATE, [person.userId]))[0]?.state;

const everyId = (ids: Ids, id: () => string): Ids =>
  Object.fromEntries(Object.keys(ids).map((name) => [name, id()]));

/** A problem without what differs from request to request. */
const comparable = ({ problem, status }: Answer, ids: Ids) => ({
  ...problem,
  status,
  detail: Object.values(ids).reduce(
    (text, id) => text.replaceAll(id, "…"),
    problem?.detail ?? "no problem",
  ),
  request_id: "",
});

it("every operation and stream is a procedure, and every procedure one of them", () => {
  const procedures = Object.keys(appRouter._def.procedures);
  expect(procedures.toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
  expect(routes.filter(namesSomething).length).toBeGreaterThan(10);
});

describe.each([
  { state: "a pending chat", create: createPending },
  { state: "a parked chat", create: createParked },
])("for somebody else, $state", ({ create }) => {
  it.each(cases(routes.filter(namesSomething)))(
    "is unknown to $name, and stays as it is",
    async ({ route, call }) => {
      const ids = await create();
      const before = await stateOf(owner);

      const foreign = await call(stranger, route, ids);

      expect(await stateOf(owner)).toBe(before);
      expect(foreign.status).toBe(404);
      const unknown = everyId(ids, newId);
      const none = await call(stranger, route, unknown);
      expect(comparable(foreign, ids)).toEqual(comparable(none, unknown));
      const malformed = await call(
        stranger,
        route,
        everyId(ids, () => "not-an-id"),
      );
      expect(malformed.status).toBe(404);

      // The same request is answered when the owner sends it, so it was the person that was refused.
      const own = await call(owner, route, ids);
      expect(own.status, own.text).not.toBe(404);
      expect([200, 201, 202, 204, 409]).toContain(own.status);
      expect(api.faults).toEqual([]);
    },
  );
});

describe("a route that names nothing", () => {
  const others = routes.filter((route) => !namesSomething(route));

  it.each(cases(others.filter((route) => !isStream(route))))(
    "$name shows and changes nothing of somebody else's",
    async ({ route, call }) => {
      const ids = await createParked();
      await callRest(owner, route, ids);
      const before = await stateOf(owner);

      const { status, text } = await call(stranger, route, ids);

      expect(await stateOf(owner)).toBe(before);
      expect([200, 201, 403], text).toContain(status);
      for (const id of [...Object.values(ids), owner.userId]) expect(text).not.toContain(id);
    },
  );

  it("lists no chats to somebody who has none", async () => {
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
    others.filter(isStream).flatMap((route) => [
      { name: `${route.name} over REST`, open: () => openRest(route) },
      { name: `${route.name} over tRPC`, open: () => openTrpc(route) },
    ]),
  )("$name tells nothing of somebody else's", async ({ open }) => {
    const early = await createParked();
    const reader = (await open()).body?.pipeThrough(new TextDecoderStream()).getReader();
    closing.push(() => reader?.cancel());
    let text = "";
    const readUntil = async (expected: string): Promise<void> => {
      while (!text.includes(expected)) {
        const chunk = await reader?.read();
        if (!chunk || chunk.done) throw new Error(`the stream ended with ${text}`);
        text += chunk.value;
      }
    };
    // A required action is sent however early it is; once it has arrived, so would every later change.
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
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

  it("is one of the routes that are walked, the document itself apart", () => {
    expect(document.openapi).toBe("3.1.0");
    const known = routes.map(({ method, path }) => `${method} ${path}`);
    expect(documented.toSorted()).toEqual([...known, "GET /openapi.json"].toSorted());
  });

  it("answers its owner: none is unknown, none a fault", async () => {
    for (const route of routes.filter((one) => !namesSomething(one) && !isStream(one))) {
      const { status } = await callRest(owner, route, {});
      expect([200, 201], route.name).toContain(status);
    }
    const response = await api.api.handleRest(owner.request("GET /openapi.json"));
    expect([response.status, await response.json()]).toEqual([200, document]);
    expect(api.faults).toEqual([]);
  });

  it("is 401 without a key, the document itself apart", async () => {
    const ids = await createPending();
    const nobody = { ...owner, key: "", request: withoutKey };
    for (const { name, route, call } of cases(routes)) {
      expect((await call(nobody, route, ids)).status, name).toBe(401);
    }
  });

  const withoutKey: TestClient["request"] = (route, sent, headers) =>
    owner.request(route, sent, { ...headers, authorization: "" });
});
