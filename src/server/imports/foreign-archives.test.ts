import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { ChatPage, MessagePage, OpenedChat } from "@/contract/chat-outputs";
import { createApiFixture, createClient } from "@/test/api-client";
import { createZip, importArchive } from "@/test/import-fixture";

const { db, api } = await createApiFixture();
const newClient = () => createClient(db, api);
type Client = Awaited<ReturnType<typeof newClient>>;

const listChats = async (client: Client) =>
  ((await client.call("GET /chats?archived=any&limit=200")).body as ChatPage).data;
const listMessages = async (client: Client, chatId = "") =>
  ((await client.call(`GET /chats/${chatId}/messages?limit=200`)).body as MessagePage).data.map(
    ({ role, parts, model }) => ({ role, model, parts }),
  );
const findChat = async (client: Client, title: string) =>
  (await listChats(client)).find((chat) => chat.title === title);

/** Seconds, as ChatGPT has them. */
const AT = 1_764_324_000.123456;

type Node = { id: string; parent: string | null; children: string[]; message: object | null };

const say = (id: string, role: string, content: object | string, fields: object = {}) => ({
  id,
  author: { role, name: null, metadata: {} },
  create_time: AT,
  content: typeof content === "string" ? { content_type: "text", parts: [content] } : content,
  recipient: "all",
  metadata: {},
  ...fields,
});

/** A conversation of ChatGPT whose messages follow one another, but those that name another one before them. */
const toTree = (
  id: string,
  messages: (ReturnType<typeof say> & { after?: string })[],
  fields: object = {},
) => {
  const mapping: Record<string, Node> = {
    root: { id: "root", parent: null, children: [], message: null },
  };
  let before = "root";
  for (const { after = before, ...message } of messages) {
    mapping[after]?.children.push(message.id);
    mapping[message.id] = { id: message.id, parent: after, children: [], message };
    before = message.id;
  }
  const common = { title: `Tree ${id}`, create_time: AT, update_time: AT + 60, is_archived: false };
  return { ...common, conversation_id: id, id, mapping, current_node: before, ...fields };
};

const png = await sharp({ create: { width: 3, height: 2, channels: 3, background: "teal" } })
  .png()
  .toBuffer();

