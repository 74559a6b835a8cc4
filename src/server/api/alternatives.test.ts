import { v7 as newId } from "uuid";
import { beforeEach, describe, expect, it } from "vitest";
import type { Chat } from "@/contract/chat";
import type { MessagePage, OpenedChat } from "@/contract/chat-outputs";
import { MAX_ALTERNATIVES } from "@/contract/limits";
import type { Message } from "@/contract/message";
import type { Database } from "@/server/db/connection/database";
import { listMessages } from "@/server/db/sql/reads/message-reads";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { commitAnswer } from "@/test/park-chat";

let db: Database;
let client: TestClient;
beforeEach(async () => {
  db = await testDatabase();
  client = await createClient(db, createTestApi(db));
});

const answer = (id: string, text: string) =>
  commitAnswer(db, id, { parts: [{ type: "text", text }], after: "finish" });
const start = async (): Promise<string> => {
  const id = await client.startChat();
  await answer(id, "one");
  return id;
};
const read = async (id: string): Promise<Message[]> =>
  ((await client.call(`GET /chats/${id}/messages`)).body as MessagePage).data;
const toTexts = (messages: readonly Message[]) =>
  messages.map(({ parts: [part] }) => (part?.type === "text" ? part.text : part?.type));
const toVersions = (messages: readonly Message[]) =>
  messages.map(({ alternatives }) =>
    alternatives ? `${alternatives.index}/${alternatives.ids.length}` : "",
  );
const regenerate = async (id: string, text: string): Promise<void> => {
  expect((await client.call(`POST /chats/${id}/regenerate`, {})).status).toBe(202);
  await answer(id, text);
};
const edit = async (id: string, messageId: string | undefined, content: string) => {
  const { status } = await client.call(`PATCH /chats/${id}/messages/${messageId}`, { content });
  expect(status).toBe(200);
};
const choose = (id: string, messageId: string | undefined) =>
  client.call(`POST /chats/${id}/messages/${messageId}/choose`);

