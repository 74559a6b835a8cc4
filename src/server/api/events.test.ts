import { createParser } from "eventsource-parser";
import { afterEach, expect, it } from "vitest";
import { EventType } from "@/contract/event-type";
import { WatchEvent } from "@/contract/stream-event";
import { ownedBy } from "@/server/db/chats/viewer";
import type { Transaction } from "@/server/db/connection/database";
import { deleteOldEvents } from "@/server/db/sql/writes/event-writes";
import { createApiFixture, createClient, type TestClient } from "@/test/api-client";
import { testServerUrl } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";

const { db, api } = await createApiFixture();

type Received = { id: string | undefined; event: WatchEvent };

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Reads the stream of a client's events. */
const watch = async (client: TestClient, query: string, headers: Record<string, string> = {}) => {
  const controller = new AbortController();
  open.push(() => controller.abort());
  const request = new Request(client.request(`GET /watch?${query}`, undefined, headers), {
    signal: controller.signal,
  });
  const response = await api.api.handleRest(request);
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const received: Received[] = [];
  const parser = createParser({
    onEvent: ({ id, data }) => received.push({ id, event: WatchEvent.parse(JSON.parse(data)) }),
  });
  const read = async (): Promise<void> => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      parser.feed(chunk);
    }
  };
  read().catch(() => undefined);
  const types = () => received.map(({ event }) => event.type);
  return {
    received,
    types,
    /** Waits until the stream has sent these kinds of events, and no others. */
    expectTypes: (expected: string[]) => expect.poll(types).toEqual(expected),
    lastId: () => received.findLast(({ id }) => id)?.id ?? "",
    close: () => controller.abort(),
  };
};

const ALL = `types=${EventType.options.join(",")}`;

const finish = (chatId: string) =>
  commitAnswer(db, chatId, { parts: [{ type: "text", text: "Done." }], after: "finish" });

const countEvents = (client: TestClient) => db.prisma.event.count({ where: ownedBy(client) });

it("writes nothing for an owner who reads no events, and watches without a cursor", async () => {
  const client = await createClient(db, api);
  const plain = await watch(client, "");
  const chatId = await client.startChat();
  // Of what changes before it is read, the stream sends the last state only.
  await expect.poll(plain.types).toContain("chat.created");
  await finish(chatId);
  await expect.poll(plain.types).toContain("chat.updated");
  expect(plain.received.every(({ id }) => id === undefined)).toBe(true);
  expect(await countEvents(client)).toBe(0);
  expect(await db.prisma.eventReader.count({ where: ownedBy(client) })).toBe(0);
});

it("sends what happens to chats and calls, and goes on after the last id that a client has", async () => {
  const client = await createClient(db, api);
  const first = await watch(client, ALL);
  await first.expectTypes(["caught-up"]);
  const chatId = await client.startChat();
  await commitAnswer(db, chatId, {
    parts: [openCall("one", "deploy"), openCall("two", "report")],
    after: "park",
  });
  await first.expectTypes(["caught-up", "chat.created", "call.opened", "call.opened"]);
  expect(first.received[2]?.event).toMatchObject({
    chat: { id: chatId, status: "requires_action" },
    root_chat_id: chatId,
    tool_name: "deploy",
    tool_call_id: "one",
  });
  first.close();
  const claim = await client.call("POST /tool-calls/claim", { holder: "a", tools: ["report"] });
  expect(claim.body).toMatchObject({ data: [{ tool_call_id: "two" }] });
  const { data } = claim.body as { data: { claim: { token: string } }[] };
  const answer = (id: string, token?: string) =>
    client.call(`POST /chats/${chatId}/tool-calls/${id}/result`, { output: "done", token });
  expect((await answer("one")).status).toBe(204);
  const second = await watch(client, `${ALL}&after=${first.lastId()}`);
  await second.expectTypes(["call.claimed", "call.closed", "caught-up"]);
  expect((await answer("two", data[0]?.claim.token)).status).toBe(204);
  await finish(chatId);
  const before = ["call.claimed", "call.closed", "caught-up", "call.closed", "turn.ended"];
  await second.expectTypes(before);
  await client.call(`DELETE /chats/${chatId}`);
  await second.expectTypes([...before, "chat.deleted"]);
  // Of a deleted chat only that is kept.
  const again = await watch(client, ALL, { "last-event-id": first.lastId() });
  await again.expectTypes(["chat.deleted", "caught-up"]);
  expect(again.received[0]?.event).toEqual({ type: "chat.deleted", id: chatId });
});

it("sends only the kinds that are asked for, and only to their owner", async () => {
  const [client, other] = [await createClient(db, api), await createClient(db, api)];
  const ends = await watch(client, "types=turn.ended,turn.failed");
  const others = await watch(other, ALL);
  await ends.expectTypes(["caught-up"]);
  await others.expectTypes(["caught-up"]);
  const chatId = await client.startChat();
  await finish(chatId);
  await ends.expectTypes(["caught-up", "turn.ended"]);
  const parked = await client.startChat();
  await commitAnswer(db, parked, { parts: [openCall("one", "deploy")], after: "park" });
  await client.call(`POST /chats/${parked}/interrupt`);
  await ends.expectTypes(["caught-up", "turn.ended", "turn.ended"]);
  expect(others.types()).toEqual(["caught-up"]);
  // The call that waited has ended with the turn.
  const all = await watch(client, `${ALL}&after=${ends.received[1]?.id ?? ""}`);
  await all.expectTypes(["chat.created", "call.opened", "call.closed", "turn.ended", "caught-up"]);
});

