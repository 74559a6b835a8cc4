import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DomainError } from "@/contract/domain-error";
import { textPart, writeChat, writeMessage } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { toolCall } from "@/test/tool-call";
import { listChats, readChatChanges } from "./chat-reads";
import type { Database } from "./database";
import { enqueueMessage } from "./queue-writes";
import type { ToolCallPartRow } from "./rows";
import type { Viewer } from "./viewer";

const UNKNOWN = "01890000-0000-7000-8000-000000000000";
const NOT_IDS = ["", "1", "null", `{${UNKNOWN}}`, `${UNKNOWN}0`, "a\0b", "' OR true --"];

let db: Database;
let userId: string;
let viewer: Viewer;
let otherId: string;
beforeAll(async () => {
  db = await testDatabase();
  otherId = await createUser(db);
});
beforeEach(async () => {
  userId = await createUser(db);
  viewer = { userId };
});

const call = (fields: Partial<ToolCallPartRow>): ToolCallPartRow =>
  toolCall({
    toolCallId: "call_1",
    args: { city: "Bern" },
    startedAt: new Date("2026-01-02T03:04:05.678Z"),
    ...fields,
  });

describe("the chat of readChatChanges", () => {
  const readChat = async (chatId: string, reader = viewer) =>
    (await readChatChanges(db, { chatId, viewer: reader, after: 0 }))?.chat;

  it("finds the owner's chat, and nobody else's", async () => {
    const chatId = await writeChat(db, userId, { title: "Plans", labels: { team: "a" } });
    expect(await readChat(chatId)).toMatchObject({
      id: chatId,
      title: "Plans",
      labels: { team: "a" },
      status: "waiting",
      systemPrompt: "Be brief.",
      dynamicTools: [],
      archivedAt: null,
    });
    expect(await readChat(chatId, { userId: otherId })).toBeUndefined();
    expect(await readChat(UNKNOWN)).toBeUndefined();
  });

  it.each(NOT_IDS)("takes %j for an unknown chat", async (chatId) => {
    expect(await readChat(chatId)).toBeUndefined();
  });
});

describe("listChats", () => {
  const list = (filter: Partial<Parameters<typeof listChats>[1]> = {}) =>
    listChats(db, { viewer, archived: false, limit: 50, ...filter });
  const titles = async (filter: Partial<Parameters<typeof listChats>[1]> = {}) =>
    (await list(filter)).chats.map(({ title }) => title);

  it("gives each chat once, the last changed first, over any pages", async () => {
    await writeChat(db, otherId);
    const expected: string[] = [];
    for (let index = 0; index < 7; index++) {
      // Pairs changed in the same millisecond.
      const updatedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, 0, Math.floor(index / 2)));
      expected.unshift(await writeChat(db, userId, { updatedAt }));
    }
    for (const limit of [1, 2, 3, 7, 8]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ limit, cursor });
        expect(page.chats.length).toBeLessThanOrEqual(limit);
        seen.push(...page.chats.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(expected);
    }
  });

  it("leaves the long columns in the database", async () => {
    await writeChat(db, userId);
    const { chats } = await list();
    expect(JSON.parse(JSON.stringify(chats[0]))).not.toHaveProperty("systemPrompt");
  });

  it("tells archived chats from the others, and one status from another", async () => {
    await writeChat(db, userId, { title: "old", archivedAt: new Date() });
    await writeChat(db, userId, { title: "idle" });
    await writeChat(db, userId, { title: "failed", status: "error" });
    expect(await titles({ archived: true })).toEqual(["old"]);
    expect((await titles()).sort()).toEqual(["failed", "idle"]);
    expect(await titles({ status: "error" })).toEqual(["failed"]);
    expect(await titles({ status: "running" })).toEqual([]);
  });

  it("filters by a label's key, or by key and value", async () => {
    await writeChat(db, userId, { title: "red", labels: { colour: "red" } });
    await writeChat(db, userId, { title: "blue", labels: { colour: "blue:ish" } });
    await writeChat(db, userId, { title: "odd", labels: { "colour:red": "x" } });
    expect((await titles({ label: "colour" })).sort()).toEqual(["blue", "red"]);
    expect((await titles({ label: "colour:red" })).sort()).toEqual(["odd", "red"]);
    expect(await titles({ label: "colour:blue:ish" })).toEqual(["blue"]);
    expect(await titles({ label: "shape" })).toEqual([]);
  });

  it("searches titles and what both sides said", async () => {
    await writeChat(db, userId, { title: "A Walk in the park" });
    const said = await writeChat(db, userId, { title: "said" });
    await writeMessage(db, said, { seq: 1, parts: [textPart("where is the Quagga?")] });
    const answered = await writeChat(db, userId, { title: "answered" });
    await writeMessage(db, answered, {
      seq: 1,
      role: "assistant",
      parts: [textPart("the quagga is extinct")],
    });
    const hidden = await writeChat(db, userId, { title: "hidden" });
    const quagga = [textPart("quagga")];
    await writeMessage(db, hidden, { seq: 1, role: "system", parts: quagga });
    await writeMessage(db, hidden, { seq: 2, visibility: "model", parts: quagga });
    await writeMessage(db, hidden, { seq: 3, deleted: true, parts: quagga });
    await writeMessage(db, hidden, {
      seq: 4,
      role: "assistant",
      parts: [call({ args: "quagga", forUser: "quagga" })],
    });
    expect((await titles({ q: "QUAGGA" })).sort()).toEqual(["answered", "said"]);
    expect(await titles({ q: "walk IN" })).toEqual(["A Walk in the park"]);
  });

  it("takes wildcards and backslashes in a search for themselves", async () => {
    await writeChat(db, userId, { title: "100 % sure" });
    await writeChat(db, userId, { title: String.raw`C:\temp` });
    await writeChat(db, userId, { title: "snake_case" });
    expect(await titles({ q: "%" })).toEqual(["100 % sure"]);
    expect(await titles({ q: "_" })).toEqual(["snake_case"]);
    expect(await titles({ q: "\\" })).toEqual([String.raw`C:\temp`]);
    expect(await titles({ q: "e_c" })).toEqual(["snake_case"]);
    expect(await titles({ q: "e%c" })).toEqual([]);
  });

  it.each(["", "x", "AAAA", Buffer.from("infinity_x").toString("base64url"), "%00", "\0"])(
    "refuses the cursor %j",
    async (cursor) => {
      const refused = await list({ cursor }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(DomainError);
      expect(refused).toMatchObject({ code: "invalid", errors: [{ pointer: "cursor" }] });
    },
  );
});

