import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import type { Chat } from "@/contract/chat";
import { ExistingChat, type MessagePage, SendMessageOutput } from "@/contract/chat-outputs";
import type { JsonValue } from "@/contract/json";
import { MAX_LONG_POLLS_PER_CREDENTIAL } from "@/contract/limits";
import { parseExactJson } from "@/lib/exact-json";
import type { Database } from "@/server/db/connection/database";
import { shutdown } from "@/server/stream/shutdown";
import { testProcess } from "@/test/test-process";
import { startTestAgent } from "@/test/agent-fixture";
import { createClient, createTestApi } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { HANGING } from "@/test/hanging";
import { commitAnswer, openCall } from "@/test/park-chat";
import { holdRequest } from "./long-polls";

const db = await testDatabase();
let reads = 0;
/** Counts how often the API has read a chat. */
const counted: Database = {
  ...db,
  query: async (statement, values) => {
    const rows = await db.query<never>(statement, values);
    if (statement.name === "chat-with-answer") reads += 1;
    return rows;
  },
};
const api = createTestApi(counted);
const client = await createClient(db, api);

const wait = (seconds: number | string) => ({ prefer: `wait=${seconds}` });
const answer = (id: string, text = "Yes.") =>
  commitAnswer(db, id, { parts: [{ type: "text", text }], after: "finish" });

/** Sends a request, and goes on when its answer waits: a poll has then read the chat, and again when it was subscribed. */
const begin = async (
  route: string,
  sent?: object,
  headers: Record<string, string> = {},
  sender = client,
) => {
  const before = reads + (route.startsWith("GET") ? 2 : 1);
  const answered = sender.call(route, sent, { ...wait(30), ...headers });
  await expect.poll(() => reads, HANGING).toBeGreaterThanOrEqual(before);
  return { answered };
};

describe("Prefer: wait", () => {
  it("answers a poll when the chat rests, with its last answer", async () => {
    const id = await client.startChat();
    const polled = await begin(`GET /chats/${id}`);
    await answer(id, "Deployed.");
    const { status, headers, body } = await polled.answered;
    expect([status, headers.get("preference-applied")]).toEqual([200, "wait"]);
    expect(body).toMatchObject({
      status: "waiting",
      last_answer: { seq: 2, text: "Deployed." },
    });
    const { data } = (await client.call(`GET /chats/${id}/messages`)).body as MessagePage;
    expect((body as Chat).last_answer?.message_id).toBe(data.at(-1)?.id);
  });

  it("answers at once for a chat that rests, and without the preference", async () => {
    const id = await client.startChat();
    const { headers, body } = await client.call(`GET /chats/${id}`);
    expect([headers.get("preference-applied"), (body as Chat).status]).toEqual([null, "pending"]);
    await answer(id);
    const { headers: applied } = await client.call(`GET /chats/${id}`, undefined, wait(30));
    expect(applied.get("preference-applied")).toBe("wait");
  });

  it("answers when the chat is parked, and when it has failed", async () => {
    const id = await client.startChat({ dynamic_tools: [{ name: "deploy" }] });
    const polled = await begin(`GET /chats/${id}`);
    await commitAnswer(db, id, { parts: [openCall("a", "deploy")], after: "park" });
    expect((await polled.answered).body).toMatchObject({
      status: "requires_action",
      required_action: { tool_calls: [{ tool_call_id: "a" }] },
      last_answer: null,
    });
  });

  it("answers when an agent of the chat waits for a client", async () => {
    const id = await client.startChat();
    const agent = await startTestAgent(db, { chatId: id });
    const polled = await begin(`GET /chats/${id}`);
    await commitAnswer(db, agent, { parts: [openCall("b", "deploy")], after: "park" });
    expect((await polled.answered).body).toMatchObject({ child_actions: [{ chat_id: agent }] });
  });

  it("answers after its time with the chat as it is", async () => {
    const id = await client.startChat();
    const { status, body } = await client.call(`GET /chats/${id}`, undefined, wait(1));
    expect([status, (body as Chat).status]).toEqual([200, "pending"]);
  });

  it("answers a new chat and a message with the answer", async () => {
    const externalId = newId();
    const created = await begin("POST /chats", { content: "Hello", external_id: externalId });
    const { id } = await db.prisma.chat.findFirstOrThrow({ where: { externalId } });
    await answer(id, "one");
    const first = await created.answered;
    expect([first.status, first.headers.get("location")]).toEqual([201, `/api/v1/chats/${id}`]);
    expect(first.body).toMatchObject({ id, status: "waiting", last_answer: { text: "one" } });

    const sent = await begin(`POST /chats/${id}/messages`, { content: "more" });
    await answer(id, "two");
    const output = SendMessageOutput.parse((await sent.answered).body);
    expect(output).toMatchObject({
      queued: false,
      message: { seq: 3 },
      chat: { status: "waiting", last_answer: { seq: 4, text: "two" } },
    });

    const again = { content: "again", external_id: externalId, if_exists: "send" };
    const existing = await begin("POST /chats", again);
    await answer(id, "three");
    expect(ExistingChat.parse((await existing.answered).body)).toMatchObject({
      chat: { last_answer: { text: "three" } },
      message: { seq: 5 },
    });
  });

  it("waits again for a request that is repeated with its key, and sends nothing twice", async () => {
    const id = await client.startChat();
    await answer(id);
    const headers = { ...wait(1), "idempotency-key": newId() };
    const send = () => client.call(`POST /chats/${id}/messages`, { content: "more" }, headers);
    const first = await send();
    expect(first.body).toMatchObject({ chat: { status: "pending" } });
    const repeated = await begin(
      `POST /chats/${id}/messages`,
      { content: "more" },
      { ...headers, ...wait(30) },
    );
    await answer(id, "two");
    const again = await repeated.answered;
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toMatchObject({ message: { seq: 3 }, chat: { last_answer: { seq: 4 } } });
  });

  it("keeps numbers of many digits", async () => {
    const id = await client.startChat({ dynamic_tools: [{ name: "deploy" }] });
    const args = parseExactJson('{"id":12345678901234567890}') as JsonValue;
    await commitAnswer(db, id, { parts: [openCall("a", "deploy", { args })], after: "park" });
    const response = await api.api.handleRest(
      client.request(`GET /chats/${id}`, undefined, wait(30)),
    );
    expect(await response.text()).toContain('"id":12345678901234567890');
  });

  it.each(["31", "-1", "1.5", "abc", "", "1e1", "99999999999", '"5', "5 6"])(
    "refuses wait=%s, and changes nothing",
    async (seconds) => {
      const id = await client.startChat();
      await answer(id);
      const sent = await client.fail(
        `POST /chats/${id}/messages`,
        { content: "more" },
        wait(seconds),
      );
      expect(sent.status).toBe(400);
      const { body } = await client.call(`GET /chats/${id}`);
      expect(body).toMatchObject({ status: "waiting", last_answer: { seq: 2 } });
    },
  );

  it("is one of several preferences, and 0 is none", async () => {
    const id = await client.startChat();
    await answer(id);
    const applied = async (prefer: string) =>
      (await client.call(`GET /chats/${id}`, undefined, { prefer })).headers.get(
        "preference-applied",
      );
    expect(await applied('respond-async, Wait = "10"; a=b')).toBe("wait");
    expect(await applied("wait=0")).toBeNull();
    expect(await applied("waiting=1, return=minimal")).toBeNull();
  });

  it("is ignored where there is nothing to wait for", async () => {
    const { status, headers } = await client.call("GET /chats", undefined, wait(30));
    expect([status, headers.get("preference-applied")]).toEqual([200, null]);
  });

  it("gives nothing of another person's chat", async () => {
    const other = await createClient(db, api);
    const id = await client.startChat();
    expect((await other.fail(`GET /chats/${id}`, undefined, wait(30))).status).toBe(404);
  });
});