describe("alternatives", () => {
  it("are named by their message in pages, and swapped by a choice", async () => {
    const id = await start();
    expect(toVersions(await read(id))).toEqual(["", ""]);
    await regenerate(id, "two");
    await regenerate(id, "three");
    const [question, third] = await read(id);
    expect(toVersions(await read(id))).toEqual(["", "3/3"]);
    expect((await choose(id, third?.alternatives?.ids[0])).status).toBe(204);
    expect(toTexts(await read(id)).at(-1)).toBe("one");
    expect(toVersions(await read(id))).toEqual(["", "1/3"]);
    const opened = (await client.call(`GET /chats/${id}/open`)).body as OpenedChat;
    expect(toVersions(opened.data)).toEqual(["", "1/3"]);
    expect(opened.chat).toMatchObject({ status: "waiting", context: { used_tokens: 12 } });
    expect((await choose(id, third?.id)).status).toBe(204);
    expect(await read(id)).toMatchObject([
      { id: question?.id },
      { id: third?.id, alternatives: third?.alternatives },
    ]);
  });

  it("are nested, and come back with what followed them", async () => {
    const id = await start();
    const [first] = await read(id);
    await edit(id, first?.id, "second question");
    await answer(id, "four");
    await regenerate(id, "five");
    const [second] = await read(id);
    await edit(id, second?.id, "third question");
    await answer(id, "six");
    expect(toVersions(await read(id))).toEqual(["3/3", ""]);
    const inner = (await read(id))[0]?.alternatives?.ids[1];
    expect((await choose(id, inner)).status).toBe(204);
    expect(toTexts(await read(id))).toEqual(["second question", "five"]);
    expect(toVersions(await read(id))).toEqual(["2/3", "2/2"]);
    const [, five] = await read(id);
    expect((await choose(id, five?.alternatives?.ids[0])).status).toBe(204);
    expect(toTexts(await read(id))).toEqual(["second question", "four"]);
    expect((await choose(id, first?.id)).status).toBe(204);
    expect(toTexts(await read(id)).at(-1)).toBe("one");
    expect(toVersions(await read(id))).toEqual(["1/3", ""]);
    // It follows a message that is replaced.
    expect((await client.fail(`POST /chats/${id}/messages/${five?.id}/choose`)).status).toBe(409);
    expect((await choose(id, inner)).status).toBe(204);
    expect(toTexts(await read(id))).toEqual(["second question", "four"]);
  });

  it("are found neither by the searches nor in a fork until they are chosen", async () => {
    const id = await start();
    await regenerate(id, "a xylophone");
    const [, current] = await read(id);
    expect((await choose(id, current?.alternatives?.ids[0])).status).toBe(204);
    const search = async () =>
      ((await client.call(`GET /chats/${id}/search?q=xylophone`)).body as { data: unknown[] }).data;
    const searchAll = async () =>
      ((await client.call("GET /chats?q=xylophone")).body as { data: unknown[] }).data;
    expect([await search(), await searchAll()]).toEqual([[], []]);
    const fork = (await client.call(`POST /chats/${id}/fork`, {})).body as Chat;
    expect(toTexts(await read(fork.id)).at(-1)).toBe("one");
    expect(toVersions(await read(fork.id))).toEqual(["", ""]);
    expect((await choose(id, current?.id)).status).toBe(204);
    expect([(await search()).length, (await searchAll()).length]).toEqual([1, 1]);
    expect((await choose(fork.id, current?.id)).status).toBe(404);
  });

  it("are kept of an answer that has no successor", async () => {
    const id = await start();
    const [, first] = await read(id);
    expect((await client.call(`POST /chats/${id}/regenerate`, {})).status).toBe(202);
    await client.call(`POST /chats/${id}/interrupt`, {});
    await db.prisma.chat.update({ where: { id }, data: { status: "waiting" } });
    expect(await read(id)).toMatchObject([{ former_answers: [first?.id] }]);
    expect((await choose(id, first?.id)).status).toBe(204);
    expect(toTexts(await read(id)).at(-1)).toBe("one");
    expect(toVersions(await read(id))).toEqual(["", ""]);
  });

  it("are at most some, of which the oldest are dropped", async () => {
    const id = await start();
    for (let count = 0; count < MAX_ALTERNATIVES + 5; count += 1) {
      await regenerate(id, `answer ${count}`);
    }
    const [, last] = await read(id);
    expect(last?.alternatives?.ids).toHaveLength(MAX_ALTERNATIVES + 1);
    expect(last?.alternatives?.index).toBe(MAX_ALTERNATIVES + 1);
    const branches = { chatId: id, branch: { not: null } };
    expect(await db.prisma.message.count({ where: branches })).toBe(MAX_ALTERNATIVES);
    // Their texts are gone.
    const parts = await db.prisma.part.count({ where: { message: { chatId: id } } });
    expect(parts).toBe(MAX_ALTERNATIVES + 2);
    const dropped = await db.prisma.message.findFirstOrThrow({ where: { chatId: id, seq: 2 } });
    expect((await choose(id, dropped.id)).status).toBe(404);
  });
});

/** Counts the messages that a page reads, by what the database says of its plan. */
const countRead = async (id: string): Promise<number> => {
  type Node = { "Relation Name"?: string; "Actual Rows"?: number; "Actual Loops"?: number };
  type Plan = Node & { "Rows Removed by Filter"?: number; Plans?: Plan[] };
  const plans: Plan[] = [];
  const query: Database["query"] = async ({ name, text }, values) => {
    const statement = {
      name: `test-count-${name}`,
      text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    };
    const [row] = await db.transaction(async (tx) => {
      // A small table is read as a whole, whatever its indexes are.
      await tx.query({ name: "test-by-indexes", text: "SET LOCAL enable_seqscan = off" }, []);
      return tx.query<{ "QUERY PLAN": { Plan: Plan }[] }>(statement, values);
    });
    plans.push(...(row?.["QUERY PLAN"] ?? []).map(({ Plan: plan }) => plan));
    return [];
  };
  const viewer = { userId: client.userId };
  await listMessages({ ...db, query }, { chatId: id, viewer, limit: 50 });
  const sum = (plan: Plan): number => {
    const rows = (plan["Actual Rows"] ?? 0) + (plan["Rows Removed by Filter"] ?? 0);
    const own = plan["Relation Name"] === "message" ? rows * (plan["Actual Loops"] ?? 1) : 0;
    return (plan.Plans ?? []).reduce((total, each) => total + sum(each), own);
  };
  return plans.reduce((total, plan) => total + sum(plan), 0);
};

