import { createTRPCClient, httpBatchLink, httpLink, type TRPCClientError } from "@trpc/client";
import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import { MAX_BATCH_CALLS } from "@/contract/limits";
import type { Problem } from "@/contract/problem";
import type { Chat } from "@/contract/chat";
import {
  createApiFixture,
  createClient,
  createTestApi,
  ORIGIN,
  type TestClient,
} from "@/test/api-client";
import { startTestAgent } from "@/test/agent-fixture";
import { replaceModels } from "@/test/database-doubles";
import { commitAnswer, openCall } from "@/test/park-chat";
import type { AppRouter } from "./router";

const { db, api, client } = await createApiFixture();

const trpc = (link = httpLink, key = client.key) =>
  createTRPCClient<AppRouter>({
    links: [
      link({
        url: `${ORIGIN}/api/trpc`,
        headers: { authorization: `Bearer ${key}` },
        fetch: (url, init) => api.api.handleTrpc(new Request(url as string, init as RequestInit)),
      }),
    ],
  });

type Failure = { status: number | undefined; problem: Problem | undefined };

/** The responses of REST and tRPC to the same failure; only the request ids differ. */
const failBoth = async (
  rest: Promise<{ status: number; problem: Problem }>,
  procedure: Promise<unknown>,
): Promise<[Failure, Failure]> => {
  const failed = procedure.then(
    () => undefined,
    (thrown: unknown) => thrown as TRPCClientError<AppRouter>,
  );
  const { status, problem } = await rest;
  const error = await failed;
  const data = error?.data;
  const received = data?.problem;
  return [
    { status, problem },
    {
      status: data?.httpStatus,
      problem: received && { ...received, request_id: problem.request_id },
    },
  ];
};

