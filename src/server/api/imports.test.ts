import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { EXPORT_FORMAT } from "@/contract/exported-chat";
import type { ChatPage, MessagePage } from "@/contract/chat-outputs";
import type { Import } from "@/contract/import";
import type { Artifact } from "@/contract/part";
import { ownedBy } from "@/server/db/chats/viewer";
import { createApiFixture, createClient } from "@/test/api-client";
import {
  createZip,
  importArchive,
  readImportReport,
  sendArchive,
  startImportWorker,
} from "@/test/import-fixture";
import { commitAnswer } from "@/test/park-chat";

const { db, api } = await createApiFixture();
const newClient = () => createClient(db, api);
type Client = Awaited<ReturnType<typeof newClient>>;

const BYTES = { "content-type": "application/octet-stream" };
const AT = "2026-11-28T10:00:00.000Z";

const toDocument = (id: string, fields: object = {}) => ({
  format: EXPORT_FORMAT,
  id,
  title: `Chat ${id}`,
  created_at: AT,
  updated_at: AT,
  messages: [
    { role: "user", content: "When is high water at Oban?" },
    { role: "assistant", content: "At 11:04." },
  ],
  ...fields,
});
const toArchive = (...documents: object[]) =>
  createZip({ "chats.json": JSON.stringify(documents) });

const listChats = async (client: Client) =>
  ((await client.call("GET /chats?archived=any&limit=200")).body as ChatPage).data;
const listMessages = async (client: Client, chatId: string) =>
  ((await client.call(`GET /chats/${chatId}/messages?limit=200`)).body as MessagePage).data;