describe("a request that waits", () => {
  it("costs no statement until the chat rests", async () => {
    const id = await client.startChat();
    const polls = [];
    for (let index = 0; index < 20; index++) polls.push(await begin(`GET /chats/${id}`));
    const before = reads;
    const heard = new Promise((resolve) =>
      testProcess(counted).notifications.subscribe(id, resolve),
    );
    expect((await client.call(`PATCH /chats/${id}`, { title: "Other" })).status).toBe(200);
    await heard;
    await new Promise(setImmediate);
    expect(reads).toBe(before);
    await answer(id);
    for (const { answered } of polls)
      expect((await answered).body).toMatchObject({ status: "waiting" });
  });

  it("ends when its client is gone", async () => {
    const id = await client.startChat();
    const gone = new AbortController();
    const route = client.request(`GET /chats/${id}`, undefined, wait(30));
    const before = reads;
    const answered = api.api.handleRest(new Request(route, { signal: gone.signal }));
    await expect.poll(() => reads, HANGING).toBe(before + 2);
    gone.abort();
    expect((await answered).status).toBe(200);
  });

  it("ends when its key is revoked, with 401", async () => {
    const other = await createClient(db, api);
    const id = await other.startChat();
    const polled = await begin(`GET /chats/${id}`, undefined, {}, other);
    await db.prisma.apiKey.deleteMany({ where: { id: other.keyId } });
    expect((await polled.answered).status).toBe(401);
  });

  it("has a limit beside that of streams", async () => {
    const other = await createClient(db, api);
    const { actor } = await api.auth.authenticator.authorize(other.request("GET /chats"));
    const open = new AbortController();
    const held = Array.from({ length: MAX_LONG_POLLS_PER_CREDENTIAL }, () =>
      holdRequest(
        { auth: api.auth, actor, signal: open.signal },
        30,
        (signal) => new Promise((resolve) => signal.addEventListener("abort", resolve)),
      ),
    );
    const sent = await other.fail("POST /chats", { content: "Hello" }, wait(30));
    expect([sent.status, sent.headers.get("retry-after")]).toEqual([429, "5"]);
    const { body } = await other.call("GET /chats");
    expect(body).toEqual({ data: [] });
    const stream = await api.api.handleRest(other.request("GET /watch"));
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
    open.abort();
    await Promise.all(held);
    const id = await other.startChat();
    await answer(id);
    expect((await other.call(`GET /chats/${id}`, undefined, wait(30))).status).toBe(200);
  });
});

describe("when the server stops", () => {
  // Without aborting the signal, which other tests of the process share.
  it("answers at once", async () => {
    const id = await client.startChat();
    const polled = await begin(`GET /chats/${id}`);
    shutdown.signal.dispatchEvent(new Event("abort"));
    const { status, headers, body } = await polled.answered;
    expect([status, headers.get("preference-applied")]).toEqual([200, "wait"]);
    expect((body as Chat).status).toBe("pending");
  });
});
