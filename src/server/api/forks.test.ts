import { v7 as newId } from "uuid";
import { expect, it } from "vitest";
import type { Chat } from "@/contract/chat";
import { type ChatPage, OpenedChat } from "@/contract/chat-outputs";
import { createApiFixture, ORIGIN } from "@/test/api-client";
import { commitAnswer } from "@/test/park-chat";

const { db, api, client } = await createApiFixture();

const startChat = async (title: string): Promise<string> => {
  const id = await client.startChat({ content: title });
  await commitAnswer(db, id, { parts: [{ type: "text", text: "Yes." }], after: "finish" });
  return id;
};
const fork = async (id: string, fields: object = {}): Promise<Chat> => {
  const { status, headers, body } = await client.call(`POST /chats/${id}/fork`, fields);
  expect(status, JSON.stringify(body)).toBe(201);
  expect(headers.get("location")).toBe(`/api/v1/chats/${(body as Chat).id}`);
  return body as Chat;
};
const open = async (id: string) =>
  OpenedChat.parse((await client.call(`GET /chats/${id}/open`)).body);

it("a fork says where it comes from, and the chat what came from it", async () => {
  const id = await startChat("Tides");
  const [first, second] = [await fork(id, { after_seq: 1 }), await fork(id, { title: "Winds" })];
  expect(first).toMatchObject({
    title: "Tides (branch)",
    status: "waiting",
    forked_from: { chat_id: id, after_seq: 1 },
  });
  const opened = await open(second.id);
  expect(opened.chat.forked_from).toEqual({ chat_id: id, after_seq: 2 });
  expect(opened).toMatchObject({ origin: { id, title: "Tides" }, forks: [] });
  const { chat, origin, forks } = await open(id);
  expect([chat.forked_from, origin]).toEqual([null, null]);
  expect(forks).toEqual([
    { id: second.id, title: "Winds" },
    { id: first.id, title: "Tides (branch)" },
  ]);
  const { data } = (await client.call(`GET /chats?forked_from=${id}&archived=any`))
    .body as ChatPage;
  expect(data).toMatchObject([
    { id: second.id, forked_from: { chat_id: id, after_seq: 2 } },
    { id: first.id, forked_from: { chat_id: id, after_seq: 1 } },
  ]);
  expect((await client.call(`GET /chats?forked_from=${newId()}`)).body).toEqual({ data: [] });

  expect((await client.call(`DELETE /chats/${id}`)).status).toBe(204);
  const left = await open(first.id);
  expect([left.chat.forked_from, left.origin]).toEqual([{ chat_id: null, after_seq: 1 }, null]);
});

it("a fork of a fork comes from the fork, whose title it does not lengthen", async () => {
  const first = await fork(await startChat("Tides"));
  const second = await fork(first.id);
  expect(second).toMatchObject({
    title: "Tides (branch)",
    forked_from: { chat_id: first.id, after_seq: 2 },
  });
});

it("a long title is cut", async () => {
  const id = await startChat("Tides");
  await client.call(`PATCH /chats/${id}`, { title: "🌊".repeat(100) });
  const { title } = await fork(id);
  expect(title.length).toBeLessThanOrEqual(200);
  expect([title.isWellFormed(), title.endsWith(" (branch)")]).toEqual([true, true]);
});

it("a procedure forks once under its key", async () => {
  const id = await startChat("Tides");
  const call = async () => {
    const response = await api.api.handleTrpc(
      new Request(`${ORIGIN}/api/trpc/chats.fork`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${client.key}`,
          "content-type": "application/json",
          "idempotency-key": `fork ${id}`.replace(" ", "-"),
        },
        body: JSON.stringify({ chat_id: id, after_seq: 2 }),
      }),
    );
    return ((await response.json()) as { result: { data: Chat } }).result.data;
  };
  const [first, again] = [await call(), await call()];
  expect(again).toEqual(first);
  expect((await open(id)).forks).toHaveLength(1);
});

it.each<[what: string, input: object, pointer: string]>([
  ["a message that does not exist", { after_seq: 9 }, "/after_seq"],
  ["a number that is none", { after_seq: "2" }, "/after_seq"],
  ["a blank title", { title: " " }, "/title"],
  ["an unknown field", { seq: 2 }, "/seq"],
])("%s is refused", async (_what, input, pointer) => {
  const id = await startChat("Tides");
  const { status, problem } = await client.fail(`POST /chats/${id}/fork`, input);
  expect([status, problem.errors?.[0]?.pointer]).toEqual([400, pointer]);
});

it("an active turn, an archived chat and an unknown chat are refused", async () => {
  const active = await client.startChat();
  const busy = await client.fail(`POST /chats/${active}/fork`, {});
  expect([busy.status, busy.headers.get("x-should-retry")]).toEqual([409, null]);
  const archived = await startChat("Tides");
  await client.call(`PATCH /chats/${archived}`, { archived: true });
  const final = await client.fail(`POST /chats/${archived}/fork`, {});
  expect([final.status, final.headers.get("x-should-retry")]).toEqual([409, "false"]);
  expect((await client.fail(`POST /chats/${newId()}/fork`, {})).status).toBe(404);
});
