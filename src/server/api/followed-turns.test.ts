import { createParser } from "eventsource-parser";
import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import type { MessagePage } from "@/contract/chat-outputs";
import { StreamEvent } from "@/contract/stream-event";
import type { Database } from "@/server/db/connection/database";
import { createApiFixture, createClient, createTestApi } from "@/test/api-client";
import { claimChat, commitAnswer } from "@/test/park-chat";
import { toolCall } from "@/test/tool-call";

const { db, api, client } = await createApiFixture();

const answer = (id: string, text: string) =>
  commitAnswer(db, id, { parts: [{ type: "text", text }], after: "finish" });
const startRested = async (): Promise<string> => {
  const id = await client.startChat();
  await answer(id, "one");
  return id;
};

/** Sends a request that accepts a stream. @returns when the stream has begun. */
const follow = async (
  route: string,
  sent: object = {},
  headers: object = {},
  by: Pick<typeof client, "request"> & { api: typeof api } = { ...client, api },
) => {
  const accepting = { accept: "text/event-stream", ...headers };
  const response = await by.api.api.handleRest(
    by.request(route, route.startsWith("GET") ? undefined : sent, accepting),
  );
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    readToEnd: async (): Promise<StreamEvent[]> => {
      const events: StreamEvent[] = [];
      const parser = createParser({
        onEvent: ({ data }) => {
          events.push(StreamEvent.parse(JSON.parse(data)));
        },
      });
      parser.feed(await response.text());
      return events;
    },
  };
};

const FORMAT = {
  type: "json_schema",
  name: "answer",
  schema: { type: "object", properties: { b: { type: "string" }, a: {} } },
};

const listChats = async (by: Pick<typeof client, "call">) =>
  ((await by.call("GET /chats")).body as { data: { id: string }[] }).data;

/** The texts of the messages of a stream, and the last status of its chat. */
const summarize = (events: StreamEvent[]) => ({
  texts: events.flatMap((event) =>
    event.type === "message"
      ? event.message.parts.flatMap((part) => (part.type === "text" ? part.text : []))
      : [],
  ),
  status: events.findLast((event) => event.type === "chat")?.chat.status,
});

describe("Accept: text/event-stream", () => {
  it("follows a message until its turn is over, without what was before", async () => {
    const id = await startRested();
    const stream = await follow(`POST /chats/${id}/messages`, { content: "more" });
    expect([stream.status, stream.type]).toEqual([200, "text/event-stream; charset=utf-8"]);
    await answer(id, "two");
    expect(summarize(await stream.readToEnd())).toEqual({
      texts: ["more", "two"],
      status: "waiting",
    });
  });

  it("follows a message in the queue, beginning with the turn that it waits for", async () => {
    const id = await client.startChat();
    const stream = await follow(`POST /chats/${id}/messages`, { content: "more" });
    const { queued } = (await client.call(`GET /chats/${id}/messages`)).body as MessagePage;
    const removed = await client.call(`DELETE /chats/${id}/queue/${queued[0]?.id}`);
    expect(removed.status).toBe(204);
    await answer(id, "one");
    expect(summarize(await stream.readToEnd())).toEqual({ texts: ["one"], status: "waiting" });
  });

  it("follows an answer that is made anew", async () => {
    const id = await startRested();
    const stream = await follow(`POST /chats/${id}/regenerate`);
    expect(stream.status).toBe(202);
    await answer(id, "anew");
    const { texts, status } = summarize(await stream.readToEnd());
    expect([texts.at(-1), status]).toEqual(["anew", "waiting"]);
    expect(texts).not.toContain("one");
  });

  it("follows a turn that goes on after its tools", async () => {
    const id = await client.startChat();
    const parts = [toolCall({ toolCallId: "a", state: "completed" })];
    await commitAnswer(db, id, { parts, after: "finish", finishReason: "auto-submit-off" });
    const stream = await follow(`POST /chats/${id}/continue`);
    expect(stream.status).toBe(202);
    await answer(id, "done");
    expect(summarize(await stream.readToEnd())).toEqual({ texts: ["done"], status: "waiting" });
  });

  it("follows a message to a chat that has its external_id", async () => {
    const externalId = newId();
    const id = await client.startChat({ external_id: externalId });
    await answer(id, "one");
    const sent = { content: "more", external_id: externalId, if_exists: "send" };
    const stream = await follow("POST /chats", sent);
    expect(stream.status).toBe(200);
    await answer(id, "two");
    expect(summarize(await stream.readToEnd()).texts).toEqual(["more", "two"]);
  });

  it("gives the same turn to a repetition with its key", async () => {
    const id = await startRested();
    const key = { "idempotency-key": newId() };
    const send = () => follow(`POST /chats/${id}/regenerate`, {}, key);
    const first = await send();
    await answer(id, "anew");
    const events = summarize(await first.readToEnd());
    expect(summarize(await (await send()).readToEnd())).toEqual(events);
  });

  it("refuses as without it, and changes nothing", async () => {
    const id = await client.startChat();
    await claimChat(db, id);
    const sent = { content: "more", busy_behavior: "reject" };
    const refused = await follow(`POST /chats/${id}/messages`, sent);
    expect([refused.status, refused.type]).toEqual([409, "application/problem+json"]);
    expect((await follow(`POST /chats/${id}/regenerate`)).status).toBe(409);
    expect((await follow(`POST /chats/${newId()}/continue`)).status).toBe(404);
    expect((await follow(`POST /chats/${id}/messages`, { content: "" })).status).toBe(400);
    expect(await client.call(`GET /chats/${id}`)).toMatchObject({ body: { queued_count: 0 } });
  });
});

