import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import type { Chat } from "@/contract/chat";
import { type ChatPage, ExistingChat } from "@/contract/chat-outputs";
import { ownedBy } from "@/server/db/chats/viewer";
import { createApiFixture, createClient, ORIGIN } from "@/test/api-client";
import { readWholeHistory } from "@/test/chat-probe";
import { claimChat, commitAnswer } from "@/test/park-chat";

const { db, api, client } = await createApiFixture();

const create = (externalId: string, fields: object = {}, headers?: Record<string, string>) =>
  client.call("POST /chats", { content: "Hello", external_id: externalId, ...fields }, headers);
const startChat = async (externalId: string, fields?: object): Promise<Chat> => {
  const { status, body } = await create(externalId, fields);
  expect(status, JSON.stringify(body)).toBe(201);
  return body as Chat;
};
const rest = (id: string) =>
  commitAnswer(db, id, { parts: [{ type: "text", text: "Yes." }], after: "finish" });
const list = async (query: string): Promise<string[]> =>
  ((await client.call(`GET /chats?${query}`)).body as ChatPage).data.map(({ id }) => id);
/** The texts of people in the chat, those of the queue too. */
const readTexts = async (id: string): Promise<string[]> => {
  const history = await readWholeHistory(db, id);
  const queued = await db.prisma.queuedMessage.findMany({ where: { chatId: id } });
  const written = history
    .filter(({ role }) => role === "user")
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? part.text : [])));
  const waiting = queued.flatMap(({ content }) =>
    (content as { text: string }[]).map(({ text }) => text),
  );
  return [...written, ...waiting];
};

describe("a chat with an external_id", () => {
  it("is found by it, in every list of the caller", async () => {
    const externalId = newId();
    const chat = await startChat(externalId);
    expect(chat.external_id).toBe(externalId);
    await client.startChat();
    const { body } = await client.call(`GET /chats?external_id=${externalId}`);
    expect(body).toMatchObject({ data: [{ id: chat.id, external_id: externalId }] });
    expect(await list(`external_id=${newId()}`)).toEqual([]);
  });

  it("is found also when it is archived or temporary", async () => {
    const [archived, temporary] = [newId(), newId()];
    const chat = await startChat(archived);
    await rest(chat.id);
    expect((await client.call(`PATCH /chats/${chat.id}`, { archived: true })).status).toBe(200);
    expect(await list(`external_id=${archived}`)).toEqual([chat.id]);
    expect(await list(`external_id=${archived}&archived=false`)).toEqual([]);
    const short = await startChat(temporary, { temporary: true });
    expect(await list(`external_id=${temporary}`)).toEqual([short.id]);
  });

  it("is the only one of its owner", async () => {
    const externalId = newId();
    const chat = await startChat(externalId);
    for (const fields of [{}, { if_exists: "conflict" }]) {
      const { status, body, headers } = await create(externalId, fields);
      expect(status).toBe(409);
      expect(body).toMatchObject({ reason: "external_id_taken", chat_id: chat.id });
      expect(headers.get("x-should-retry")).toBe("false");
    }
    expect(await readTexts(chat.id)).toEqual(["Hello"]);
  });

  it("neither takes an id from others nor is seen by them", async () => {
    const externalId = newId();
    const chat = await startChat(externalId);
    const other = await createClient(db, api);
    const { data } = (await other.call(`GET /chats?external_id=${externalId}`)).body as ChatPage;
    expect(data).toEqual([]);
    const sent = { content: "Mine", external_id: externalId, if_exists: "send" };
    const theirs = await other.call("POST /chats", sent);
    expect(theirs.status).toBe(201);
    expect((theirs.body as Chat).id).not.toBe(chat.id);
    expect(await readTexts(chat.id)).toEqual(["Hello"]);
  });

  it("frees it when it is deleted", async () => {
    const externalId = newId();
    const chat = await startChat(externalId);
    await rest(chat.id);
    expect((await client.call(`DELETE /chats/${chat.id}`)).status).toBe(204);
    expect((await startChat(externalId)).id).not.toBe(chat.id);
  });

  it("keeps it to itself when it is forked", async () => {
    const externalId = newId();
    const chat = await startChat(externalId);
    await rest(chat.id);
    const { body } = await client.call(`POST /chats/${chat.id}/fork`, {});
    expect(body).not.toHaveProperty("external_id");
    expect(await list(`external_id=${externalId}`)).toEqual([chat.id]);
  });

  it("may begin with a history, once", async () => {
    const externalId = newId();
    const messages = [{ role: "user", content: "Before" }];
    const chat = await startChat(externalId, { content: undefined, messages });
    const again = await create(externalId, {
      content: undefined,
      messages,
      if_exists: "return",
    });
    expect(again.status).toBe(200);
    expect(ExistingChat.parse(again.body).chat.id).toBe(chat.id);
    expect(await readTexts(chat.id)).toEqual(["Before"]);
  });
});