describe("readChatChanges", () => {
  it("tells all of a chat to who knows nothing, and only changes to others", async () => {
    const chatId = await writeChat(db, userId);
    const one = await writeMessage(db, chatId, { seq: 1, parts: [textPart("a\0"), textPart("b")] });
    await writeMessage(db, chatId, { seq: 2, deleted: true, revision: 9 });
    await writeMessage(db, chatId, { seq: 3, visibility: "model" });
    await writeMessage(db, chatId, { seq: 4, visibility: "user", revision: 4 });

    const all = await readChatChanges(db, { chatId, viewer, after: 0 });
    expect(all?.chat.id).toBe(chatId);
    expect(all?.messages.map(({ seq, deleted }) => [seq, deleted])).toEqual([
      [1, false],
      [4, false],
    ]);
    expect(all?.messages[0]).toMatchObject({
      id: one,
      chatId,
      revision: 1,
      role: "user",
      parts: [
        { type: "text", text: "a\0" },
        { type: "text", text: "b" },
      ],
      usage: null,
    });
    expect(all?.messages[0]?.createdAt).toBeInstanceOf(Date);

    const news = await readChatChanges(db, { chatId, viewer, after: 4 });
    expect(news?.messages).toMatchObject([{ seq: 2, deleted: true, parts: [] }]);
    const none = await readChatChanges(db, { chatId, viewer, after: Number.MAX_SAFE_INTEGER });
    expect(none?.messages).toEqual([]);
    expect(
      await readChatChanges(db, { chatId, viewer: { userId: otherId }, after: 0 }),
    ).toBeUndefined();
  });

  it("tells the queue, the next message first", async () => {
    const chatId = await writeChat(db, userId, { status: "running", queuedCount: 2 });
    for (const [index, text] of ["first", "second"].entries()) {
      await enqueueMessage(db, {
        id: `01890000-0000-7000-8000-${chatId.slice(-11)}${index}`,
        chatId,
        content: [{ type: "text", text }],
        modelId: null,
        createdBy: userId,
      });
    }
    const changes = await readChatChanges(db, { chatId, viewer, after: 5_000 });
    expect(changes?.queue.map(({ content }) => content[0]?.text)).toEqual(["first", "second"]);
    expect(changes?.queue[0]?.createdAt).toBeInstanceOf(Date);
  });

  it("tells the open calls of a parked chat's last answer, as they were written", async () => {
    const chatId = await writeChat(db, userId, { status: "requires_action" });
    await writeMessage(db, chatId, { seq: 1, role: "assistant", parts: [call({})] });
    const open = [
      call({ toolCallId: "a", args: { text: "x\0y", none: null } }),
      call({ toolCallId: "b", kind: "builtin", state: "awaiting_approval", args: null }),
    ];
    const parts = [
      textPart("I ask"),
      call({ toolCallId: "done", state: "completed", output: 1, completedAt: new Date() }),
      call({ toolCallId: "theirs", kind: "provider", state: "running" }),
      ...open,
    ];
    await writeMessage(db, chatId, { seq: 2, role: "assistant", parts });
    await writeMessage(db, chatId, { seq: 3, role: "assistant", deleted: true, parts: [call({})] });
    const changes = await readChatChanges(db, { chatId, viewer, after: 5_000 });
    expect(changes?.openCalls).toEqual(open);
  });

  it("tells no open calls of a chat that is not parked", async () => {
    const chatId = await writeChat(db, userId, { status: "running" });
    await writeMessage(db, chatId, { seq: 1, role: "assistant", parts: [call({})] });
    const changes = await readChatChanges(db, { chatId, viewer, after: 5_000 });
    expect(changes?.openCalls).toEqual([]);
  });
});