it("a message, and a turn, say the version in which they are", async () => {
  const id = await startRested();
  const sent = await client.call(`POST /chats/${id}/messages`, { content: "more" });
  const { version, message } = sent.body as { version: number; message: { revision: number } };
  expect(version).toBe(message.revision);
  await answer(id, "two");
  const { status, body } = await client.call(`POST /chats/${id}/regenerate`, {});
  const chat = (await client.call(`GET /chats/${id}`)).body;
  expect([status, body]).toEqual([202, { version: (chat as { version: number }).version }]);
});

describe("the stream of a new chat", () => {
  /** A client of a process whose statements are counted, and the answer to the insert delayed. */
  const createCounted = async (onInserted: () => Promise<void> = () => Promise.resolve()) => {
    const names: string[] = [];
    const query: Database["query"] = async (statement, values) => {
      names.push(statement.name);
      const rows = await db.query(statement, values);
      if (statement.name === "insert-chats") await onInserted();
      return rows as never;
    };
    const counted = createTestApi({ ...db, query });
    return { names, by: { ...(await createClient(db, counted)), api: counted } };
  };
  const isReading = (name: string): boolean => name.startsWith("chat-changes");

  it("begins with what was written, without reading it", async () => {
    const { names, by } = await createCounted();
    const sent = { content: "hello \ud83d\ude00", labels: { a: "b" }, response_format: FORMAT };
    const stream = await follow("POST /chats", sent, {}, by);
    expect(names).toContain("insert-chats");
    expect(names.filter(isReading)).toEqual([]);
    const [id = ""] = (await listChats(by)).map((chat) => chat.id);
    const read = await follow(`GET /chats/${id}/stream?after=0`, {}, {}, by);
    expect(names.filter(isReading)).toHaveLength(1);
    await answer(id, "done");
    const events = await stream.readToEnd();
    await by.call(`DELETE /chats/${id}`);
    expect(events.map(({ type }) => type).slice(0, 2)).toEqual(["message", "chat"]);
    expect(events.slice(0, 2)).toEqual((await read.readToEnd()).slice(0, 2));
    expect(summarize(events).status).toBe("waiting");
  });

  it("misses nothing that happens before the insert is answered", async () => {
    const { by } = await createCounted(async () => {
      const [id = ""] = (await listChats(by)).map((chat) => chat.id);
      await answer(id, "early");
    });
    const events = await (await follow("POST /chats", { content: "hi" }, {}, by)).readToEnd();
    expect(summarize(events)).toEqual({ texts: ["hi", "early"], status: "waiting" });
  });

  it("is read where the chat is made with a key, whose request is committed later", async () => {
    const { names, by } = await createCounted();
    const key = { "idempotency-key": newId() };
    const stream = await follow("POST /chats", { content: "hi" }, key, by);
    expect(names.filter(isReading)).toHaveLength(1);
    const [id = ""] = (await listChats(by)).map((chat) => chat.id);
    await answer(id, "done");
    expect(summarize(await stream.readToEnd()).texts).toEqual(["hi", "done"]);
  });
});