describe("if_exists", () => {
  it("return gives the chat, and sends nothing", async () => {
    const externalId = newId();
    const chat = await startChat(externalId);
    const { status, headers, body } = await create(externalId, { if_exists: "return" });
    expect([status, headers.get("location")]).toEqual([200, null]);
    expect(body).toEqual({ chat });
  });

  it("send makes a chat, then sends to it, and leaves its settings alone", async () => {
    const externalId = newId();
    const send = (content: string, fields: object = {}) =>
      create(externalId, { content, if_exists: "send", ...fields });
    const first = await send("one", { labels: { a: "1" }, system_prompt: "Be brief." });
    expect(first.status).toBe(201);
    const { id } = first.body as Chat;
    await claimChat(db, id);
    const queued = await send("two", { labels: { a: "2" }, system_prompt: "Be long." });
    expect(queued.status).toBe(200);
    expect(ExistingChat.parse(queued.body)).toMatchObject({
      chat: { id, labels: { a: "1" }, system_prompt: "Be brief.", queued_count: 1 },
      queued_message: { content: [{ type: "text", text: "two" }] },
    });
    const rejected = await send("three", { busy_behavior: "reject" });
    expect(rejected.status).toBe(409);
    expect(await readTexts(id)).toEqual(["one", "two"]);
  });

  it("send puts the message into the history of a chat that rests", async () => {
    const externalId = newId();
    const { id } = await startChat(externalId);
    await rest(id);
    const format = { type: "json_schema", name: "a", schema: { type: "object" } };
    const { body } = await create(externalId, { if_exists: "send", response_format: format });
    const { chat, message } = ExistingChat.parse(body);
    expect([chat.status, message?.seq, message?.response_format]).toEqual(["pending", 3, format]);
  });

  it("send is refused for an archived chat", async () => {
    const externalId = newId();
    const { id } = await startChat(externalId);
    await rest(id);
    await client.call(`PATCH /chats/${id}`, { archived: true });
    expect((await create(externalId, { if_exists: "send" })).status).toBe(409);
    expect(await readTexts(id)).toEqual(["Hello"]);
  });

  it("sends files, which are then those of the chat", async () => {
    const externalId = newId();
    const { id } = await startChat(externalId);
    await rest(id);
    const file = (await client.call("POST /files", Buffer.from("a,b"))).body as { id: string };
    const content = [{ type: "file", file_id: file.id }];
    const { status, body } = await create(externalId, { content, if_exists: "send" });
    expect(status, JSON.stringify(body)).toBe(200);
    const files = await client.call(`GET /chats/${id}/files`);
    expect(files.body).toMatchObject({ data: [{ id: file.id }] });
  });

  it("streams with Accept: text/event-stream", async () => {
    const externalId = newId();
    const chat = await startChat(externalId);
    await rest(chat.id);
    const accept = { accept: "text/event-stream" };
    const fields = { content: "x", external_id: externalId, if_exists: "return" };
    const response = await api.api.handleRest(client.request("POST /chats", fields, accept));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(`"id":"${chat.id}"`);
  });

  it("works in a procedure", async () => {
    const externalId = newId();
    const call = async () => {
      const response = await api.api.handleTrpc(
        new Request(`${ORIGIN}/api/trpc/chats.create`, {
          method: "POST",
          headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
          body: JSON.stringify({ content: "a", external_id: externalId, if_exists: "send" }),
        }),
      );
      return ((await response.json()) as { result: { data: Chat | ExistingChat } }).result.data;
    };
    const first = (await call()) as Chat;
    expect(await call()).toMatchObject({ chat: { id: first.id }, queued_message: {} });
  });
});