describe("an archive of ChatGPT", () => {
  it("has the messages of the shown branch in the order of a chat", async () => {
    const client = await newClient();
    const conversation = toTree("one", [
      say("s", "system", ""),
      say(
        "ctx",
        "user",
        {
          content_type: "user_editable_context",
          user_profile: "I live in Oban.",
          user_instructions: "Be brief.",
        },
        { metadata: { is_visually_hidden_from_conversation: true } },
      ),
      say("u1", "user", "When is high water?"),
      say("t1", "assistant", {
        content_type: "thoughts",
        thoughts: [{ summary: "Searching", content: "I look it up." }],
      }),
      say("r1", "assistant", { content_type: "reasoning_recap", content: "Thought for 5s" }),
      say(
        "c1",
        "assistant",
        { content_type: "code", language: "unknown", text: '{"q":"tides Oban"}' },
        {
          recipient: "web.run",
        },
      ),
      say(
        "o1",
        "tool",
        { content_type: "text", parts: ["High water: 11:04"] },
        {
          author: { role: "tool", name: "web.run", metadata: {} },
        },
      ),
      say("a1", "assistant", "At 11:04.\uE200cite\uE202turn0search0\uE201", {
        metadata: {
          model_slug: "gpt-5",
          content_references: [
            {
              type: "grouped_webpages",
              items: [{ url: "https://tides.example.org/", title: "Tides" }],
            },
          ],
        },
      }),
      say("a2", "assistant", "Anything else?", { metadata: { model_slug: "gpt-5" } }),
    ]);
    const archive = await createZip({
      "conversations.json": JSON.stringify([conversation]),
      "chat.html": "<html></html>",
      "user.json": "{}",
      "message_feedback.json": "[]",
    });
    const result = await importArchive(db, client, archive);
    expect(result).toMatchObject({ state: "completed", source: "chatgpt", chats: 1, report: [] });
    const chat = await findChat(client, "Tree one");
    expect(chat).toMatchObject({
      created_at: "2025-11-28T10:00:00.123Z",
      updated_at: "2025-11-28T10:01:00.123Z",
      forked_from: null,
    });
    expect(await listMessages(client, chat?.id)).toMatchObject([
      { role: "system", parts: [{ type: "text", text: "I live in Oban.\n\nBe brief." }] },
      { role: "user", parts: [{ type: "text", text: "When is high water?" }] },
      {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "Searching\n\nI look it up." },
          {
            type: "tool_call",
            tool_name: "web_run",
            args: { q: "tides Oban" },
            state: "completed",
            output: "High water: 11:04",
          },
        ],
      },
      {
        role: "assistant",
        model: "gpt-5 (imported)",
        parts: [
          { type: "text", text: "At 11:04." },
          { type: "source", url: "https://tides.example.org/", title: "Tides" },
          { type: "text", text: "Anything else?" },
        ],
      },
    ]);
  });

  it("has other branches as chats with a link, and makes none twice", async () => {
    const client = await newClient();
    const conversation = toTree(
      "two",
      [
        say("u1", "user", "Hello"),
        say("a1", "assistant", "First answer"),
        { ...say("a2", "assistant", "Second answer"), after: "u1" },
        say("u2", "user", "More"),
        say("a3", "assistant", "All."),
      ],
      { is_archived: true },
    );
    const archive = await createZip({ "conversations-000.json": JSON.stringify([conversation]) });
    expect(await importArchive(db, client, archive)).toMatchObject({ chats: 2, messages: 6 });
    const [main, branch] = [
      await findChat(client, "Tree two"),
      await findChat(client, "Tree two (branch)"),
    ];
    expect(main).toMatchObject({ archived: true, forked_from: null });
    expect(branch).toMatchObject({ forked_from: { chat_id: main?.id, after_seq: 1 } });
    const texts = async (id?: string) =>
      (await listMessages(client, id)).map(({ parts: [part] }) =>
        part?.type === "text" ? part.text : "",
      );
    expect(await texts(main?.id)).toEqual(["Hello", "Second answer", "More", "All."]);
    expect(await texts(branch?.id)).toEqual(["Hello", "First answer"]);
    const opened = (await client.call(`GET /chats/${main?.id}/open`)).body as OpenedChat;
    expect(opened.forks).toEqual([{ id: branch?.id, title: "Tree two (branch)" }]);
    expect(await importArchive(db, client, archive)).toMatchObject({ chats: 0, known: 1 });
  });

  it("has 50 of more branches, and says how many are left out", async () => {
    const client = await newClient();
    const answers = Array.from({ length: 60 }, (_each, index) => ({
      ...say(`a${index}`, "assistant", `Answer ${index}`),
      after: "u1",
    }));
    const conversation = toTree("many", [say("u1", "user", "Hello"), ...answers]);
    const result = await importArchive(db, client, Buffer.from(JSON.stringify([conversation])));
    expect(result).toMatchObject({ chats: 51, messages: 102, problems: 1 });
    expect(result.report[0]?.reason).toBe("It has too many or too long branches: 9 are left out.");
  });

  it("brings its files from wherever they are, and lists those that are missing", async () => {
    const client = await newClient();
    const image = (pointer: string) => ({
      content_type: "image_asset_pointer",
      asset_pointer: pointer,
    });
    const conversation = toTree("three", [
      say(
        "u1",
        "user",
        {
          content_type: "multimodal_text",
          parts: [image("file-service://file-Ab12Cd"), "What is it?"],
        },
        {
          metadata: {
            attachments: [
              { id: "file-Ab12Cd", name: "tide.png", mime_type: "image/png", size: png.length },
              { id: "file-Gone", name: "gone.pdf", mime_type: "application/pdf", size: 9 },
            ],
          },
        },
      ),
      say(
        "c1",
        "assistant",
        { content_type: "text", parts: ['{"prompt":"a boat"}'] },
        { recipient: "dalle.text2im" },
      ),
      say(
        "o1",
        "tool",
        { content_type: "multimodal_text", parts: [image("sediment://file_00000000abcd#0")] },
        { author: { role: "tool", name: "dalle.text2im", metadata: {} } },
      ),
      say("a1", "assistant", "A boat."),
    ]);
    const archive = await createZip({
      "conversations.json": JSON.stringify([conversation]),
      "file-Ab12Cd-tide.png": png,
      "user-1/dalle-generations/file_00000000abcd-1f.png": png,
    });
    const result = await importArchive(db, client, archive);
    expect(result).toMatchObject({ chats: 1, files: 2 });
    expect(result.report).toEqual([
      { title: "Tree three", reason: 'The file "gone.pdf" is missing: it is not in the archive.' },
    ]);
    const messages = await listMessages(client, (await findChat(client, "Tree three"))?.id);
    expect(messages[0]?.parts).toMatchObject([
      { type: "text", text: "[A file that is not in the import]" },
      { type: "file", name: "tide.png", media_type: "image/png", width: 3, height: 2 },
      { type: "text", text: "What is it?" },
    ]);
    expect(messages[1]?.parts).toMatchObject([
      { tool_name: "dalle_text2im", args: { prompt: "a boat" } },
    ]);
    expect(messages[2]?.parts).toMatchObject([
      {
        type: "text",
        text: expect.stringMatching(/^!\[file_00000000abcd\.png\]\(\/api\/v1\/files\//) as string,
      },
      { type: "text", text: "A boat." },
    ]);
  });

  it("reads documents that are split, and says what of a message it does not know", async () => {
    const client = await newClient();
    const odd = say("u1", "user", { content_type: "hologram", text: "Hi" });
    const archive = await createZip({
      "export/conversations-001.json": JSON.stringify([toTree("b", [odd])]),
      "export/conversations-000.json": JSON.stringify([
        toTree("a", [say("u", "user", "Hello")]),
        toTree("empty", []),
      ]),
      "export/conversations-010.json": JSON.stringify([{ title: "No id", mapping: {} }]),
    });
    const result = await importArchive(db, client, archive);
    expect(result).toMatchObject({ chats: 2, problems: 3 });
    expect(result.report).toEqual([
      { title: "Tree empty", reason: "It has no messages." },
      {
        title: "Tree b",
        reason: 'Messages of the type "hologram" are imported as far as they have a text.',
      },
      { title: "No id", reason: "It has another form than is known." },
    ]);
  });

  it.each([
    [
      "a cycle",
      {
        mapping: {
          a: { parent: "b", children: ["b"], message: say("a", "user", "Hi") },
          b: { parent: "a", children: ["a"], message: null },
        },
      },
    ],
    [
      "values of other types",
      {
        mapping: {
          a: {
            parent: 1,
            children: "x",
            message: say("a", "user", { content_type: "text", parts: [1, null, { a: 1 }, "Hi"] }),
          },
        },
      },
    ],
    [
      "a hostile key",
      JSON.parse(
        '{"mapping":{"__proto__":{"message":null},"a":{"parent":null,"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["Hi"]}}}}}',
      ),
    ],
  ])("is read although it has %s", async (_what, fields) => {
    const client = await newClient();
    const conversation = { ...toTree("odd", []), ...(fields as object), current_node: "a" };
    const result = await importArchive(db, client, Buffer.from(JSON.stringify([conversation])));
    expect(result).toMatchObject({ state: "completed", chats: 1 });
  });
});

