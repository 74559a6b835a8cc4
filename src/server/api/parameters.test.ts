import { beforeAll, describe, expect, it } from "vitest";
import type { Chat } from "@/contract/chat";
import type { SendMessageOutput } from "@/contract/chat-outputs";
import type { Message } from "@/contract/message";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { commitAnswer } from "@/test/park-chat";

let db: Database;
let client: TestClient;
beforeAll(async () => {
  db = await testDatabase();
  client = await createClient(db, createTestApi(db));
});

const ALL = {
  reasoning_effort: "high",
  temperature: 0,
  max_output_tokens: 2_000,
  provider_tools: [] as string[],
};
const read = async (id: string) => (await client.call(`GET /chats/${id}`)).body as Chat;
const pick = (set: Chat | Message) => ({
  reasoning_effort: set.reasoning_effort,
  temperature: set.temperature,
  max_output_tokens: set.max_output_tokens,
  provider_tools: set.provider_tools,
});
const NONE = {
  reasoning_effort: undefined,
  temperature: undefined,
  max_output_tokens: undefined,
  provider_tools: undefined,
};

describe("the parameters of a chat", () => {
  it("are those it begins with, and are changed and removed one by one", async () => {
    const id = await client.startChat(ALL);
    expect(pick(await read(id))).toEqual(ALL);
    const { body } = await client.call(`PATCH /chats/${id}`, {
      reasoning_effort: "none",
      temperature: null,
    });
    expect(pick(body as Chat)).toEqual({
      reasoning_effort: "none",
      temperature: undefined,
      max_output_tokens: 2_000,
      provider_tools: [],
    });
    const before = await read(id);
    await client.call(`PATCH /chats/${id}`, { title: "Another" });
    const after = await read(id);
    expect(after.version).toBe(before.version + 1);
    expect(pick(after)).toEqual(pick(before));
  });

  it("are none by default", async () => {
    expect(pick(await read(await client.startChat()))).toEqual(NONE);
  });

  it.each([
    ["reasoning_effort", "enormous"],
    ["reasoning_effort", null],
    ["temperature", -0.5],
    ["temperature", 2.5],
    ["temperature", "warm"],
    ["max_output_tokens", 15],
    ["max_output_tokens", 1.5],
    ["max_output_tokens", 1_000_001],
    ["provider_tools", "web_search"],
    ["provider_tools", ["web_search", "web_search"]],
  ])("are refused with the place: %s %s", async (name, value) => {
    const { problem } = await client.fail("POST /chats", { content: "Hello", [name]: value });
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: `/${name}` }] });
    const id = await client.startChat();
    const sent = await client.fail(`POST /chats/${id}/messages`, { content: "a", [name]: value });
    expect(sent.problem).toMatchObject({ status: 400, errors: [{ pointer: `/${name}` }] });
  });
});

const ANSWER = { parts: [{ type: "text" as const, text: "Yes." }], after: "finish" as const };

describe("the parameters of a message", () => {
  const send = async (id: string, fields: object) =>
    (await client.call(`POST /chats/${id}/messages`, { content: "And?", ...fields }))
      .body as SendMessageOutput;

  it("are shown in the queue and in the message, and leave the chat as it is", async () => {
    const id = await client.startChat({ reasoning_effort: "low" });
    const queued = await send(await client.startChat(), ALL);
    expect(queued).toMatchObject({ queued: true, queued_message: ALL });
    await commitAnswer(db, id, ANSWER);
    await send(id, ALL);
    const { body } = await client.call(`GET /chats/${id}/messages`);
    const messages = (body as { data: Message[] }).data;
    expect(messages.at(-1)).toMatchObject({ role: "user", ...ALL });
    expect(messages.slice(0, 1).map(pick)).toEqual([NONE]);
    expect(pick(await read(id))).toEqual({ ...NONE, reasoning_effort: "low" });
  });

  it("are kept by an edit that sets only some", async () => {
    const id = await client.startChat();
    await commitAnswer(db, id, ANSWER);
    const sent = await send(id, ALL);
    if (sent.queued) throw new Error("the chat was at rest");
    const { body } = await client.call(`PATCH /chats/${id}/messages/${sent.message.id}`, {
      content: "Or?",
      temperature: 1,
    });
    expect(pick(body as Message)).toEqual({ ...ALL, temperature: 1 });
  });
});

const FORMAT = {
  type: "json_schema",
  name: "place",
  schema: { type: "object", properties: { city: { type: "string" } } },
};
const withSchema = (schema: unknown) => ({ ...FORMAT, schema });
const DEEP = Array.from({ length: 40 }).reduce<object>((items) => ({ items }), {});

describe("a response_format", () => {
  it("is shown with its message, with the keys of its schema in their order", async () => {
    const schema = { type: "object", properties: { z: {}, a: {} }, required: ["z", "a"] };
    const id = await client.startChat({ response_format: withSchema(schema) });
    const queued = await client.call(`POST /chats/${id}/messages`, {
      content: "And?",
      response_format: FORMAT,
    });
    expect(queued.body).toMatchObject({ queued_message: { response_format: FORMAT } });
    const { body } = await client.call(`GET /chats/${id}/messages`);
    const [message] = (body as { data: Message[] }).data;
    expect(JSON.stringify(message?.response_format?.schema)).toBe(JSON.stringify(schema));
  });

  it.each([
    [{ ...FORMAT, type: "json" }, "/type"],
    [{ ...FORMAT, name: "a place" }, "/name"],
    [{ type: "json_schema", name: "place" }, "/schema"],
    [withSchema("object"), "/schema"],
    [withSchema([]), "/schema"],
    [withSchema(true), "/schema"],
    [withSchema({ type: "strng" }), "/schema/type"],
    [withSchema({ properties: { city: { pattern: "(" } } }), "/schema/properties/city/pattern"],
    [withSchema({ anyOf: [{}, { $ref: "#/nowhere" }] }), "/schema/anyOf/1/$ref"],
    [withSchema(DEEP), "/schema"],
    [withSchema({ description: "x".repeat(70_000) }), "/schema"],
    [{ ...FORMAT, strict: true }, "/strict"],
  ])("that cannot be used is refused with the place: %j", async (response_format, pointer) => {
    const expected = { status: 400, errors: [{ pointer: `/response_format${pointer}` }] };
    const { problem } = await client.fail("POST /chats", { content: "Hello", response_format });
    expect(problem).toMatchObject(expected);
    const id = await client.startChat();
    const sent = await client.fail(`POST /chats/${id}/messages`, { content: "a", response_format });
    expect(sent.problem).toMatchObject(expected);
    const { body } = await client.call(`GET /chats/${id}/messages`);
    expect(body).toMatchObject({ queued: [] });
  });

  it("is that of the last message of a history, if that begins a turn", async () => {
    const said = (role: "user" | "assistant", text: string) => ({
      role,
      content: [{ type: "text", text }],
    });
    const messages = [said("user", "Hi"), said("assistant", "Yes?"), said("user", "Where?")];
    const id = (
      (await client.call("POST /chats", { messages, response_format: FORMAT })).body as Chat
    ).id;
    const { body } = await client.call(`GET /chats/${id}/messages`);
    const formats = (body as { data: Message[] }).data.map((message) => message.response_format);
    expect(formats).toEqual([undefined, undefined, FORMAT]);
    const { problem } = await client.fail("POST /chats", {
      messages: messages.slice(0, 2),
      response_format: FORMAT,
    });
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: "/response_format" }] });
  });
});
