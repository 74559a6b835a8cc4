import sharp from "sharp";
import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import {
  MAX_ARTIFACT_BYTES,
  MAX_CHAT_ARTIFACT_BYTES,
  MAX_OWNER_ARTIFACT_BYTES,
} from "@/contract/limits";
import type { FilePage } from "@/contract/file";
import type { Artifact } from "@/contract/part";
import { ownedBy } from "@/server/db/chats/viewer";
import { startTestAgent } from "@/test/agent-fixture";
import { createApiFixture, createClient, ORIGIN } from "@/test/api-client";
import { commitAnswer } from "@/test/park-chat";
import { createAccount, signIn } from "@/test/session-client";

const { db, api, client } = await createApiFixture();
const chatId = await client.startChat();

const PNG = Buffer.from("89504e470d0a1a0a0000000d494844520000000100000001080600000", "hex");

const drawImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "teal" } })
    .png()
    .toBuffer();

/** What says nothing of a file; the client of the tests would say JSON. */
const BYTES = { "content-type": "application/octet-stream" };

const add = async (sent: Uint8Array, { name = "a.bin", chat = chatId, by = client } = {}) => {
  const path = `/files?chat_id=${chat}&name=${encodeURIComponent(name)}`;
  const { status, body } = await by.call(`POST ${path}`, sent, BYTES);
  expect(status, JSON.stringify(body)).toBe(201);
  return body as Artifact;
};
const get = (id: string, headers: Record<string, string> = {}, method = "GET") =>
  api.api.handleRest(client.request(`${method} /files/${id}`, undefined, headers));
const read = async (response: Response) => Buffer.from(await response.arrayBuffer());
const countFiles = () => db.prisma.artifact.count({ where: ownedBy(client) });

const toForm = (...files: [bytes: Uint8Array, name: string][]): FormData => {
  const form = new FormData();
  for (const [bytes, name] of files) form.append("file", new Blob([Uint8Array.from(bytes)]), name);
  return form;
};
const post = async (path: string, body: BodyInit, headers: Record<string, string> = {}) => {
  const authorization = `Bearer ${client.key}`;
  const init = { method: "POST", headers: { authorization, ...headers }, body };
  const response = await api.api.handleRest(
    new Request(`${ORIGIN}/api/v1${path}`, { ...init, duplex: "half" } as RequestInit),
  );
  return {
    status: response.status,
    body: (await response.json()) as Artifact & { detail: string },
  };
};

