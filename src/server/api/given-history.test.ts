import { describe, expect, it } from "vitest";
import type { Chat } from "@/contract/chat";
import type { MessagePage } from "@/contract/chat-outputs";
import {
  MAX_BODY_BYTES,
  MAX_CALLS_PER_STEP,
  MAX_HISTORY_BODY_BYTES,
  MAX_HISTORY_MESSAGES,
  MAX_HISTORY_PARTS,
} from "@/contract/limits";
import type { Artifact } from "@/contract/part";
import { ownedBy } from "@/server/db/chats/viewer";
import { createApiFixture, createClient, ORIGIN } from "@/test/api-client";
import { readChat } from "@/test/chat-probe";

const { db, api, client } = await createApiFixture();

const call = {
  type: "tool_call",
  tool_call_id: "call_1",
  tool_name: "look_up",
  args: { tide: "high" },
  output: { at: "11:04" },
};
const QUESTION = { role: "user", content: "When is high water at Oban?" };
const CALLS = {
  role: "assistant",
  content: [{ type: "reasoning", text: "I look it up." }, call],
};
const ANSWER = { role: "assistant", content: "At 11:04." };
const HISTORY = [{ role: "system", content: "Be brief." }, QUESTION, CALLS, ANSWER];

const create = async (messages: unknown[], fields: object = {}): Promise<Chat> => {
  const { status, body } = await client.call("POST /chats", { messages, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body as Chat;
};
const read = async (id: string, query = "") =>
  (await client.call(`GET /chats/${id}/messages${query}`)).body as MessagePage;
const countChats = (userId = client.userId) => db.prisma.chat.count({ where: ownedBy({ userId }) });
const upload = async (name: string, bytes: string): Promise<Artifact> => {
  const type = { "content-type": "text/plain" };
  return (await client.call(`POST /files?name=${name}`, bytes, type)).body as Artifact;
};

describe("a chat that begins with a history", () => {
  it("rests if its last message is an answer, and has all of it in its order", async () => {
    const chat = await create(HISTORY, { system_prompt: "You know tides." });
    expect(chat).toMatchObject({
      status: "waiting",
      title: "When is high water at Oban?",
      system_prompt: "You know tides.",
      version: 1,
    });
    const { data } = await read(chat.id);
    expect(data).toMatchObject([
      { seq: 1, role: "system", parts: [{ type: "text", text: "Be brief." }] },
      { seq: 2, role: "user", parts: [{ type: "text", text: QUESTION.content }] },
      {
        seq: 3,
        role: "assistant",
        parts: [
          { type: "reasoning", text: "I look it up." },
          {
            ...call,
            kind: "dynamic",
            state: "completed",
            is_error: false,
            resolved_by: `api_key:${client.keyId}`,
          },
        ],
      },
      { seq: 4, role: "assistant", parts: [{ type: "text", text: "At 11:04." }] },
    ]);
    expect(data.map(({ created_by }) => created_by)).toEqual([
      `api_key:${client.keyId}`,
      `api_key:${client.keyId}`,
      undefined,
      undefined,
    ]);
    expect(data.some((message) => "model" in message)).toBe(false);
  });

  it("begins a turn with a last message of the user", async () => {
    const chat = await create([...HISTORY, { role: "user", content: "And tomorrow?" }]);
    expect(chat.status).toBe("pending");
    const row = await readChat(db, chat.id);
    const messages = await db.prisma.message.findMany({
      where: { chatId: chat.id },
      orderBy: { seq: "asc" },
    });
    const [, first, second, third, last] = messages.map(({ turnId }) => turnId);
    expect([second, third]).toEqual([first, first]);
    expect(last).not.toBe(first);
    expect(row).toMatchObject({ turnId: last, lastSeq: 5 });
  });

  it("takes a message, a regeneration and an edit as another chat does", async () => {
    const { id } = await create(HISTORY);
    expect((await client.call(`POST /chats/${id}/regenerate`, {})).status).toBe(202);
    expect((await read(id)).data.map(({ role }) => role)).toEqual(["system", "user"]);
    const other = await create(HISTORY);
    const sent = { content: "Thanks." };
    expect((await client.call(`POST /chats/${other.id}/messages`, sent)).body).toMatchObject({
      queued: false,
      message: { seq: 5 },
    });
  });

  it("can be continued after results that no model has read", async () => {
    const { id } = await create([QUESTION, CALLS]);
    expect((await client.call(`POST /chats/${id}/continue`, {})).status).toBe(202);
    const whole = await create(HISTORY);
    expect((await client.call(`POST /chats/${whole.id}/continue`, {})).status).toBe(409);
  });

  it("is found by the search, by what people see of it", async () => {
    const word = "Corryvreckan";
    const answer = { role: "assistant", content: `Beware of ${word}.` };
    const { id } = await create([QUESTION, answer]);
    const { body } = await client.call(`GET /chats?q=${word}`);
    expect(body).toMatchObject({ data: [{ id, match: { seq: 2 } }] });
  });

  it("has the outcomes of its calls, whose secrets are masked", async () => {
    const secret = "sk-proj-abcdefghij0123456789";
    const states = ["completed", "error", "cancelled", "timed_out", "denied"];
    const outputs = [null, secret, "", false, 0];
    const content = states.map((state, index) => ({
      ...call,
      tool_call_id: `call_${index}`,
      state,
      output: outputs[index],
    }));
    const { id } = await create([QUESTION, { role: "assistant", content }]);
    const [, answer] = (await read(id)).data;
    expect(answer?.parts).toMatchObject(
      states.map((state, index) => ({ state, is_error: index > 0 })),
    );
    const stored = answer?.parts.map((part) => part.type === "tool_call" && part.output);
    expect(stored).toEqual([null, expect.not.stringContaining(secret), "", false, 0]);
  });

  it("takes the files of its messages, and links those of answers", async () => {
    const [sent, made] = [await upload("tides.csv", "a,b"), await upload("a[1].txt", "text")];
    const { id } = await create([
      { role: "user", content: [{ type: "file", file_id: sent.id }] },
      { role: "assistant", content: [{ type: "file", file_id: made.id }] },
    ]);
    expect((await readChat(db, id)).title).toBe("tides.csv");
    const { data } = await read(id);
    expect(data.map(({ parts }) => parts)).toMatchObject([
      [{ type: "file", file_id: sent.id, name: "tides.csv", size: 3 }],
      [{ type: "text", text: `[a\\[1\\].txt](/api/v1/files/${made.id})` }],
    ]);
    const files = await db.prisma.artifact.findMany({ where: { chatId: id } });
    expect(files).toHaveLength(2);
  });

  it("is created once for a key", async () => {
    const key = { "idempotency-key": "history" };
    const first = await client.call("POST /chats", { messages: HISTORY }, key);
    const before = await countChats();
    const again = await client.call("POST /chats", { messages: HISTORY }, key);
    expect(again.body).toEqual(first.body);
    expect(await countChats()).toBe(before);
  });

  it("is the same by a procedure", async () => {
    const response = await api.api.handleTrpc(
      new Request(`${ORIGIN}/api/trpc/chats.create`, {
        method: "POST",
        headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
        body: JSON.stringify({ messages: HISTORY }),
      }),
    );
    const { result } = (await response.json()) as { result: { data: Chat } };
    expect(result.data).toMatchObject({ status: "waiting" });
    expect((await read(result.data.id)).data).toHaveLength(4);
  });

  it("may have 2,000 messages of 8 MB in all, stored by few statements", async () => {
    const text = "All work and no play. ".repeat(180);
    const pair = [
      { role: "user", content: text },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm." },
          { type: "text", text },
        ],
      },
    ];
    const messages = Array.from({ length: MAX_HISTORY_MESSAGES / 2 }, () => pair).flat();
    expect(JSON.stringify({ messages }).length).toBeGreaterThan(0.95 * MAX_HISTORY_BODY_BYTES);
    expect(JSON.stringify({ messages }).length).toBeLessThan(MAX_HISTORY_BODY_BYTES);
    const { id } = await create(messages);
    expect(await db.prisma.message.count({ where: { chatId: id } })).toBe(MAX_HISTORY_MESSAGES);
    expect(await db.prisma.part.count({ where: { message: { chatId: id } } })).toBe(3_000);
    const { data, has_more } = await read(id, "?limit=2");
    expect([data.map(({ seq }) => seq), has_more]).toEqual([[1_999, 2_000], true]);
    expect(data[1]?.parts).toMatchObject([{ text: "Hm." }, { text }]);
  });
});

