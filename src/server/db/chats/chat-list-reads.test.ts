import { v7 as newId } from "uuid";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DomainError } from "@/contract/domain-error";
import { textPart, writeChat, writeMessage } from "@/test/chat-rows";
import { createOwner } from "@/test/factories";
import { recordPlan } from "@/test/record-plan";
import { toolCall } from "@/test/tool-call";
import { listChats } from "./chat-list-reads";
import { findLabeledChats } from "@/server/db/sql/reads/label-reads";
import type { Database } from "@/server/db/connection/database";
import { ownedBy, type Viewer } from "./viewer";

let db: Database;
let userId: string;
let viewer: Viewer;
let otherId: string;
beforeEach(async () => {
  ({ db, userId, viewer, otherId } = await createOwner());
  // A search ends its page after some time, which a busy machine needs for less.
  vi.useFakeTimers({ toFake: ["performance"] });
  return () => vi.useRealTimers();
});

/** Copies the only chat of an owner, with labels of which one is rare and one is common. */
const FILL = {
  name: "test-fill-labeled-chats",
  text: `INSERT INTO chat SELECT copy.* FROM chat AS origin,
    (SELECT gen_random_uuid() AS id, n FROM generate_series(1, $2::int) AS n) AS given,
    LATERAL jsonb_populate_record(origin, jsonb_build_object('id', given.id, 'root_chat_id', given.id,
      'labels', jsonb_build_object('common', 'yes', 'thread', n::text))) AS copy
    WHERE origin.owner_id = $1`,
};