describe("POST /files", () => {
  it("stores a body whose type its content says, and says where it is", async () => {
    const path = `POST /files?chat_id=${chatId}&name=plot.txt`;
    const { status, headers, body } = await client.call(path, PNG, { "content-type": "image/gif" });
    const file = body as Artifact;
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/files/${file.id}`);
    expect(file).toEqual({
      id: file.id,
      name: "plot.txt",
      media_type: "image/png",
      size: PNG.length,
    });
    expect(await read(await get(file.id))).toEqual(PNG);
  });

  it.each([
    ["a.csv", "a,b\n1,2\n", "text/csv"],
    ["a.md", "# Title", "text/markdown"],
    ["a.html", "<script>alert(1)</script>", "text/html"],
    ["a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"],
    ["a.png", "no picture", "text/plain"],
    ["a.txt", "é".repeat(3_000), "text/plain"],
    ["a.txt", "\0\u0001\u0002", "application/octet-stream"],
    ["a.pdf", "%PDF-1.7\n", "application/pdf"],
  ])("knows the type of %s", async (name, text, media_type) => {
    expect(await add(Buffer.from(text), { name })).toMatchObject({ name, media_type });
  });

  it("takes the file and the fields of a form", async () => {
    const form = toForm([PNG, "plot.png"]);
    form.append("chat_id", chatId);
    const { status, body } = await post("/files", form);
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "plot.png", media_type: "image/png", size: PNG.length });
  });

  it.each([
    [
      "the header",
      { "content-disposition": "attachment; filename*=UTF-8''%C3%BCber.txt" },
      "über.txt",
    ],
    ["nothing", {}, "file.png"],
  ])("names a body by %s", async (_what, headers, name) => {
    const sent = await post(`/files?chat_id=${chatId}`, Uint8Array.from(PNG), headers);
    expect(sent.body.name).toBe(name);
  });

  it.each([
    ["../../etc/passwd", "passwd"],
    ["a\r\nx-evil: 1", "ax-evil_ 1"],
    ["invoice\u202egpj.exe", "invoicegpj.exe"],
  ])("cleans the name %j", async (name, cleaned) => {
    const file = await add(Buffer.from(name), { name });
    expect(file.name).toBe(cleaned);
    expect((await get(file.id)).headers.get("content-disposition")).toContain(cleaned);
  });

  it("stores a file that the chat has already only once", async () => {
    const first = await add(Buffer.from("once"), { name: "once.txt" });
    const files = await countFiles();
    expect(await add(Buffer.from("once"), { name: "once.txt" })).toEqual(first);
    expect(await countFiles()).toBe(files);
    expect((await add(Buffer.from("once"), { name: "other.txt" })).id).not.toBe(first.id);
  });

  it("runs once per Idempotency-Key, however a form separates its parts", async () => {
    const send = (name: string) =>
      post(`/files?chat_id=${chatId}`, toForm([PNG, name]), { "idempotency-key": "files" });
    const first = await send("keyed.png");
    expect(await send("keyed.png")).toEqual(first);
    expect((await send("another.png")).status).toBe(422);
  });

  it.each<[what: string, path: () => string, body: () => BodyInit, status: number, detail: RegExp]>(
    [
      ["an unknown chat", () => `/files?chat_id=${newId()}`, () => "x", 404, /no chat/],
      ["an empty file", () => `/files?chat_id=${chatId}`, () => "", 400, /file must not be empty/],
      ["an unknown field", () => `/files?chat_id=${chatId}&size=1`, () => "x", 400, /size/],
      ["a form without a file", () => `/files?chat_id=${chatId}`, () => toForm(), 400, /0 files/],
      [
        "a form with two",
        () => `/files?chat_id=${chatId}`,
        () => toForm([PNG, "a"], [PNG, "b"]),
        400,
        /2 files/,
      ],
    ],
  )("refuses %s and stores nothing", async (_what, path, body, status, detail) => {
    const files = await countFiles();
    const answer = await post(path(), body());
    expect(answer.status).toBe(status);
    expect(answer.body.detail).toMatch(detail);
    expect(await countFiles()).toBe(files);
  });

  it.each<[what: string, content: Uint8Array, type: string, detail: RegExp]>([
    ["an image as a PDF", PNG, "application/pdf", /sent as application\/pdf, but is image\/png/],
    ["a PDF as an image", Buffer.from("%PDF-1.7\n"), "image/png", /but is application\/pdf/],
    ["an image as a text", PNG, "text/html", /but is image\/png/],
    ["a text as an image", Buffer.from("text"), "image/jpeg", /but is text\/plain/],
    ["HEIC", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic"), "image/heic", /JPEG or PNG/],
    ["HEIC that says nothing", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic"), "", /JPEG/],
  ])("refuses %s", async (_what, content, type, detail) => {
    const files = await countFiles();
    const { status, body } = await post("/files", Uint8Array.from(content), {
      "content-type": type,
    });
    expect([status, body.detail]).toEqual([400, expect.stringMatching(detail)]);
    const form = new FormData();
    form.append("file", new Blob([Uint8Array.from(content)], { type }), "a");
    expect((await post("/files", form)).body.detail).toMatch(detail);
    expect(await countFiles()).toBe(files);
  });

  it.each([
    ["a text by another name", "a,b", "application/vnd.ms-excel", "a.csv", "text/csv"],
    ["what the sender does not know", "a", "application/octet-stream", "a", "text/plain"],
  ])("takes %s", async (_what, content, type, name, media_type) => {
    const path = `/files?name=${name}`;
    const { status, body } = await post(path, content, { "content-type": type });
    expect([status, body]).toEqual([201, expect.objectContaining({ name, media_type })]);
  });

  it("says how large an image is, and makes what models are shown of it", async () => {
    const { id, ...image } = await add(await drawImage(3_000, 1_500), { name: "photo.png" });
    expect(image).toMatchObject({ media_type: "image/png", width: 3_000, height: 1_500 });
    const [rendition] = await db.prisma.rendition.findMany({ where: { artifactId: id } });
    expect(await sharp(rendition?.bytes).metadata()).toMatchObject({ width: 2_000, height: 1_000 });
    // The file itself is as it was sent.
    expect(await sharp(await read(await get(id))).metadata()).toMatchObject({ width: 3_000 });
  });

  it.each([
    ["is damaged", () => Promise.resolve(PNG)],
    ["has 100 megapixels", () => drawImage(10_000, 10_000)],
  ])("stores an image that %s as a file that models are not shown", async (_what, create) => {
    const file = await add(await create());
    expect(file).toMatchObject({ media_type: "image/png" });
    expect(file).not.toHaveProperty("width");
  });

  it("stores a file for no chat, which only its sender gets and deletes", async () => {
    const { status, body } = await post("/files?name=draft.txt", "draft");
    expect([status, body]).toEqual([201, expect.objectContaining({ name: "draft.txt" })]);
    const stranger = await createClient(db, api);
    for (const method of ["GET", "DELETE"]) {
      expect((await stranger.call(`${method} /files/${body.id}`)).status).toBe(404);
    }
    expect(await (await get(body.id)).text()).toBe("draft");
    expect((await client.call(`DELETE /files/${body.id}`)).status).toBe(204);
    expect((await get(body.id)).status).toBe(404);
    expect((await client.call(`DELETE /files/${body.id}`)).status).toBe(404);
  });

  it("does not delete a file of a chat", async () => {
    const { id } = await add(Buffer.from("kept"), { name: "kept.txt" });
    const { status, problem } = await client.fail(`DELETE /files/${id}`);
    expect([status, problem.detail]).toEqual([409, expect.stringMatching(/belongs to a chat/)]);
    expect((await get(id)).status).toBe(200);
  });

  it("refuses a form that is broken", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const { status, body } = await post(`/files?chat_id=${chatId}`, "--y\r\nbroken", headers);
    expect(status).toBe(400);
    expect(body.detail).toMatch(/form could not be read/);
  });

  it("stops reading a body that is too large", async () => {
    const chunk = new Uint8Array(1024 * 1024);
    let chunks = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        chunks += 1;
        controller.enqueue(chunk);
      },
    });
    expect((await post(`/files?chat_id=${chatId}`, endless)).status).toBe(413);
    expect(chunks).toBeLessThan(MAX_ARTIFACT_BYTES / chunk.length + 5);
    const bytes = new Uint8Array(MAX_ARTIFACT_BYTES + 1);
    expect((await post(`/files?chat_id=${chatId}`, bytes)).status).toBe(413);
  });

  it.each([
    ["the chat's", MAX_CHAT_ARTIFACT_BYTES, true, /files of a chat may hold 256 MB/],
    [
      "the owner's",
      MAX_OWNER_ARTIFACT_BYTES - 1,
      false,
      /files of all your chats may hold 2048 MB/,
    ],
  ])("refuses a file for which %s files leave no room", async (_what, used, same, detail) => {
    const owner = await createClient(db, api);
    const [chat, other] = [await owner.startChat(), await owner.startChat()];
    // The sizes alone: hundreds of megabytes would test the disk.
    const size = Math.min(used, 2 ** 30);
    for (let left = used; left > 0; left -= size) {
      await db.prisma.artifact.create({
        data: {
          id: newId(),
          chatId: same ? chat : other,
          ...ownedBy(owner),
          name: "a",
          hash: "",
          mediaType: "text/plain",
          size: Math.min(size, left),
        },
      });
    }
    const { status, problem } = await owner.fail(`POST /files?chat_id=${chat}`, Buffer.from("xx"));
    expect(status).toBe(429);
    expect(problem.detail).toMatch(detail);
    if (same) expect((await owner.call(`POST /files?chat_id=${other}`, "xx")).status).toBe(201);
  });
});

describe("GET /chats/{id}/files", () => {
  const list = async (chat: string, query = "") => {
    const { status, body } = await client.call(`GET /chats/${chat}/files${query}`);
    return { status, page: body as FilePage };
  };

  it("lists the files of a chat and of its agents, newest first and in pages", async () => {
    const root = await client.startChat();
    const agent = await startTestAgent(db, { chatId: root });
    const sent = await add(Buffer.from("one"), { name: "one.txt", chat: root });
    const ofAgent = await add(Buffer.from("three"), { name: "three.txt", chat: agent });
    const toolCallId = "call_1";
    await db.prisma.artifact.update({ where: { id: ofAgent.id }, data: { toolCallId } });
    await add(Buffer.from("elsewhere"), { name: "elsewhere.txt" });
    await client.call("POST /files?name=unsent.txt", Buffer.from("unsent"), BYTES);

    const { page } = await list(root);
    expect(page.data).toEqual([
      {
        ...ofAgent,
        chat_id: agent,
        tool_call_id: "call_1",
        created_at: expect.any(String) as string,
      },
      { ...sent, chat_id: root, tool_call_id: null, created_at: expect.any(String) as string },
    ]);
    expect(page).toMatchObject({ total_count: 2, total_size: 8 });
    const first = (await list(root, "?limit=1")).page;
    expect(first).toMatchObject({ data: [{ id: ofAgent.id }], total_count: 2, total_size: 8 });
    const rest = (await list(root, `?limit=1&cursor=${first.next_cursor ?? ""}`)).page;
    expect(rest.data.map(({ id }) => id)).toEqual([sent.id]);
    expect(rest.next_cursor).toBeUndefined();
    expect((await list(agent)).page.data.map(({ id }) => id)).toEqual([ofAgent.id]);
  });

  it("is empty for a chat without files, and refuses a cursor that is no id", async () => {
    const empty = await client.startChat();
    expect((await list(empty)).page).toEqual({ data: [], total_count: 0, total_size: 0 });
    expect((await list(empty, "?cursor=x")).status).toBe(400);
    expect((await list(newId())).status).toBe(404);
  });
});

describe("GET /files/{id}?preview=true", () => {
  const getPreview = (id: string, headers = {}) => get(`${id}?preview=true`, headers);

  it("sends a sent image as models get it, and ranges of it", async () => {
    const { id, size } = await add(await drawImage(3_000, 100), { name: "wide.png" });
    const response = await getPreview(id);
    const bytes = await read(response);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 2_000 });
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expect(response.headers.get("content-disposition")).toBe("inline; filename=wide.png");
    expect(await read(await getPreview(id, { range: "bytes=2-5" }))).toEqual(bytes.subarray(2, 6));
    expect((await read(await get(id))).length).toBe(size);
  });

  it("has a tag of its own", async () => {
    const { id } = await add(await drawImage(20, 10), { name: "small.png" });
    const tag = (await getPreview(id)).headers.get("etag") ?? "";
    expect((await getPreview(id, { "if-none-match": tag })).status).toBe(304);
    expect((await get(id, { "if-none-match": tag })).status).toBe(200);
  });

  it("sends any other file itself", async () => {
    const text = await add(Buffer.from("a text"), { name: "a.txt" });
    expect((await read(await getPreview(text.id))).toString()).toBe("a text");
    const damaged = await add(PNG, { name: "damaged.png" });
    expect(await read(await getPreview(damaged.id))).toEqual(PNG);
  });
});

describe("GET /files/{id}", () => {
  const letters = Buffer.from("abcdefghij");
  const getLetters = async (headers: Record<string, string> = {}) =>
    get((await add(letters, { name: "letters.txt" })).id, headers);

  it("is an attachment that runs nothing, unless it is an image of pixels", async () => {
    for (const [name, bytes, disposition] of [
      ["a.png", PNG, "inline"],
      ["page.html", Buffer.from("<script>alert(1)</script>"), "attachment"],
      ["drawing.svg", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "attachment"],
    ] as const) {
      const { headers } = await get((await add(bytes, { name })).id);
      expect(headers.get("content-disposition")).toBe(`${disposition}; filename=${name}`);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    }
  });

  it("sends a file of several slices whole", async () => {
    const bytes = Buffer.from(Array.from({ length: 1_300_000 }, (_, at) => (at * 7919) % 251));
    const { id } = await add(bytes);
    const response = await get(id);
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expect((await read(response)).equals(bytes)).toBe(true);
    const range = await get(id, { range: "bytes=500000-1200000" });
    expect((await read(range)).equals(bytes.subarray(500_000, 1_200_001))).toBe(true);
  });

  it.each([
    ["bytes=0-3", "abcd", "bytes 0-3/10"],
    ["bytes=8-", "ij", "bytes 8-9/10"],
    ["bytes=-3", "hij", "bytes 7-9/10"],
    ["bytes=5-99", "fghij", "bytes 5-9/10"],
  ])("sends the range %s", async (range, text, contentRange) => {
    const response = await getLetters({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(contentRange);
    expect(response.headers.get("content-length")).toBe(String(text.length));
    expect(await response.text()).toBe(text);
  });

  it.each(["bytes=0-1,4-5", "letters=0-1", "bytes=b-a", "nonsense"])(
    "sends the whole for %s",
    async (range) => {
      const response = await getLetters({ range });
      expect([response.status, await response.text()]).toEqual([200, "abcdefghij"]);
    },
  );

  it("has a problem for a range beyond the end", async () => {
    const response = await getLetters({ range: "bytes=10-" });
    expect(response.status).toBe(416);
    expect(response.headers.get("content-range")).toBe("bytes */10");
    expect(await response.json()).toMatchObject({
      status: 416,
      detail: expect.any(String) as string,
    });
  });

  it("is not sent again while its tag is known, and in part only for the same file", async () => {
    const etag = (await getLetters()).headers.get("etag") ?? "";
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await getLetters({ "if-none-match": tags });
      expect([response.status, await response.text()]).toEqual([304, ""]);
    }
    expect((await getLetters({ "if-none-match": '"other"' })).status).toBe(200);
    const range = "bytes=0-1";
    expect((await getLetters({ range, "if-range": etag })).status).toBe(206);
    expect((await getLetters({ range, "if-range": '"other"' })).status).toBe(200);
  });

  it("has headers only for HEAD", async () => {
    const { id } = await add(letters, { name: "letters.txt" });
    const response = await get(id, {}, "HEAD");
    expect(response.headers.get("content-length")).toBe("10");
    expect(await response.text()).toBe("");
  });

  it("is there for the owner's browser, and for no other one", async () => {
    const [owner, other] = [await createAccount(db), await createAccount(db)];
    const session = await signIn(api, owner);
    const chat: unknown = await (await session.rest("POST /chats", { content: "x" })).json();
    const { id } = chat as { id: string };
    const file = await db.prisma.artifact.create({
      data: {
        id: newId(),
        chatId: id,
        ...ownedBy(owner),
        name: "a.txt",
        hash: "h",
        mediaType: "text/plain",
        size: 1,
        slices: { create: { position: 0, bytes: Uint8Array.of(97) } },
      },
    });
    expect(await (await session.rest(`GET /files/${file.id}`)).text()).toBe("a");
    const stranger = await signIn(api, other);
    const foreign = await stranger.rest(`GET /files/${file.id}`);
    const unknown = await stranger.rest(`GET /files/${newId()}`);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
  });

  it("is deleted with its chat", async () => {
    const chat = await client.startChat();
    const { id } = await add(letters, { chat });
    await commitAnswer(db, chat, { parts: [{ type: "text", text: "a" }], after: "finish" });
    expect((await client.call(`DELETE /chats/${chat}`)).status).toBe(204);
    expect((await get(id)).status).toBe(404);
    expect(await db.prisma.artifact.count({ where: { id } })).toBe(0);
  });
});
