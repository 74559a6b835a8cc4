import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { toHistory } from "@/test/chat-probe";
import { textPart, writeChat, writeMessage } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { toolCall } from "@/test/tool-call";
import type { Database } from "@/server/db/connection/database";
import { readChatChanges } from "./chat-reads";
import { listMessages, openChat, readChangedHistory, readHistory } from "./message-reads";
import { enqueueMessage } from "@/server/db/sql/machine/queue-writes";
import type { PartRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { OUTCOME_TYPES } from "@/server/db/sql/rows/part-columns";
import type { Viewer } from "@/server/db/chats/viewer";

let db: Database;
let userId: string;
let viewer: Viewer;
let chatId: string;
beforeAll(async () => {
  db = await testDatabase();
  userId = await createUser(db);
  viewer = { userId };
});
beforeEach(async () => {
  chatId = await writeChat(db, userId);
});

const time = new Date("2026-01-02T03:04:05.678Z");

const SAMPLES: Record<(typeof OUTCOME_TYPES)[keyof typeof OUTCOME_TYPES], unknown> = {
  boolean: true,
  json: { "\0": [0, null] },
  jsonb: [],
  text: "for\0you",
  timestamptz: time,
  tool_call_state: "completed",
  uuid: "0198c0de-0000-7000-8000-000000000000",
};

/** A value for each column of an outcome, which keeps new ones from being forgotten. */
const OUTCOME = Object.fromEntries(
  Object.entries(OUTCOME_TYPES).map(([key, type]) => [key, SAMPLES[type]]),
) as Pick<ToolCallPartRow, keyof typeof OUTCOME_TYPES>;

const SETTLED: PartRow = {
  ...OUTCOME,
  type: "tool_call",
  toolCallId: "call_1",
  toolName: "look\0up",
  kind: "recipe",
  args: { a: [0, false, "", null, "\uFDD0\0"] },
  approvedArgs: { z: "\0", a: [] },
  approvalScope: { command: "\0" },
  output: null,
  artifacts: [{ id: "01890000-0000-7000-8000-000000000000", name: "n", media_type: "m", size: 1 }],
  elicitations: [
    {
      message: "\0?",
      requested_schema: { type: "object" },
      answer: { action: "accept", content: { "\0": [] } },
      answered_by: "u",
    },
  ],
  startedAt: time,
  deadlineAt: null,
  resolvedClaim: null,
  providerMetadata: { anthropic: { caller: { type: "direct" } } },
};

/** One part of each kind, with every column filled that it has. */
const PARTS: PartRow[] = [
  { type: "text", text: "plain" },
  { type: "text", text: "signed", providerMetadata: { google: { thoughtSignature: "s" } } },
  { type: "text", text: "" },
  { type: "reasoning", text: "hm\0m", startedAt: time, completedAt: time },
  {
    type: "reasoning",
    text: "",
    startedAt: time,
    completedAt: null,
    providerMetadata: { openai: { encrypted: [1, null, "x"] } },
  },
  { type: "source", data: { url: "https://example.org", title: "Example" } },
  SETTLED,
  toolCall({ toolCallId: "call_2", args: "{not json", startedAt: time }),
];

describe("readHistory", () => {
  it("returns every kind of part as it was written", async () => {
    await writeMessage(db, chatId, { seq: 1, role: "assistant", parts: PARTS });
    const [message] = await readHistory(db, chatId);
    expect(message?.parts).toEqual(PARTS);
    const page = await listMessages(db, { chatId, viewer, limit: 1 });
    expect(toHistory(page?.messages ?? [])).toEqual([message]);
  });

  it("gives what the model may see, by seq, messages without parts too", async () => {
    const fourth = await writeMessage(db, chatId, { seq: 4, role: "assistant", parts: [] });
    const first = await writeMessage(db, chatId, { seq: 1, role: "system", visibility: "model" });
    await writeMessage(db, chatId, { seq: 2, visibility: "user" });
    await writeMessage(db, chatId, { seq: 3, deleted: true });
    const two = [textPart("one"), textPart("two")];
    const fifth = await writeMessage(db, chatId, { seq: 5, parts: two });
    const history = await readHistory(db, chatId);
    expect(history.map(({ id, role, parts }) => [id, role, parts.length])).toEqual([
      [first, "system", 1],
      [fourth, "assistant", 0],
      [fifth, "user", 2],
    ]);
    expect(await readHistory(db, "01890000-0000-7000-8000-000000000000")).toEqual([]);
  });

  it("returns any text and any output", async () => {
    const json = fc
      .jsonValue({ stringUnit: "binary" })
      .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), json, async (text, value) => {
        const own = await writeChat(db, userId);
        const settled = { ...SETTLED, args: value, output: value };
        await writeMessage(db, own, { seq: 1, parts: [textPart(text), settled] });
        const [message] = await readHistory(db, own);
        expect(message?.parts).toEqual([textPart(text.toWellFormed()), settled]);
      }),
      { numRuns: 50 },
    );
  });
});

