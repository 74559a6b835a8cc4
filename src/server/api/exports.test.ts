import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";
import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import { ExportedChat } from "@/contract/exported-chat";
import type { Artifact } from "@/contract/part";
import type { Database } from "@/server/db/connection/database";
import { exportAllZip } from "@/server/exports/export-zip";
import { createApiFixture, createClient } from "@/test/api-client";
import { commitAnswer, openCall } from "@/test/park-chat";

const { db, api, client } = await createApiFixture();

const download = (path: string, by = client, method = "GET") =>
  api.api.handleRest(by.request(`${method} ${path}`));

const exportChat = async (chatId: string) =>
  ExportedChat.parse(await (await download(`/chats/${chatId}/export`)).json());

const readZip = async (response: Response): Promise<Map<string, string>> => {
  const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()));
  const entries = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString());
  }
  return entries;
};

const HISTORY = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "When is high water at Oban?" },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "I look it up." },
      {
        type: "tool_call",
        tool_call_id: "call_1",
        tool_name: "tides",
        args: { port: "Oban" },
        output: { at: "11:04" },
      },
    ],
  },
  { role: "assistant", content: "At 11:04.\n\n```\nend\n```" },
];

const startHistory = () => client.startChat({ content: undefined, messages: HISTORY });

describe("GET /chats/{chat_id}/export", () => {
  it("has the messages of a history as they were given", async () => {
    const chatId = await startHistory();
    const response = await download(`/chats/${chatId}/export`);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("content-disposition")).toContain(
      'attachment; filename="When is high water at Oban_.json"',
    );
    const document = ExportedChat.parse(await response.json());
    expect(document).toMatchObject({ id: chatId, archived: false, forked_from: null, files: [] });
    const given = document.messages.map(({ created_at, ...message }) => {
      expect(created_at).toBeDefined();
      return message;
    });
    const call = { state: "completed", ...(HISTORY[2]?.content[1] as unknown as object) };
    expect(given).toMatchObject([
      HISTORY[0],
      HISTORY[1],
      { role: "assistant", content: [HISTORY[2]?.content[0], call] },
      HISTORY[3],
    ]);
  });

  it("says of a call that is open that it had no outcome", async () => {
    const chatId = await client.startChat();
    await commitAnswer(db, chatId, { parts: [openCall("a", "deploy")], after: "park" });
    const { messages } = await exportChat(chatId);
    const output = "The chat was exported before this call had an outcome.";
    expect(messages[1]?.content).toMatchObject([{ tool_call_id: "a", state: "cancelled", output }]);
  });

  it("names the chat that a branch comes from, and what it shares with it", async () => {
    const chatId = await startHistory();
    const { body } = await client.call(`POST /chats/${chatId}/fork`, { after_seq: 2 });
    const { forked_from } = await exportChat((body as { id: string }).id);
    expect(forked_from).toEqual({ chat_id: chatId, messages: 2 });
  });

  it("is a document for people as Markdown", async () => {
    const response = await download(`/chats/${await startHistory()}/export?format=markdown`);
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    const text = await response.text();
    expect(text).toContain("# When is high water at Oban?");
    expect(text).toMatch(/## You · \d{4}-\d\d-\d\d \d\d:\d\d UTC\n\nWhen is high water/);
    expect(text).toContain("<details><summary>Reasoning</summary>\n\nI look it up.");
    expect(text).toContain('```json\n{\n  "port": "Oban"\n}\n```');
  });

  it("has its files in a ZIP", async () => {
    const { body } = await client.call("POST /files?name=tides.csv", "a,b\n", {
      "content-type": "text/csv",
    });
    const file = body as Artifact;
    const content = [
      { type: "file", file_id: file.id },
      { type: "text", text: "Read it" },
    ];
    const chatId = await client.startChat({ content });
    const entries = await readZip(await download(`/chats/${chatId}/export?format=zip`));
    const path = `files/${file.id}/tides.csv`;
    expect([...entries.keys()]).toEqual(["chats.json", "chat.md", path]);
    expect(entries.get(path)).toBe("a,b\n");
    expect(entries.get("chat.md")).toContain(`[tides.csv](${path})`);
    const [document] = JSON.parse(entries.get("chats.json") ?? "") as unknown[];
    expect(ExportedChat.parse(document)).toMatchObject({
      messages: [{ role: "user", content }],
      files: [{ file_id: file.id, name: "tides.csv", media_type: "text/csv", size: 4 }],
    });
  });

  it.each(["chats/unknown", `chats/${newId()}`])("does not know %s", async (path) => {
    const { status } = await client.fail(`GET /${path}/export`);
    expect(status).toBe(404);
  });

  it("refuses another format, and sends no body for HEAD", async () => {
    const chatId = await client.startChat();
    expect((await client.fail(`GET /chats/${chatId}/export?format=pdf`)).status).toBe(400);
    const head = await download(`/chats/${chatId}/export`, client, "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});

describe("GET /export", () => {
  it("has all chats of the caller, archived ones too, but no agents and none of others", async () => {
    const person = await createClient(db, api);
    const first = await person.startChat({ content: "First" });
    const second = await person.startChat({ content: "Second" });
    await commitAnswer(db, first, { parts: [{ type: "text", text: "Yes." }], after: "finish" });
    await person.call(`PATCH /chats/${first}`, { archived: true });
    const entries = await readZip(await download("/export", person));
    const chats = ExportedChat.array().parse(JSON.parse(entries.get("chats.json") ?? ""));
    expect(chats.map(({ id, archived }) => [id, archived])).toEqual([
      [first, true],
      [second, false],
    ]);
  });

  it("is an empty list for a caller without chats", async () => {
    const entries = await readZip(await download("/export", await createClient(db, api)));
    expect([...entries]).toEqual([["chats.json", "[]\n"]]);
  });

  it("is read no faster than the client takes it, and no further when it has gone", async () => {
    const person = await createClient(db, api);
    const count = 30;
    for (let chat = 0; chat < count; chat += 1) {
      // Letters that cannot be packed.
      await person.startChat({ content: randomBytes(60_000).toString("base64") });
    }
    let pages = 0;
    const query: Database["query"] = (statement, values) => {
      if (statement.name === "list-next-messages") pages += 1;
      return db.query(statement, values);
    };
    const stream = exportAllZip({ db: { ...db, query }, viewer: { userId: person.userId } });
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    // Whatever would be read without waiting for the client is read by then.
    for (let turn = 0; turn < 20; turn += 1) await person.call("GET /chats");
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThan(count / 2);
    const before = pages;
    await reader.return?.();
    for (let turn = 0; turn < 20; turn += 1) await person.call("GET /chats");
    expect(pages).toBeLessThan(before + 3);
    expect(
      (await readZip(await download("/export", person))).get("chats.json")?.length,
    ).toBeGreaterThan(count * 60_000);
  });
});