const user = (content: unknown = "Go on.") => ({ role: "user", content });
const answer = (...content: unknown[]) => ({ role: "assistant", content });

describe("a history is refused as a whole, and nothing is stored, when", () => {
  const UNKNOWN = "0199c6f0-0000-7000-8000-000000000000";
  it.each<[what: string, messages: unknown, pointer: string]>([
    ["it is empty", [], "/messages"],
    ["it is no list", "Hello", "/messages"],
    ["a message is none", [user(), null], "/messages/1"],
    ["a role is unknown", [user(), { role: "event", content: "a" }], "/messages/1/role"],
    ["a field is unknown", [{ ...user(), name: "Ada" }], "/messages/0/name"],
    ["a text is blank", [user(" ")], "/messages/0/content"],
    [
      "an answer is blank",
      [user(), answer({ type: "text", text: "" })],
      "/messages/1/content/0/text",
    ],
    ["an answer has no parts", [user(), answer()], "/messages/1/content"],
    ["it begins with an answer", [ANSWER, user()], "/messages/0/role"],
    ["it has system messages alone", [HISTORY[0]], "/messages"],
    ["a system message comes later", [user(), HISTORY[0]], "/messages/1/role"],
    ["an answer follows one without calls", [user(), ANSWER, ANSWER], "/messages/2/role"],
    [
      "a system message has parts",
      [{ role: "system", content: [{ type: "text", text: "a" }] }, user()],
      "/messages/0/content",
    ],
    ["a user's message has a call", [user([call])], "/messages/0/content/0/type"],
    [
      "a user's message has reasoning",
      [user([{ type: "reasoning", text: "a" }])],
      "/messages/0/content/0/type",
    ],
    [
      "a call has no output",
      [user(), answer({ ...call, output: undefined })],
      "/messages/1/content/0/output",
    ],
    [
      "a call is open",
      [user(), answer({ ...call, state: "running" })],
      "/messages/1/content/0/state",
    ],
    [
      "a call has no id",
      [user(), answer({ ...call, tool_call_id: "" })],
      "/messages/1/content/0/tool_call_id",
    ],
    [
      "a tool has no name",
      [user(), answer({ ...call, tool_name: "" })],
      "/messages/1/content/0/tool_name",
    ],
    [
      "a tool has a name that providers refuse",
      [user(), answer({ ...call, tool_name: "a b" })],
      "/messages/1/content/0/tool_name",
    ],
    [
      "arguments are no object",
      [user(), answer({ ...call, args: "{}" })],
      "/messages/1/content/0/args",
    ],
    [
      "two calls of a message have one id",
      [user(), answer(call, call)],
      "/messages/1/content/1/tool_call_id",
    ],
    [
      "two calls of the history have one id",
      [user(), CALLS, ANSWER, user(), CALLS],
      "/messages/4/content/1/tool_call_id",
    ],
    [
      "an answer has too many calls",
      [
        user(),
        answer(
          ...Array.from({ length: MAX_CALLS_PER_STEP + 1 }, (_, index) => ({
            ...call,
            tool_call_id: `${index}`,
          })),
        ),
      ],
      "/messages/1/content",
    ],
    [
      "a file is unknown",
      [user(), ANSWER, user([{ type: "file", file_id: UNKNOWN }])],
      "/messages/2/content/0/file_id",
    ],
    [
      "a file of an answer is unknown",
      [user(), answer({ type: "file", file_id: UNKNOWN })],
      "/messages/1/content/0/file_id",
    ],
    [
      "it has too many messages",
      Array.from({ length: MAX_HISTORY_MESSAGES + 1 }, () => user()),
      "/messages",
    ],
    [
      "it has too many parts",
      Array.from({ length: MAX_HISTORY_PARTS / 50 + 1 }, () =>
        user(Array.from({ length: 50 }, () => ({ type: "text", text: "a" }))),
      ),
      "/messages",
    ],
    [
      "a text has a lone surrogate",
      `{"messages":[{"role":"user","content":"\\ud800"}]}`,
      "/messages/0/content",
    ],
  ])("%s", async (_what, messages, pointer) => {
    const before = await countChats();
    const body = typeof messages === "string" && messages.startsWith("{") ? messages : { messages };
    const { status, problem } = await client.fail("POST /chats", body);
    expect(status).toBe(400);
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(await countChats()).toBe(before);
  });

  it("it is given with a message, or neither is", async () => {
    const both = await client.fail("POST /chats", { content: "Hello", messages: HISTORY });
    expect(both.problem.errors).toMatchObject([{ pointer: "/messages" }]);
    const none = await client.fail("POST /chats", {});
    expect(none.problem.errors).toMatchObject([{ pointer: "/content" }]);
  });

  it("a file is another person's, or of another chat", async () => {
    const stranger = await createClient(db, api);
    const { body } = await stranger.call("POST /files?name=a.txt", "theirs");
    const { id: file_id } = await upload("b.txt", "mine");
    await create([user([{ type: "file", file_id }])]);
    for (const id of [(body as Artifact).id, file_id]) {
      const messages = [user([{ type: "file", file_id: id }])];
      expect((await client.fail("POST /chats", { messages })).status).toBe(400);
    }
  });

  it("its model is unknown", async () => {
    const { problem } = await client.fail("POST /chats", { messages: HISTORY, model_id: UNKNOWN });
    expect(problem.errors).toMatchObject([{ pointer: "/model_id" }]);
  });

  it("it is larger than 8 MB, before it is read whole", async () => {
    const messages = [user("x".repeat(MAX_HISTORY_BODY_BYTES))];
    expect((await client.fail("POST /chats", { messages })).status).toBe(413);
  });

  it("other fields use the room that is for messages", async () => {
    const text = "x".repeat(150_000);
    const content = Array.from({ length: 8 }, () => ({ type: "text", text }));
    const long = await client.fail("POST /chats", { content });
    expect([long.status, long.problem.errors?.[0]?.pointer]).toEqual([400, "/content"]);
    const description = "x".repeat(10_000);
    const dynamic_tools = Array.from({ length: MAX_BODY_BYTES / 10_000 + 1 }, (_, index) => ({
      name: `tool_${index}`,
      description,
    }));
    const many = await client.fail("POST /chats", { messages: HISTORY, dynamic_tools });
    expect([many.status, many.problem.errors?.[0]?.pointer]).toEqual([400, "/dynamic_tools"]);
  });
});