describe("requests at the same time", () => {
  it("make 50 chats of 50 threads with two first messages each", async () => {
    const threads = Array.from({ length: 50 }, () => newId());
    const answers = await Promise.all(
      threads.flatMap((thread) =>
        ["one", "two"].map((content) => create(thread, { content, if_exists: "send" })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...threads.map(() => 200),
      ...threads.map(() => 201),
    ]);
    const where = { ...ownedBy(client), externalId: { in: threads } };
    const chats = await db.prisma.chat.findMany({ where });
    expect(chats).toHaveLength(50);
    for (const { id } of chats) expect((await readTexts(id)).sort()).toEqual(["one", "two"]);
  });

  it("with keys of their own make one chat, and repetitions get the same answers", async () => {
    const externalId = newId();
    const keys = Array.from({ length: 8 }, () => newId());
    const send = (key: string) =>
      create(externalId, { content: key, if_exists: "send" }, { "idempotency-key": key });
    const first = await Promise.all(keys.map(send));
    expect(first.map(({ status }) => status).sort()).toEqual([...Array<number>(7).fill(200), 201]);
    const again = await Promise.all(keys.map(send));
    expect(again.map(({ status, body }) => ({ status, body }))).toEqual(
      first.map(({ status, body }) => ({ status, body })),
    );
    const { chat } = ExistingChat.parse(first.find(({ status }) => status === 200)?.body);
    expect((await readTexts(chat.id)).sort()).toEqual([...keys].sort());
  });

  it("conflict gives one of them the chat", async () => {
    const externalId = newId();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(externalId)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it("with a deletion lose no message", async () => {
    for (let round = 0; round < 20; round++) {
      const externalId = newId();
      const { id } = await startChat(externalId);
      await rest(id);
      const send = () => create(externalId, { content: "more", if_exists: "send" });
      const remove = () => client.call(`DELETE /chats/${id}`);
      const [sent] = await Promise.all(
        round % 2 === 0 ? [send(), remove()] : [remove().then(send), send()],
      );
      expect([200, 201, 204]).toContain(sent.status);
      const [left = ""] = await list(`external_id=${externalId}`);
      expect(await readTexts(left)).toContain("more");
    }
  });
});

describe("a request is refused, and changes nothing,", () => {
  it.each([
    ["an empty id", { external_id: "" }, "/external_id"],
    ["one that is too long", { external_id: "x".repeat(201) }, "/external_id"],
    ["one with NUL", { external_id: "a\0" }, "/external_id"],
    ["a lone surrogate", { external_id: "\ud800" }, "/external_id"],
    ["a number", { external_id: 7 }, "/external_id"],
    ["an unknown if_exists", { external_id: "a", if_exists: "replace" }, "/if_exists"],
    ["if_exists alone", { if_exists: "send" }, "/if_exists"],
    ["busy_behavior without send", { external_id: "a", busy_behavior: "queue" }, "/busy_behavior"],
    [
      "a history to send",
      {
        external_id: "a",
        if_exists: "send",
        content: undefined,
        messages: [{ role: "user", content: "x" }],
      },
      "/if_exists",
    ],
    ["an unknown model", { external_id: "a", model_id: newId() }, "/model_id"],
  ])("for %s", async (_, fields, pointer) => {
    const stranger = await createClient(db, api);
    const { status, problem } = await stranger.fail("POST /chats", { content: "x", ...fields });
    expect(status).toBe(400);
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(await db.prisma.chat.count({ where: ownedBy(stranger) })).toBe(0);
  });

  it("for an id of 200 characters of any kind it is not", async () => {
    const externalId = "𝄞".repeat(100);
    const { id } = await startChat(externalId);
    expect(await list(`external_id=${encodeURIComponent(externalId)}`)).toEqual([id]);
  });
});