describe("an archive of Claude", () => {
  const TIME = "2026-11-28T10:00:00.123456Z";
  const write = (uuid: string, sender: string, content: object[], fields: object = {}) => ({
    uuid,
    sender,
    text: "",
    content,
    attachments: [],
    files: [],
    created_at: TIME,
    ...fields,
  });
  const toConversation = (uuid: string, chat_messages: object[], fields: object = {}) => ({
    uuid,
    name: `Claude ${uuid}`,
    created_at: TIME,
    updated_at: TIME,
    account: { uuid: "me" },
    chat_messages,
    ...fields,
  });
  const text = (value: string) => ({ type: "text", text: value, citations: [] });

  it("has thinking, calls with their results, texts of files, and names of others", async () => {
    const client = await newClient();
    const conversation = toConversation("one", [
      write("m1", "human", [text("When is high water?")], {
        attachments: [
          { file_name: "tides.pdf", file_type: "pdf", extracted_content: "11:04 Oban" },
        ],
        files: [{ file_name: "photo.png" }],
      }),
      write("m2", "assistant", [
        { type: "thinking", thinking: "I search." },
        { type: "token_budget" },
        { type: "tool_use", id: "toolu_1", name: "web_search", input: { query: "tides" } },
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          name: "web_search",
          content: [{ type: "text", text: "11:04" }],
          is_error: false,
        },
        {
          type: "text",
          text: "At 11:04.",
          citations: [{ url: "https://tides.example.org/", title: "Tides" }],
        },
      ]),
      write("m3", "human", [], { text: "Thanks" }),
    ]);
    const archive = await createZip({
      "conversations.json": JSON.stringify([conversation]),
      "users.json": "[]",
      "projects.json": "[]",
      "memories.json": "[]",
    });
    const result = await importArchive(db, client, archive);
    expect(result).toMatchObject({ source: "claude", chats: 1, files: 1, problems: 1 });
    expect(result.report[0]?.reason).toContain('"photo.png" is missing');
    expect(await listMessages(client, (await findChat(client, "Claude one"))?.id)).toMatchObject([
      {
        role: "user",
        parts: [
          { type: "file", name: "tides.pdf.txt", media_type: "text/plain", size: 10 },
          { type: "text", text: "[A file that is not in the export: photo.png]" },
          { type: "text", text: "When is high water?" },
        ],
      },
      {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "I search." },
          { type: "tool_call", tool_call_id: "toolu_1", args: { query: "tides" }, output: "11:04" },
        ],
      },
      {
        role: "assistant",
        parts: [
          { type: "text", text: "At 11:04." },
          { type: "source", url: "https://tides.example.org/" },
        ],
      },
      { role: "user", parts: [{ type: "text", text: "Thanks" }] },
    ]);
  });

  it("has the branches of edited messages as chats", async () => {
    const client = await newClient();
    const root = "00000000-0000-4000-8000-000000000000";
    const conversation = toConversation("two", [
      write("m1", "human", [text("Hello")], { parent_message_uuid: root }),
      write("m2", "assistant", [text("First")], { parent_message_uuid: "m1" }),
      write("m3", "assistant", [text("Second")], { parent_message_uuid: "m1" }),
    ]);
    const archive = Buffer.from(
      JSON.stringify({ conversations: [conversation, toConversation("three", [])] }),
    );
    const result = await importArchive(db, client, archive);
    expect(result).toMatchObject({
      chats: 2,
      report: [{ title: "Claude three", reason: "It has no messages." }],
    });
    const main = await findChat(client, "Claude two");
    expect((await listMessages(client, main?.id))[1]?.parts).toMatchObject([{ text: "Second" }]);
    expect(await findChat(client, "Claude two (branch)")).toMatchObject({
      forked_from: { chat_id: main?.id, after_seq: 1 },
    });
  });
});