describe("readChangedHistory", () => {
  it("puts what changed after a version in its place", async () => {
    await writeMessage(db, chatId, { seq: 1, revision: 1, parts: [textPart("as it was")] });
    const gone = await writeMessage(db, chatId, { seq: 2, revision: 7, deleted: true });
    const third = await writeMessage(db, chatId, { seq: 3, revision: 7, parts: [textPart("new")] });
    await writeMessage(db, chatId, { seq: 4, revision: 8, visibility: "user" });
    await writeMessage(db, chatId, { seq: 5, revision: 8 });
    const whole = await readHistory(db, chatId);
    const [first] = whole;
    if (!first) throw new Error("the first message is missing");
    const before = {
      role: "user",
      turnId: chatId,
      model: null,
      seq: 1,
      usage: null,
      createdBy: null,
      parts: [textPart("old")],
    } as const;
    const history = [
      first,
      ...[gone, third].map((id) => ({ ...before, id, parts: [...before.parts] })),
    ];
    expect(toHistory(await readChangedHistory(db, chatId, { version: 1, history }))).toEqual(whole);
    const known = { version: 8, history: whole };
    expect(await readChangedHistory(db, chatId, known)).toEqual(whole);
  });
});

describe("listMessages", () => {
  const page = async (range: { before?: number; after?: number; limit: number }) => {
    const found = await listMessages(db, { chatId, viewer, ...range });
    return [found?.messages.map(({ seq }) => seq), found?.hasMore];
  };

  it("gives the newest, those before, or those after, always ascending", async () => {
    for (let seq = 1; seq <= 8; seq++) {
      const hidden = {
        ...(seq === 3 && { deleted: true }),
        ...(seq === 5 && { visibility: "model" as const }),
      };
      await writeMessage(db, chatId, { seq, ...hidden });
    }
    expect(await page({ limit: 3 })).toEqual([[6, 7, 8], true]);
    expect(await page({ limit: 3, before: 6 })).toEqual([[1, 2, 4], false]);
    expect(await page({ limit: 2, before: 6 })).toEqual([[2, 4], true]);
    expect(await page({ limit: 6 })).toEqual([[1, 2, 4, 6, 7, 8], false]);
    expect(await page({ limit: 2, after: 0 })).toEqual([[1, 2], true]);
    expect(await page({ limit: 2, after: 2 })).toEqual([[4, 6], true]);
    expect(await page({ limit: 2, after: 6 })).toEqual([[7, 8], false]);
    expect(await page({ limit: 9, after: 1, before: 7 })).toEqual([[2, 4, 6], false]);
    expect(await page({ limit: 9, before: 0 })).toEqual([[], false]);
    expect(await page({ limit: 9, after: Number.MAX_SAFE_INTEGER })).toEqual([[], false]);
  });

  describe("of large messages", () => {
    const MEGABYTE = 1024 * 1024;
    /** Parts of 3 MB: as text, and as an output, which the database compresses. */
    const LARGE: PartRow[][] = [
      [textPart("x".repeat(3 * MEGABYTE))],
      [{ ...SETTLED, output: "x".repeat(3 * MEGABYTE) }],
    ];
    const readAll = async (direction: "before" | "after"): Promise<number[][]> => {
      const pages: number[][] = [];
      let cursor = direction === "before" ? Number.MAX_SAFE_INTEGER : 0;
      for (let hasMore = true; hasMore;) {
        const found = await listMessages(db, { chatId, viewer, [direction]: cursor, limit: 50 });
        const seqs = found?.messages.map(({ seq }) => seq) ?? [];
        pages.push(seqs);
        cursor = (direction === "before" ? seqs[0] : seqs.at(-1)) ?? Number.NaN;
        hasMore = found?.hasMore ?? false;
      }
      return pages;
    };

    it("has at most 4 MB, at least one message, and no gap to the next page", async () => {
      for (let seq = 1; seq <= 8; seq++) {
        const parts = LARGE[seq % 2];
        await writeMessage(db, chatId, { seq, ...(seq < 7 && parts && { parts }) });
      }
      expect(await readAll("before")).toEqual([[6, 7, 8], [5], [4], [3], [2], [1]]);
      expect(await readAll("after")).toEqual([[1], [2], [3], [4], [5], [6, 7, 8]]);
    });

    it("has no more room than 4 MB", async () => {
      const parts = [textPart("x".repeat(2 * MEGABYTE))];
      for (const seq of [1, 2, 3]) await writeMessage(db, chatId, { seq, parts });
      expect(await readAll("after")).toEqual([[1, 2], [3]]);
    });

    it("has one message that is larger than a page", async () => {
      for (const seq of [1, 2, 3]) {
        const parts = [textPart("ü".repeat(5 * MEGABYTE))];
        await writeMessage(db, chatId, { seq, ...(seq === 2 && { parts }) });
      }
      expect(await readAll("before")).toEqual([[3], [2], [1]]);
    });
  });

  it("returns undefined for an unknown chat and for another user's chat", async () => {
    const strangerId = await createUser(db);
    expect(
      await listMessages(db, { chatId, viewer: { userId: strangerId }, limit: 5 }),
    ).toBeUndefined();
    expect(await listMessages(db, { chatId: "nonsense", viewer, limit: 5 })).toBeUndefined();
  });

  it("brings the queue along", async () => {
    const queueing = await writeChat(db, userId, { queuedCount: 1 });
    await enqueueMessage(db, {
      id: queueing,
      chatId: queueing,
      content: [{ type: "text", text: "later" }],
      modelId: null,
      createdBy: userId,
      steers: false,
    });
    const page = await listMessages(db, { chatId: queueing, viewer, limit: 5 });
    expect(page?.queued).toMatchObject([
      { chatId: queueing, content: [{ text: "later" }], createdBy: userId },
    ]);
  });
});