describe("REST and tRPC respond alike", () => {
  it("to a successful request", async () => {
    const id = await client.startChat({ labels: { team: "red" } });
    const { body } = await client.call(`GET /chats/${id}`);
    expect(await trpc().chats.get.query({ chat_id: id })).toEqual(body);

    const { body: list } = await client.call("GET /chats?label=team:red&limit=5");
    expect(await trpc().chats.list.query({ label: "team:red", limit: 5 })).toEqual(list);

    const { body: page } = await client.call(`GET /chats/${id}/messages`);
    expect(await trpc().messages.list.query({ chat_id: id })).toEqual(page);

    const { body: opened } = await client.call(`GET /chats/${id}/open`);
    expect(await trpc().chats.open.query({ chat_id: id })).toEqual(opened);
    const { data, version } = page as { data: unknown[]; version: number };
    expect(opened).toEqual({
      chat: { ...(body as Chat), last_answer: undefined, version, queue: [] },
      data,
      has_more: false,
      tasks: [],
      agents: [],
      origin: null,
      forks: [],
    });
  });

  it("to a write without a response body", async () => {
    const parked = async () => {
      const id = await client.startChat({ dynamic_tools: [{ name: "deploy" }] });
      await commitAnswer(db, id, { parts: [openCall("a", "deploy")], after: "park" });
      return id;
    };
    const [one, two] = [await parked(), await parked()];
    const results = [{ tool_call_id: "a", output: null }];
    await client.call(`POST /chats/${one}/tool-results`, { results });
    await trpc().chats.submitToolResults.mutate({ chat_id: two, results });
    for (const id of [one, two]) {
      const { body } = await client.call(`GET /chats/${id}/messages`);
      const { data } = body as { data: { parts: object[] }[] };
      expect(data[1]?.parts).toMatchObject([{ state: "completed", output: null }]);
    }
  });

  it("to answers for an agent", async () => {
    const chat_id = await client.startChat();
    const asking = async (state: "awaiting_result" | "awaiting_approval") => {
      const id = await startTestAgent(db, { chatId: chat_id });
      await commitAnswer(db, id, { parts: [openCall("a", "deploy", { state })], after: "park" });
      return id;
    };
    const result = { tool_call_id: "a", output: null };
    const [one, two] = [await asking("awaiting_result"), await asking("awaiting_result")];
    const rest = await client.call(`POST /chats/${chat_id}/tool-results`, {
      results: [{ ...result, chat_id: one }],
    });
    expect(rest.status).toBe(204);
    const results = [{ ...result, chat_id: two }];
    await trpc().chats.submitToolResults.mutate({ chat_id, results });
    const decision = { tool_call_id: "a", decision: "approve" as const };
    const decisions = [{ ...decision, chat_id: await asking("awaiting_approval") }];
    await trpc().chats.decideApprovals.mutate({ chat_id, decisions });
    const [refused, procedure] = await failBoth(
      client.fail(`POST /chats/${chat_id}/approvals`, { decisions }),
      trpc().chats.decideApprovals.mutate({ chat_id, decisions }),
    );
    expect(refused.status).toBe(409);
    expect(procedure).toEqual(refused);
  });

  it("to an unknown id", async () => {
    const chat_id = newId();
    const [rest, procedure] = await failBoth(
      client.fail(`GET /chats/${chat_id}`),
      trpc().chats.get.query({ chat_id }),
    );
    expect(rest.status).toBe(404);
    expect(procedure).toEqual(rest);
  });

  it("to a conflict", async () => {
    const chat_id = await client.startChat();
    const [rest, procedure] = await failBoth(
      client.fail(`POST /chats/${chat_id}/regenerate`, {}),
      trpc().chats.regenerate.mutate({ chat_id }),
    );
    expect(rest.status).toBe(409);
    expect(procedure).toEqual(rest);
  });

  it("to invalid input", async () => {
    const invalid = {
      content: [{ type: "text", text: "\0" }],
      labels: { a: "x".repeat(101) },
    } as const;
    const [rest, procedure] = await failBoth(
      client.fail("POST /chats", invalid),
      trpc().chats.create.mutate({ content: [...invalid.content], labels: invalid.labels }),
    );
    expect(rest.problem?.errors?.length).toBe(2);
    expect(procedure).toEqual(rest);
  });

  it("to an unknown API key", async () => {
    const [rest, procedure] = await failBoth(
      client.fail("GET /models", undefined, { authorization: "Bearer unknown" }),
      trpc(httpLink, "unknown").models.list.query(),
    );
    expect(rest.status).toBe(401);
    expect(procedure).toEqual(rest);
  });

  it.each([
    {
      name: "a write with a key that may read",
      scope: "read" as const,
      rest: (reader: TestClient) => reader.fail("POST /chats", { content: "x" }),
      procedure: (key: string) =>
        trpc(httpLink, key).chats.create.mutate({ content: [{ type: "text", text: "x" }] }),
      detail: 'This needs an API key with the scope "chat"; this key has "read".',
    },
    {
      name: "invalid input of a key that may not send it",
      scope: "read" as const,
      rest: (reader: TestClient) => reader.fail("POST /chats", {}),
      procedure: (key: string) => trpc(httpLink, key).chats.create.mutate({}),
      detail: 'This needs an API key with the scope "chat"; this key has "read".',
    },
    {
      name: "a new key for a key that may chat",
      scope: "chat" as const,
      rest: (chatter: TestClient) => chatter.fail("POST /api-keys", { name: "x" }),
      procedure: (key: string) => trpc(httpLink, key).apiKeys.create.mutate({ name: "x" }),
      detail:
        'This needs an API key with the scope "admin"; this key has "read", "chat", "calls:answer", "approvals:decide".',
    },
  ])("to $name", async ({ scope, rest, procedure, detail }) => {
    const limited = await createClient(db, api, { scope });
    const [fromRest, fromTrpc] = await failBoth(rest(limited), procedure(limited.key));
    expect(fromRest.problem).toMatchObject({ status: 403, code: "forbidden", detail });
    expect(fromTrpc).toEqual(fromRest);
  });

  it("to a full queue", async () => {
    const chat_id = await client.startChat();
    const send = () => client.call(`POST /chats/${chat_id}/messages`, { content: "more" });
    for (let index = 0; index < 20; index++) await send();
    const [rest, procedure] = await failBoth(
      client.fail(`POST /chats/${chat_id}/messages`, { content: "more" }),
      trpc().messages.send.mutate({ chat_id, content: "more" }),
    );
    expect(rest.status).toBe(429);
    expect(procedure).toEqual(rest);
  });
});

