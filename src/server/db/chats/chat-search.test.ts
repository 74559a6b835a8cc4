import { beforeAll, describe, expect, it } from "vitest";
import { writeChat, writeMessage, textPart } from "@/test/chat-rows";
import { createUser } from "@/test/factories";
import { testDatabase } from "@/test/database";
import { fillLargeData } from "@/test/large-data.mjs";
import { listChats } from "./chat-list-reads";
import type { Database } from "@/server/db/connection/database";
import { encodeCursor } from "./list-cursor";
import type { Viewer } from "./viewer";

const SIZE = { chats: 120, messages: 6_000, longestChat: 1_500 };
/** Slices of 1,024 parts in a set of this size, and one that is begun. */
const SLICES = 7;

let db: Database;
let viewer: Viewer;
let statements: string[] = [];
let longestChatId: string;
/** The chats with their texts, the newest first. */
let texts: { id: string; title: string; text: string }[];

beforeAll(async () => {
  const opened = await testDatabase();
  viewer = { userId: await createUser(opened) };
  let count = 0;
  const run = (text: string, values: unknown[]) =>
    opened.query({ name: `test-fill-${count++}`, text }, values);
  ({ longestChatId } = await fillLargeData(run, viewer.userId, SIZE));
  for (const table of ["chat", "message", "part"]) await run(`ANALYZE ${table}`, []);
  texts = await opened.query(
    {
      name: "test-texts",
      text: `SELECT chat.id, title, string_agg(text, E'\n') AS text FROM chat
        JOIN message ON message.chat_id = chat.id JOIN part ON part.message_id = message.id
        WHERE owner_id = $1 GROUP BY chat.id`,
    },
    [viewer.userId],
  );
  db = {
    ...opened,
    transaction: (body) =>
      opened.transaction((tx) =>
        body({
          ...tx,
          query: (statement, values) => {
            statements.push(statement.name);
            return tx.query(statement, values);
          },
        }),
      ),
  };
});

/** All pages of a search. */
const search = async (q: string, limit = 50): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listChats(db, { viewer, archived: false, q, limit, cursor });
    expect(page.chats.length).toBeLessThanOrEqual(limit);
    ids.push(...page.chats.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
};

const expected = (
  q: string,
  readText = ({ title, text }: (typeof texts)[number]) => title + text,
) =>
  texts.flatMap((chat) =>
    readText(chat).toLowerCase().includes(q.toLowerCase()) ? [chat.id] : [],
  );

const getWord = (index: number): string => texts[index]?.text.split(" ").at(-1) ?? "";

describe("a search of more messages than one statement compares", () => {
  it.each([
    "unique1000",
    "UNIQUE2000",
    "unique",
    "terter",
    "an ter",
    "zzzz",
    "ter%",
    "a_b",
    "'",
    '"',
    "\\",
  ])("finds each chat once, for %j", async (q) => {
    const found = await search(q);
    expect(found.toSorted()).toEqual(expected(q).toSorted());
  });

  it("finds each chat once with any page size", async () => {
    const word = "unique";
    for (const limit of [1, 7, 40]) {
      const found = await search(word, limit);
      expect(found.toSorted()).toEqual(expected(word).toSorted());
    }
  });

  it("gives the text around what it has found", async () => {
    const word = texts.find(({ id }) => id === longestChatId)?.text.match(/unique\d+/)?.[0] ?? "";
    const { chats } = await listChats(db, { viewer, archived: false, q: word, limit: 50 });
    expect(chats[0]?.match?.snippet).toContain(word);
  });

  it("finds a word of a single message in the longest chat", async () => {
    const word = texts.find(({ id }) => id === longestChatId)?.text.match(/unique\d+/)?.[0] ?? "";
    expect(await search(word)).toEqual(expected(word));
    expect(word).not.toBe("");
  });

  it("takes text without a trigram from the messages too", async () => {
    for (const q of ["x", "qz", "日本", "x日", "%%%%"]) {
      expect((await search(q)).toSorted()).toEqual(expected(q).toSorted());
    }
    const chatId = await writeChat(db, viewer.userId, { title: "two letters" });
    await writeMessage(db, chatId, { seq: 1, parts: [textPart("どこ? 日本 です, äöü 100%")] });
    for (const q of ["日本", "本 で", "äöü", "ÄÖÜ", "0%"])
      expect(await search(q)).toEqual([chatId]);
  });

  it("begins at the newest message for a position that none has yet", async () => {
    const load = (below: number | null) =>
      listChats(db, {
        viewer,
        archived: false,
        q: "unique",
        limit: 10,
        cursor: encodeCursor({ below }),
      });
    const newest = await load(null);
    expect(newest.chats).toHaveLength(10);
    expect(await load(2_000_000_000)).toEqual(newest);
  });

  it("reads a slice at most once, and none after a full page", async () => {
    statements = [];
    await search("zzzz");
    const slices = statements.filter((name) => name === "search-messages");
    expect(slices.length).toBeGreaterThan(0);
    expect(slices.length).toBeLessThanOrEqual(SLICES);
    statements = [];
    await listChats(db, { viewer, archived: false, q: getWord(0), limit: 1 });
    expect(statements.filter((name) => name === "search-messages").length).toBeLessThanOrEqual(
      SLICES,
    );
  });

  it("reads slices by the index of trigrams", async () => {
    const plan = await db.transaction(async (tx) => {
      await tx.query({ name: "test-allow", text: "SET LOCAL enable_bitmapscan = on" }, []);
      return tx.query<Record<string, string>>(
        {
          name: "test-explain",
          text: `EXPLAIN SELECT message_id FROM part WHERE type = 'text' AND is_indexed AND position / 1024 = 3 AND text ILIKE '%zzzz%'`,
        },
        [],
      );
    });
    expect(JSON.stringify(plan)).toContain("Bitmap Index Scan on part_search_idx");
  });
});