it("begins with the calls that wait, and again after a cursor that is too old or of another database", async () => {
  const client = await createClient(db, api);
  const chatId = await client.startChat();
  await commitAnswer(db, chatId, { parts: [openCall("one", "deploy")], after: "park" });
  const first = await watch(client, ALL);
  await first.expectTypes(["chat.action_required", "caught-up"]);
  await client.startChat();
  await first.expectTypes(["chat.action_required", "caught-up", "chat.created"]);
  const kept = first.lastId();
  const old = new Date(Date.now() - 8 * 24 * 3_600_000);
  await db.prisma.event.updateMany({
    where: ownedBy(client),
    data: { createdAt: old },
  });
  await deleteOldEvents(db);
  expect(await countEvents(client)).toBe(0);
  for (const after of [kept, "1-0", "999999999999-1"]) {
    const { expectTypes } = await watch(client, `after=${after}`);
    await expectTypes(["reset", "chat.action_required", "caught-up"]);
  }
});

it("does not write on for an owner who has read nothing for a week, and resets its cursor", async () => {
  const client = await createClient(db, api);
  const first = await watch(client, ALL);
  await first.expectTypes(["caught-up"]);
  first.close();
  const old = new Date(Date.now() - 8 * 24 * 3_600_000);
  await db.prisma.eventReader.update({
    where: ownedBy(client),
    data: { readAt: old },
  });
  await client.startChat();
  expect(await countEvents(client)).toBe(0);
  const second = await watch(client, `${ALL}&after=${first.lastId()}`);
  await second.expectTypes(["reset", "caught-up"]);
});

it.each(["after=x", "after=1", "after=-1", "after=1-", "types=chat.none", "types=", "after=1-2-3"])(
  "refuses %s",
  async (query) => {
    const client = await createClient(db, api);
    const { problem } = await client.fail(`GET /watch?${query}`);
    expect(problem).toMatchObject({ status: 400, code: "invalid" });
  },
);

/** The embedded database has one connection, so that its transactions cannot overlap. */
if (testServerUrl) {
  it("does not skip events of a transaction that commits late, whatever its ids are", async () => {
    const client = await createClient(db, api);
    const chatId = await client.startChat();
    const stream = await watch(client, ALL);
    await stream.expectTypes(["caught-up"]);
    /** These events come without a notification, and the stream reads others with the next one. */
    const notify = () => client.call(`PATCH /chats/${chatId}`, { pinned: true });
    const insert = (tx: Pick<Transaction, "query">, version: number) =>
      tx.query(
        {
          name: "insert-test-event",
          text: `INSERT INTO event (owner_id, chat_id, root_chat_id, version, type)
            VALUES ($1, gen_random_uuid(), gen_random_uuid(), $2, 'chat.deleted')`,
        },
        [client.userId, version],
      );
    const mark = { name: "take-xid", text: "SELECT pg_current_xact_id()::text" };
    const [begun, late] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const [written, end] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    // The earlier transaction has the later event, and commits first; the later one has the earlier event.
    const earlier = db.transaction(async (tx) => {
      await tx.query(mark, []);
      begun.resolve(undefined);
      await late.promise;
      await insert(tx, 2);
    });
    await begun.promise;
    const later = db.transaction(async (tx) => {
      await insert(tx, 1);
      written.resolve(undefined);
      await end.promise;
    });
    await written.promise;
    late.resolve(undefined);
    await earlier;
    await notify();
    await stream.expectTypes(["caught-up", "chat.deleted"]);
    end.resolve(undefined);
    await later;
    await client.startChat();
    await stream.expectTypes(["caught-up", "chat.deleted", "chat.deleted", "chat.created"]);
    const resumed = await watch(client, `${ALL}&after=${stream.received[1]?.id ?? ""}`);
    await resumed.expectTypes(["chat.deleted", "chat.created", "caught-up"]);
  });
}

it("sends only what is of chats with the labels, and of calls of the tools, of the filter", async () => {
  const client = await createClient(db, api);
  const labels = { app: "slackbot", team: "web" };
  const labeled = await watch(client, `${ALL}&label=app=slackbot&label=team=web`);
  const plain = await watch(client, "label=app=slackbot");
  const tool = await watch(client, `${ALL}&tool=deploy&tool=other`);
  for (const stream of [labeled, tool]) await stream.expectTypes(["caught-up"]);
  const park = async (fields: object, toolName: string): Promise<string> => {
    const chatId = await client.startChat(fields);
    await commitAnswer(db, chatId, { parts: [openCall("a", toolName)], after: "park" });
    return chatId;
  };
  const other = await park({}, "report");
  await park({ labels: { app: "slackbot" } }, "report");
  const id = await park({ labels }, "deploy");
  await labeled.expectTypes(["caught-up", "chat.created", "call.opened"]);
  await tool.expectTypes(["caught-up", "call.opened"]);
  expect(tool.received.at(-1)?.event).toMatchObject({ tool_name: "deploy", chat: { id } });
  await expect.poll(plain.types).toContain("chat.action_required");
  const seen = plain.received.flatMap(({ event }) => ("chat" in event ? event.chat.id : []));
  expect(seen).not.toContain(other);

  const late = await watch(client, "tool=deploy");
  await expect.poll(late.types).toEqual(["chat.action_required"]);
  expect(late.received[0]?.event).toMatchObject({ chat: { id } });
});

it.each([
  "label=app",
  "label==x",
  "tool=",
  `tool=${"x".repeat(257)}`,
  "label=a=1&label=b",
  "label=a=1&label=a=2",
])("refuses the filter %s", async (query) => {
  const client = await createClient(db, api);
  expect((await client.fail(`GET /watch?${query}`)).status).toBe(400);
});