describe("tRPC", () => {
  it("returns one result per call of a batch", async () => {
    const batch = trpc(httpBatchLink as unknown as typeof httpLink);
    const id = await client.startChat();
    const [good, bad] = await Promise.allSettled([
      batch.chats.get.query({ chat_id: id }),
      batch.chats.get.query({ chat_id: newId() }),
    ]);
    expect(good).toMatchObject({ status: "fulfilled", value: { id } });
    expect(bad).toMatchObject({ status: "rejected", reason: { data: { httpStatus: 404 } } });
  });

  const callBatch = (size: number) =>
    api.api.handleTrpc(
      new Request(
        `${ORIGIN}/api/trpc/${Array(size).fill("models.list").join(",")}?batch=1&input=%7B%7D`,
        { headers: { authorization: `Bearer ${client.key}` } },
      ),
    );

  it("runs the batches that the page sends, and refuses larger ones", async () => {
    const allowed = await callBatch(MAX_BATCH_CALLS);
    expect(allowed.status).toBe(200);
    expect(await allowed.json()).toHaveLength(MAX_BATCH_CALLS);
    const refused = await callBatch(MAX_BATCH_CALLS + 1);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { data: { problem: { status: 400, code: "invalid" } } },
    });
  });

  it.each([
    ["a result", () => callBatch(1)],
    ["an error", () => callBatch(MAX_BATCH_CALLS + 1)],
    ["a refused request", () => api.api.handleTrpc(new Request(`${ORIGIN}/api/trpc/models.list`))],
    [
      "an oversized body",
      () =>
        api.api.handleTrpc(
          new Request(`${ORIGIN}/api/trpc/chats.create`, {
            method: "POST",
            body: "x".repeat(2 ** 21),
          }),
        ),
    ],
  ])("marks %s as private and of its declared type", async (_name, send) => {
    const { headers } = await send();
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("hides internal errors and logs them with the client's request id", async () => {
    const findMany = () => Promise.reject(new Error("password=hunter2"));
    const broken = replaceModels(db, { model: { findMany } });
    const test = createTestApi(broken);
    const response = await test.api.handleTrpc(
      new Request(`${ORIGIN}/api/trpc/models.list`, {
        headers: { authorization: `Bearer ${client.key}` },
      }),
    );
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toMatch(/hunter2|stack/);
    const { error } = JSON.parse(text) as { error: { data: { problem: Problem } } };
    expect(test.faults).toMatchObject([
      { requestId: error.data.problem.request_id, err: { message: "password=hunter2" } },
    ]);
  });

  it.each([
    ["GET", "/api/trpc/chats.nothing", 404],
    ["POST", "/api/trpc/chats.list", 405],
    ["GET", "/api/trpc/chats.list?input=%7B", 400],
  ])("%s %s is %i and not an internal error", async (method, path, status) => {
    const headers = { authorization: `Bearer ${client.key}`, "content-type": "application/json" };
    const body = method === "POST" ? "{}" : null;
    const response = await api.api.handleTrpc(
      new Request(ORIGIN + path, { method, headers, body }),
    );
    expect(response.status).toBe(status);
    expect(api.faults).toEqual([]);
  });

  it("accepts all that 128 calls can ask for in one body", async () => {
    const id = await client.startChat({ dynamic_tools: [{ name: "ask" }] });
    const ids = Array.from({ length: 128 }, (_, index) => `call_${index}`);
    await commitAnswer(db, id, { parts: ids.map((each) => openCall(each, "ask")), after: "park" });
    const output = "x".repeat(65_000);
    const results = ids.map((tool_call_id) => ({ tool_call_id, output, is_error: false }));
    await trpc().chats.submitToolResults.mutate({ chat_id: id, results });
    expect(await trpc().chats.get.query({ chat_id: id })).toMatchObject({ status: "pending" });
  });

  it("rejects a body over the size limit", async () => {
    const response = await api.api.handleTrpc(
      new Request(`${ORIGIN}/api/trpc/messages.send`, {
        method: "POST",
        headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
        body: JSON.stringify({ content: "x".repeat(2 ** 20) }),
      }),
    );
    expect(response.status).toBe(413);
  });
});