/** So many that no plan reads them all because their table is small. */
const REPLACED = 5_000;
const WRITE_REPLACED = {
  name: "test-write-replaced",
  text: `INSERT INTO message (id, chat_id, turn_id, seq, role, revision, deleted)
    SELECT gen_random_uuid(), $1::uuid, $1::uuid, seq, 'assistant', seq, true FROM generate_series(10, 10 + $2::int) AS seq`,
};

it("a page reads no message that was replaced, however many there are", async () => {
  const id = await start();
  await regenerate(id, "two");
  const plain = await start();
  const before = { few: await countRead(id), none: await countRead(plain) };
  for (const chatId of [id, plain]) {
    await db.query(WRITE_REPLACED, [chatId, REPLACED]);
    await db.prisma.chat.update({ where: { id: chatId }, data: { lastSeq: REPLACED + 100 } });
  }
  await db.query({ name: "test-analyze", text: "ANALYZE message" }, []);
  // Plans differ by some rows.
  expect(await countRead(id)).toBeLessThan(before.few + 20);
  expect(await countRead(plain)).toBeLessThan(before.none + 20);
});

describe("a choice", () => {
  it("is refused of unknown messages, and while the chat is busy or archived", async () => {
    const id = await start();
    const other = await start();
    await regenerate(other, "two");
    const [, theirs] = await read(other);
    const [question] = await read(id);
    for (const messageId of [newId(), "x", theirs?.alternatives?.ids[0]]) {
      expect((await choose(id, messageId)).status).toBe(404);
    }
    const before = (await client.call(`GET /chats/${id}`)).body;
    // It is chosen already.
    expect((await choose(id, question?.id)).status).toBe(204);
    expect((await client.call(`GET /chats/${id}`)).body).toEqual(before);
    const eve = await createClient(db, createTestApi(db));
    const route = `POST /chats/${other}/messages/${theirs?.alternatives?.ids[0]}/choose`;
    expect((await eve.call(route)).status).toBe(404);
    await client.call(`PATCH /chats/${other}`, { archived: true });
    expect((await client.call(route)).status).toBe(409);
    await client.call(`PATCH /chats/${other}`, { archived: false });
    await client.call(`POST /chats/${other}/messages`, { content: "Wait" });
    expect((await client.call(route)).status).toBe(409);
    expect(toTexts(await read(other)).slice(-2)).toEqual(["two", "Wait"]);
  });

  it("of several at once leaves one whole path", async () => {
    const id = await start();
    const [question] = await read(id);
    for (const text of ["b", "c", "d"]) {
      const [current] = await read(id);
      await edit(id, current?.id, `question ${text}`);
      await answer(id, `answer ${text}`);
    }
    const ids = (await read(id))[0]?.alternatives?.ids ?? [];
    expect(ids).toHaveLength(4);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([...ids, ...ids].map((messageId) => choose(id, messageId)));
      const messages = await read(id);
      expect(messages).toHaveLength(2);
      const letter = /question (.)/.exec(toTexts(messages)[0] ?? "")?.[1];
      expect(toTexts(messages)[1]).toBe(letter === undefined ? "one" : `answer ${letter}`);
      expect(messages[0]?.alternatives?.ids).toEqual(ids);
    }
    expect(ids[0]).toBe(question?.id);
  });
});