describe("openChat", () => {
  it("gives the chat, its newest page, its queue and the version of one statement", async () => {
    for (let seq = 1; seq <= 4; seq++) await writeMessage(db, chatId, { seq });
    const names: string[] = [];
    const counting: Database = {
      ...db,
      query: (statement, values) => {
        names.push(statement.name);
        return db.query(statement, values);
      },
    };
    const opened = await openChat(counting, { chatId, viewer, limit: 3 });
    expect(names).toEqual(["open-chat"]);
    expect(opened).toMatchObject({
      hasMore: true,
      queued: [],
      openCalls: [],
      chat: { id: chatId },
    });
    expect(opened?.messages.map(({ seq }) => seq)).toEqual([2, 3, 4]);
    const changes = await readChatChanges(db, { chatId, viewer, after: opened?.version ?? 0 });
    expect(changes).toMatchObject({ chat: opened?.chat, messages: [] });
    const page = await listMessages(db, { chatId, viewer, limit: 3 });
    expect(page).toMatchObject({ version: opened?.version, messages: opened?.messages });
  });

  it("returns undefined for an unknown chat and for another user's chat", async () => {
    const stranger = { userId: await createUser(db) };
    expect(await openChat(db, { chatId, viewer: stranger, limit: 5 })).toBeUndefined();
    expect(await openChat(db, { chatId: "nonsense", viewer, limit: 5 })).toBeUndefined();
  });
});
