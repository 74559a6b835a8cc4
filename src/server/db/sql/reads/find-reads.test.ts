import { v7 as newId } from "uuid";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { textPart, writeChat, writeMessage } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { toolCall } from "@/test/tool-call";
import { findInChat, type FoundPage } from "./find-reads";

let db: Database;
let userId: string;
let chatId: string;
beforeAll(async () => {
  db = await testDatabase();
  userId = await createUser(db);
});
beforeEach(async () => {
  chatId = await writeChat(db, userId);
});

const findPage = async (q: string, before?: number): Promise<FoundPage> => {
  const page = await findInChat(db, { chatId, viewer: { userId }, q, before });
  if (!page) throw new Error("the chat is not found");
  return page;
};

/** All pages: on a slow machine even the first of a few messages may end early. */
const findPages = async (q: string): Promise<FoundPage[]> => {
  const pages = [await findPage(q)];
  for (let before = pages[0]?.nextBefore; typeof before === "number";) {
    const page = await findPage(q, before);
    // A page has compared at least one message, or there were no more.
    expect(page.nextBefore ?? 0).toBeLessThan(before);
    pages.push(page);
    before = page.nextBefore;
  }
  return pages;
};

const find = async (q: string): Promise<FoundPage["messages"]> =>
  (await findPages(q)).flatMap(({ messages }) => messages);

const findSeqs = async (q: string): Promise<number[]> => (await find(q)).map(({ seq }) => seq);

/** Writes messages of one text each. */
const writeTexts = async (...texts: string[]): Promise<void> => {
  for (const [index, text] of texts.entries())
    await writeMessage(db, chatId, { seq: index + 1, parts: [textPart(text)] });
};

describe("findInChat", () => {
  it("finds messages by a part of their text in any case, the newest first", async () => {
    await writeTexts("A Narwhal swims", "nothing", "two narWHALs");
    expect((await find("narwhal")).map(({ seq, snippet }) => [seq, snippet])).toEqual([
      [3, "two narWHALs"],
      [1, "A Narwhal swims"],
    ]);
    expect(await find("whale")).toEqual([]);
  });

  it.each(["100%", "a_b", "C:\\new", "it's", '"', "%", "_", "\\", "日本", " ", "ÄÖ"])(
    "takes %j as it is written",
    async (q) => {
      await writeTexts(`x${q}y`, "100 a-b C:new its 日 本äo");
      expect(await findSeqs(q)).toContain(1);
      if (q !== " ") expect(await findSeqs(q)).toEqual([1]);
    },
  );

  it("finds a message once, by the first of its parts that has the text", async () => {
    const parts = [textPart("nothing"), textPart("first narwhal"), textPart("second narwhal")];
    const id = await writeMessage(db, chatId, { seq: 1, role: "assistant", parts });
    expect(await find("narwhal")).toEqual([{ id, seq: 1, snippet: "first narwhal" }]);
  });

  it("gives the text around what it has found, without its markup", async () => {
    const text = `${"before ".repeat(20)}the **narwhal** ${"after ".repeat(40)}`;
    await writeMessage(db, chatId, { seq: 1, role: "assistant", parts: [textPart(text)] });
    const snippet = (await find("narwhal"))[0]?.snippet;
    expect(snippet).toMatch(/^….* the narwhal after .*…$/);
    expect((await find("**narwhal"))[0]?.snippet).toContain("the **narwhal** after");
  });

  it("finds neither what is deleted, nor what only the model reads, nor calls and reasoning", async () => {
    const parts = [textPart("narwhal")];
    await writeMessage(db, chatId, { seq: 1, deleted: true, parts });
    await writeMessage(db, chatId, { seq: 2, visibility: "model", parts });
    await writeMessage(db, chatId, { seq: 3, visibility: "user", parts });
    const call = toolCall({ state: "completed", args: { q: "narwhal" }, output: "narwhal" });
    await writeMessage(db, chatId, { seq: 4, role: "assistant", parts: [call] });
    expect(await findSeqs("narwhal")).toEqual([3]);
  });

  it("goes on before a message, until it has compared the first one", async () => {
    const COUNT = 2_000;
    await db.query(
      {
        name: "test-write-many",
        text: `WITH m AS (INSERT INTO message (id, chat_id, turn_id, seq, role, revision)
            SELECT gen_random_uuid(), $1::uuid, $1::uuid, n, 'user', n FROM generate_series(1, $2::int) AS n
            RETURNING id, seq)
          INSERT INTO part (message_id, index, type, text)
            SELECT id, 0, 'text', 'message ' || seq || CASE WHEN seq % 500 = 0 THEN ' narwhal' ELSE '' END FROM m`,
      },
      [chatId, COUNT],
    );
    const pages = await findPages("narwhal");
    const seqs = pages.flatMap(({ messages }) => messages.map(({ seq }) => seq));
    expect(seqs).toEqual([2_000, 1_500, 1_000, 500]);
    // One statement compares 1,000 messages at most.
    expect(pages.length).toBeGreaterThan(2);
    expect((await findPage("narwhal", 500)).messages).toEqual([]);
    expect(await findPage("narwhal", 1)).toEqual({ messages: [], nextBefore: null });
  });

  it("does not find a chat of another person, or none", async () => {
    await writeTexts("narwhal");
    const other = { userId: await createUser(db) };
    expect(await findInChat(db, { chatId, viewer: other, q: "narwhal" })).toBeUndefined();
    for (const id of [newId(), "not-an-id"]) {
      expect(await findInChat(db, { chatId: id, viewer: { userId }, q: "x" })).toBeUndefined();
    }
  });
});