describe("POST /imports", () => {
  it("makes chats of a ZIP, with their times, and makes none twice", async () => {
    const client = await newClient();
    const archive = await toArchive(toDocument("a"), toDocument("b", { archived: true }));
    const first = await importArchive(db, client, archive);
    expect(first).toMatchObject({
      state: "completed",
      source: "parley",
      name: "export.zip",
      size: archive.length,
      chats: 2,
      messages: 4,
      known: 0,
      problems: 0,
      report: [],
      error: null,
    });
    expect(first.read_bytes).toBe(first.total_bytes);
    const chats = await listChats(client);
    expect(chats.map(({ title, archived, updated_at }) => [title, archived, updated_at])).toEqual(
      expect.arrayContaining([
        ["Chat a", false, AT],
        ["Chat b", true, AT],
      ]),
    );
    expect(await importArchive(db, client, archive)).toMatchObject({ chats: 0, known: 2 });
    expect(await listChats(client)).toHaveLength(2);
    // A chat that was deleted comes again.
    await client.call(`DELETE /chats/${chats.find(({ title }) => title === "Chat a")?.id}`);
    expect(await importArchive(db, client, archive)).toMatchObject({ chats: 1, known: 1 });
  });

  it("takes a document without a ZIP, one chat or several", async () => {
    const client = await newClient();
    const one = Buffer.from(JSON.stringify(toDocument("one")));
    expect(await importArchive(db, client, one)).toMatchObject({ chats: 1 });
    const list = Buffer.from(` \n${JSON.stringify([toDocument("two"), toDocument("three")])}`);
    expect(await importArchive(db, client, list)).toMatchObject({ chats: 2 });
  });

  it("does not make chats that the same person has exported here", async () => {
    const client = await newClient();
    await client.startChat();
    const zip = await api.api.handleRest(client.request("GET /export"));
    const result = await importArchive(db, client, Buffer.from(await zip.arrayBuffer()));
    expect(result).toMatchObject({ state: "completed", chats: 0, known: 1 });
  });

  it("can go on with a chat that it has made", async () => {
    const client = await newClient();
    await importArchive(db, client, await toArchive(toDocument("a")));
    const [chat] = await listChats(client);
    const sent = await client.call(`POST /chats/${chat?.id}/messages`, {
      content: "And tomorrow?",
    });
    expect(sent.status).toBe(200);
    expect((await client.call(`GET /chats/${chat?.id}`)).body).toMatchObject({ status: "pending" });
  });

  it("brings files, and links to them in answers", async () => {
    const client = await newClient();
    const { body } = await client.call("POST /files?name=tides.csv", "a,b\n", {
      "content-type": "text/csv",
    });
    const file = body as Artifact;
    const chatId = await client.startChat({
      content: [
        { type: "file", file_id: file.id },
        { type: "text", text: "Read it" },
      ],
    });
    const text = `See [tides.csv](/api/v1/files/${file.id}).`;
    await commitAnswer(db, chatId, { parts: [{ type: "text", text }], after: "finish" });
    const zip = await api.api.handleRest(client.request(`GET /chats/${chatId}/export?format=zip`));
    const other = await newClient();
    const result = await importArchive(db, other, Buffer.from(await zip.arrayBuffer()));
    expect(result).toMatchObject({ chats: 1, files: 1, report: [] });
    const [chat] = await listChats(other);
    const [question, answer] = await listMessages(other, chat?.id ?? "");
    const [part] = question?.parts ?? [];
    expect(part).toMatchObject({ type: "file", name: "tides.csv", size: 4 });
    const copy = part?.type === "file" ? part.file_id : "";
    expect(copy).not.toBe(file.id);
    expect(answer?.parts).toEqual([
      { type: "text", text: `See [tides.csv](/api/v1/files/${copy}).` },
    ]);
    const content = await api.api.handleRest(other.request(`GET /files/${copy}`));
    expect(await content.text()).toBe("a,b\n");
  });

  it("says which conversations it could not read, and why", async () => {
    const client = await newClient();
    const archive = await toArchive(
      toDocument("a"),
      { title: "Unknown" },
      toDocument("b", { messages: [{ role: "robot", content: "x" }] }),
      toDocument("first", { messages: [{ role: "assistant", content: "x" }] }),
      toDocument("c", {
        messages: [{ role: "user", content: [{ type: "file", file_id: "f" }] }],
        files: [{ file_id: "f", name: "lost.png", media_type: "image/png", size: 1 }],
      }),
    );
    const result = await importArchive(db, client, archive);
    expect(result).toMatchObject({ state: "completed", chats: 2, problems: 4 });
    expect(result.report).toMatchObject([
      { title: "Unknown", reason: "It is no conversation of ChatGPT, Claude or Parley." },
      { title: "Chat b", reason: expect.stringContaining("messages/0/role") as string },
      {
        title: "Chat first",
        reason: expect.stringContaining("must follow a message of the user") as string,
      },
      { title: "Chat c", reason: 'The file "lost.png" is missing: it is not in the archive.' },
    ]);
  });

  it("reads what is before the place where a document breaks", async () => {
    const client = await newClient();
    const text = JSON.stringify([toDocument("a"), toDocument("b")]);
    const result = await importArchive(db, client, Buffer.from(text.slice(0, -20)));
    expect(result).toMatchObject({ state: "completed", chats: 1, problems: 1 });
    expect(result.report[0]?.reason).toMatch(/^It is broken: /);
  });

  it("shows a chat of 2,500 messages when it is whole", async () => {
    const client = await newClient();
    const messages = Array.from({ length: 2_500 }, (_each, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `Message ${index}`,
    }));
    const { id } = await sendArchive(client, await toArchive(toDocument("long", { messages })));
    const seen: number[] = [];
    const worker = startImportWorker(db);
    while ((await readImportReport(client, id)).state !== "completed") {
      const [chat] = await listChats(client);
      if (chat) seen.push(await db.prisma.message.count({ where: { chatId: chat.id } }));
      const all = await api.api.handleRest(client.request("GET /export"));
      await all.body?.cancel();
    }
    await worker.stop();
    expect(seen.every((count) => count === 2_500)).toBe(true);
    const [chat] = await listChats(client);
    expect(await db.prisma.message.count({ where: { chatId: chat?.id ?? "" } })).toBe(2_500);
    expect(await readImportReport(client, id)).toMatchObject({ chats: 1, messages: 2_500 });
  });

  it("keeps the links of branches", async () => {
    const client = await newClient();
    const chatId = await client.startChat({ content: "Tides" });
    await commitAnswer(db, chatId, { parts: [{ type: "text", text: "Yes." }], after: "finish" });
    await client.call(`POST /chats/${chatId}/fork`, { after_seq: 1, title: "Branch" });
    const zip = await api.api.handleRest(client.request("GET /export"));
    const other = await newClient();
    await importArchive(db, other, Buffer.from(await zip.arrayBuffer()));
    const chats = await listChats(other);
    const origin = chats.find(({ title }) => title === "Tides");
    expect(chats.find(({ title }) => title === "Branch")).toMatchObject({
      forked_from: { chat_id: origin?.id, after_seq: 1 },
    });
  });

  it("takes one of two archives that arrive together", async () => {
    const client = await newClient();
    const archive = await toArchive(toDocument("a"));
    const answers = await Promise.all(
      [archive, archive].map((sent) => client.call("POST /imports", sent, BYTES)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it("keeps nothing of an archive that breaks off", async () => {
    const client = await newClient();
    const archive = await toArchive(toDocument("a"));
    async function* breakOff() {
      yield archive.subarray(0, 100);
      await Promise.resolve();
      throw new Error("the connection is gone");
    }
    const { method, url, headers, signal } = client.request("POST /imports", "x", BYTES);
    const response = await api.api.handleRest({ method, url, headers, signal, body: breakOff() });
    expect(response.status).toBe(400);
    expect((await client.call("GET /imports")).body).toEqual({ data: [] });
    expect(await db.prisma.importSlice.count({ where: { import: ownedBy(client) } })).toBe(0);
  });

  it("takes one archive of a person at a time", async () => {
    const client = await newClient();
    const { id } = await sendArchive(client, await toArchive(toDocument("a")));
    const { status, problem } = await client.fail("POST /imports", await toArchive(), BYTES);
    expect([status, problem.detail]).toEqual([
      409,
      "Another import of yours is not over. Wait for its end, or delete it.",
    ]);
    expect((await client.call(`DELETE /imports/${id}`)).status).toBe(204);
    expect((await client.fail(`GET /imports/${id}`)).status).toBe(404);
    expect(await db.prisma.importSlice.count({ where: { importId: id } })).toBe(0);
    await sendArchive(client, await toArchive(toDocument("a")));
  });

  it("is not seen by others", async () => {
    const [client, stranger] = [await newClient(), await newClient()];
    const { id } = await sendArchive(client, await toArchive(toDocument("a")));
    expect((await stranger.fail(`GET /imports/${id}`)).status).toBe(404);
    expect((await stranger.fail(`DELETE /imports/${id}`)).status).toBe(404);
    expect((await stranger.call("GET /imports")).body).toEqual({ data: [] });
    expect((await client.call("GET /imports")).body).toMatchObject({ data: [{ id }] });
  });
});

describe("a ZIP", () => {
  it("of the 64-bit form is read", async () => {
    const zip = new ZipFile();
    const content = Buffer.from(JSON.stringify([toDocument("a")]));
    const entry = Readable.from([content], { objectMode: false });
    zip.addReadStream(entry, "chats.json", { forceZip64Format: true });
    zip.end({ forceZip64Format: true, comment: "" });
    const archive = await buffer(zip.outputStream as Readable);
    expect(await importArchive(db, await newClient(), archive)).toMatchObject({ chats: 1 });
  });

  it("whose document is longer than it says is read no further", async () => {
    const client = await newClient();
    const documents = Array.from({ length: 50 }, (_each, index) => toDocument(String(index)));
    const archive = await toArchive(...documents);
    const central = archive.indexOf(Buffer.from("PK\u0001\u0002"));
    archive.writeUInt32LE(1_000, central + 24);
    const result = await importArchive(db, client, archive);
    expect(result).toMatchObject({ state: "completed", problems: 1 });
    expect(result.chats).toBeLessThan(50);
    expect(result.report[0]?.reason).toMatch(/^It is broken: .*too many bytes/);
  });

  it("whose content is damaged is read up to there", async () => {
    const client = await newClient();
    const documents = Array.from({ length: 200 }, (_each, index) => toDocument(String(index)));
    const archive = await toArchive(...documents);
    archive.fill(0xff, archive.length - 1_200, archive.length - 700);
    const result = await importArchive(db, client, archive);
    expect(result).toMatchObject({ state: "completed", problems: 1 });
    expect(result.report[0]).toMatchObject({ title: "chats.json" });
  });
});

describe("an archive that cannot be imported is refused, and nothing of it is kept:", () => {
  const refuse = async (archive: Uint8Array, status: number) => {
    const client = await newClient();
    const refused = await client.fail("POST /imports", archive, BYTES);
    expect(refused.status).toBe(status);
    const { data } = (await client.call("GET /imports")).body as { data: Import[] };
    expect(data).toEqual([]);
    return refused.problem.detail;
  };

  it.each([
    ["text", "hello", "neither a ZIP archive nor a JSON document"],
    ["a text that begins as a ZIP", "PK and no more", "This archive is broken"],
  ])("%s", async (_what, text, detail) => {
    expect(await refuse(Buffer.from(text), 400)).toContain(detail);
  });

  it("nothing", async () => {
    expect(await refuse(new Uint8Array(), 400)).toContain("The body is empty");
  });

  it("a ZIP that is cut", async () => {
    const archive = await toArchive(toDocument("a"));
    expect(await refuse(archive.subarray(0, -30), 400)).toContain("This archive is broken");
  });

  it("a ZIP without conversations", async () => {
    expect(await refuse(await createZip({ "a.txt": "x" }), 400)).toContain("no conversations.json");
  });

  it("a name that leads out of the archive", async () => {
    const archive = await createZip({ "xx/evil.txt": "x", "chats.json": "[]" });
    const evil = Buffer.from(archive.toString("latin1").replaceAll("xx/evil", "../evil"), "latin1");
    expect(await refuse(evil, 400)).toContain("invalid relative path");
  });

  it("an encrypted document", async () => {
    const archive = await toArchive(toDocument("a"));
    // The flag in the list of the archive and in the head of the entry.
    const central = archive.indexOf(Buffer.from("PK\u0001\u0002"));
    archive[central + 8] = (archive[central + 8] ?? 0) | 1;
    expect(await refuse(archive, 400)).toContain("encrypted");
  });

  it("a document that says it has 10 GB", async () => {
    const archive = await toArchive(toDocument("a"));
    const central = archive.indexOf(Buffer.from("PK\u0001\u0002"));
    archive.writeUInt32LE(0xffff_fff0, central + 24);
    expect(await refuse(archive, 400)).toContain("MB, unpacked");
  });

  it("a form", async () => {
    const client = await newClient();
    const type = "multipart/form-data; boundary=x";
    const refused = await client.fail("POST /imports", "--x--", { "content-type": type });
    expect(refused.problem.detail).toBe("The body must be the file itself, not a form.");
  });

  it("zeros without an end", async () => {
    const size = 300 * 1024 * 1024;
    const zip = new ZipFile();
    const zeros = Buffer.alloc(1024 * 1024);
    const entry = Readable.from(Array.from({ length: size / zeros.length }, () => zeros));
    zip.addReadStream(entry, "conversations.json", { compressionLevel: 1 });
    zip.end();
    const archive = await buffer(zip.outputStream as Readable);
    expect(archive.length).toBeLessThan(size / 100);
    expect(await refuse(archive, 400)).toContain("300 MB, unpacked, and at most 256 MB");
  });

  it("more bytes than the limit", async () => {
    const client = await newClient();
    const length = String(65 * 1024 * 1024);
    const refused = await client.fail("POST /imports", Buffer.of(1), {
      ...BYTES,
      "content-length": length,
    });
    expect(refused.status).toBe(413);
  });
});