describe("listChats", () => {
  const list = (filter: Partial<Parameters<typeof listChats>[1]> = {}) =>
    listChats(db, { viewer, archived: false, limit: 50, ...filter });
  const titles = async (filter: Partial<Parameters<typeof listChats>[1]> = {}) =>
    (await list(filter)).chats.map(({ title }) => title);

  it("returns each chat once, the last changed first, with any page size", async () => {
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

  it("omits the long columns", async () => {
    await writeChat(db, userId);
    const { chats } = await list();
    expect(JSON.parse(JSON.stringify(chats[0]))).not.toHaveProperty("systemPrompt");
  });

  it("finds each chat that waits for the person behind any number of newer ones", async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    const parked = { status: "requires_action", updatedAt: at(0) } as const;
    await writeChat(db, userId, { ...parked, title: "waiting" });
    await writeChat(db, otherId, { ...parked, title: "of another user" });
    for (let minute = 1; minute <= 60; minute++)
      await writeChat(db, userId, { updatedAt: at(minute) });
    expect(await titles()).not.toContain("waiting");
    expect(await titles({ status: "requires_action" })).toEqual(["waiting"]);
  });

  it("filters by archived and by status", async () => {
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
    expect((await titles({ labels: ["colour"] })).sort()).toEqual(["blue", "red"]);
    expect((await titles({ labels: ["colour:red"] })).sort()).toEqual(["odd", "red"]);
    expect(await titles({ labels: ["colour:blue:ish"] })).toEqual(["blue"]);
    expect(await titles({ labels: ["shape"] })).toEqual([]);
  });

  it("filters by several labels, of which each chat has all", async () => {
    await writeChat(db, userId, { title: "both", labels: { app: "bot", "a=b": "c", url: "x=y" } });
    await writeChat(db, userId, { title: "one", labels: { app: "bot" } });
    expect((await titles({ labels: ["app=bot"] })).sort()).toEqual(["both", "one"]);
    expect(await titles({ labels: ["app=bot", "url=x=y"] })).toEqual(["both"]);
    expect(await titles({ labels: ["app=bot", "url"] })).toEqual(["both"]);
    expect(await titles({ labels: ["app=bot", "app=other"] })).toEqual([]);
    expect(await titles({ labels: ["app="] })).toEqual([]);
  });

  it("finds chats with a rare label by the index of labels, and pages through those with a common one", async () => {
    await writeChat(db, userId, { labels: {} });
    await db.query(FILL, [userId, 3_000]);
    await db.query({ name: "test-analyze-chats", text: "ANALYZE chat" }, []);
    const rare = { viewer, labels: { thread: "7" } };
    const plan = await db.transaction((tx) =>
      recordPlan({ ...db, ...tx }, async (explained) => {
        const transaction: Database["transaction"] = (body) => {
          const query: Database["query"] = (statement, values) =>
            (statement.name === "allow-bitmap-scans" ? tx : explained).query(statement, values);
          return body({ ...tx, query });
        };
        await findLabeledChats({ ...explained, transaction }, rare);
      }),
    );
    expect(plan).toContain("chat_labels_idx");
    expect(await findLabeledChats(db, rare)).toHaveLength(1);
    expect(await findLabeledChats(db, { viewer, labels: { common: "yes" } })).toBeUndefined();
    const seen = new Set<string>();
    for (let cursor: string | undefined; ;) {
      const page = await listChats(db, {
        viewer,
        archived: undefined,
        labels: ["common=yes"],
        limit: 900,
        cursor,
      });
      for (const { id } of page.chats) seen.add(id);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen.size).toBe(3_000);
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
      parts: [toolCall({ args: "quagga", forUser: "quagga" })],
    });
    expect((await titles({ q: "QUAGGA" })).sort()).toEqual(["answered", "said"]);
    expect(await titles({ q: "walk IN" })).toEqual(["A Walk in the park"]);
  });

  it("gives the newest message that matches with the text around it, and none for a title", async () => {
    const said = await writeChat(db, userId, { title: "said" });
    await writeMessage(db, said, { seq: 1, parts: [textPart("an okapi")] });
    const long = `${"before ".repeat(20)}\n\nan Okapi  grazes ${"after ".repeat(40)}`;
    await writeMessage(db, said, { seq: 3, role: "assistant", parts: [textPart(long)] });
    const titled = await writeChat(db, userId, { title: "The okapi" });
    const { chats } = await list({ q: "okapi" });
    expect(chats.map(({ id, match }) => [id, match?.seq])).toEqual([
      [titled, undefined],
      [said, 3],
    ]);
    const snippet = chats[1]?.match?.snippet ?? "";
    expect(snippet).toMatch(/^…[\w ]*before an Okapi grazes after [\w ]*…$/);
    expect(snippet.length).toBeLessThan(150);
  });

  it("shows an answer without its markup, unless that is searched for", async () => {
    const chat = await writeChat(db, userId, { title: "said" });
    const answer = textPart("## Plan\n- **Feed** the [okapi](https://example.org/okapi)");
    await writeMessage(db, chat, { seq: 1, parts: [textPart("**what** now?")] });
    await writeMessage(db, chat, { seq: 2, role: "assistant", parts: [answer] });
    const findSnippet = async (q: string) => (await list({ q })).chats[0]?.match?.snippet;
    expect(await findSnippet("feed")).toBe("Plan Feed the okapi");
    expect(await findSnippet("**Feed")).toContain("**Feed**");
    // People write text, not markup.
    expect(await findSnippet("what")).toBe("**what** now?");
  });

  it("finds archived chats with the others where both are asked for", async () => {
    await writeChat(db, userId, { title: "old okapi", archivedAt: new Date() });
    await writeChat(db, userId, { title: "new okapi" });
    expect(await titles({ q: "okapi" })).toEqual(["new okapi"]);
    expect((await titles({ q: "okapi", archived: undefined })).sort()).toEqual([
      "new okapi",
      "old okapi",
    ]);
  });

  it("searches for wildcards and backslashes literally", async () => {
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

  it("searches beyond one batch", async () => {
    const counters = { version: 1, historyVersion: 1, actionTimeoutSeconds: 60, maxSteps: 1 };
    const row = { ...ownedBy(viewer), ...counters, status: "waiting" } as const;
    const times = Array.from({ length: 450 }, (_, index) => new Date(Date.UTC(2026, 0, 1) - index));
    await db.prisma.chat.createMany({
      data: times.map((updatedAt, index) => {
        const id = newId();
        const title = index % 150 === 149 ? `Needle ${index}` : "Hay";
        return { ...row, id, rootChatId: id, turnId: id, title, updatedAt };
      }),
    });
    expect(await titles({ q: "needle" })).toEqual(["Needle 149", "Needle 299", "Needle 449"]);
    const first = await list({ q: "needle", limit: 2 });
    expect(first.chats.map(({ title }) => title)).toEqual(["Needle 149", "Needle 299"]);
    const second = await list({ q: "needle", limit: 2, cursor: first.nextCursor ?? "" });
    expect(second.chats.map(({ title }) => title)).toEqual(["Needle 449"]);
    expect(second.nextCursor).toBeNull();
  });
});
