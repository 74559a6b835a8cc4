import sharp from "sharp";
import { v7 as newId } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import type { Content } from "@/contract/content";
import type { DomainError } from "@/contract/domain-error";
import { MAX_CHAT_ARTIFACT_BYTES, MAX_MESSAGE_FILES } from "@/contract/limits";
import { Content as ContentSchema } from "@/contract/content";
import type { ServerContext } from "@/server/context";
import { insertArtifact, moveToChat } from "@/server/db/chats/artifact-writes";
import { ownedBy } from "@/server/db/chats/viewer";
import { createContext, createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { createChat } from "./create-chat";
import { createFile } from "./create-file";
import { deleteFile } from "./delete-file";
import { editMessage } from "./edit-message";
import { sendMessage } from "./send-message";
import { updateChat } from "./update-chat";

let ctx: ServerContext;
beforeAll(async () => {
  ctx = await createTestContext(await testDatabase());
});

const upload = async (chatId?: string, name = "a.txt") =>
  createFile(ctx, { chatId, name, bytes: Buffer.from(`content ${newId()}`) });
const toContent = (...ids: string[]): Content => [
  { type: "text", text: "Look at this" },
  ...ids.map((file_id) => ({ type: "file" as const, file_id })),
];
const toPart = ({ id, ...file }: Awaited<ReturnType<typeof upload>>) => ({
  type: "file",
  data: { file_id: id, ...file },
});
const startChat = async (content: Content = toTextContent("Hello")) =>
  (await createChat(ctx, { content })).id;
const send = (chatId: string, content: Content, by = ctx) =>
  sendMessage(by, { chatId, content, busyBehavior: "queue" });
const findChatOf = async (id: string) =>
  (await ctx.db.prisma.artifact.findUnique({ where: { id } }))?.chatId;
const readLastParts = async (chatId: string) =>
  (await readWholeHistory(ctx.db, chatId)).at(-1)?.parts;
/** A chat that rests, so that a message enters it. */
const startRestingChat = async () => {
  const chatId = await startChat();
  await ctx.db.query(
    { name: "test-rest-chat", text: "UPDATE chat SET status = 'waiting' WHERE id = $1::uuid" },
    [chatId],
  );
  return chatId;
};

describe("files of a message", () => {
  it("enter with the first message of a chat, which they then belong to", async () => {
    const [a, b] = [await upload(), await upload(undefined, "b.csv")];
    const chatId = await startChat(toContent(a.id, b.id));
    expect(await readLastParts(chatId)).toEqual([
      { type: "text", text: "Look at this" },
      toPart(a),
      toPart(b),
    ]);
    expect([await findChatOf(a.id), await findChatOf(b.id)]).toEqual([chatId, chatId]);
  });

  it("give a chat its title if the message has no text", async () => {
    const { id } = await upload(undefined, "Yearly report.txt");
    const chatId = await startChat([{ type: "file", file_id: id }]);
    expect((await readChat(ctx.db, chatId)).title).toBe("Yearly report.txt");
  });

  it("enter a chat that rests, that is busy by its queue, and by an edit", async () => {
    const chatId = await startRestingChat();
    const [entered, queued, edited] = [await upload(), await upload(chatId), await upload()];
    const sent = await send(chatId, toContent(entered.id));
    expect(sent.queued).toBe(false);
    expect(await readLastParts(chatId)).toContainEqual(toPart(entered));
    const waiting = await send(chatId, toContent(queued.id));
    expect(waiting.queued && waiting.queuedMessage.content).toEqual([
      { type: "text", text: "Look at this" },
      { type: "file", ...toPart(queued).data },
    ]);
    const messageId = sent.queued ? "" : sent.message.id;
    await editMessage(ctx, { chatId, messageId, content: toContent(entered.id, edited.id) });
    expect(await readLastParts(chatId)).toEqual([
      { type: "text", text: "Look at this" },
      toPart(entered),
      toPart(edited),
    ]);
    for (const { id } of [entered, queued, edited]) expect(await findChatOf(id)).toBe(chatId);
  });

  it.each<[what: string, create: () => Promise<string>]>([
    ["unknown", () => Promise.resolve(newId())],
    ["of another chat", async () => (await upload(await startChat())).id],
    [
      "of another person",
      async () => {
        const other = createContext(ctx.db, await createUser(ctx.db));
        return (await createFile(other, { name: "a", bytes: Buffer.from("x") })).id;
      },
    ],
    [
      "sent with another chat already",
      async () => {
        const { id } = await upload();
        await startChat(toContent(id));
        return id;
      },
    ],
  ])("are refused when one is %s, and nothing is changed", async (_what, create) => {
    const unknown = await create();
    const before = await findChatOf(unknown);
    const good = await upload();
    const chatId = await startRestingChat();
    const content = toContent(good.id, unknown);
    const refusals = [
      () => startChat(content),
      () => send(chatId, content),
      async () => {
        const [first] = await readWholeHistory(ctx.db, chatId);
        return editMessage(ctx, { chatId, messageId: first?.id ?? "", content });
      },
    ];
    for (const refuse of refusals) {
      await expect(refuse()).rejects.toMatchObject({
        code: "invalid",
        errors: [{ pointer: "/content/2/file_id" }],
      } satisfies Partial<Record<keyof DomainError, unknown>>);
    }
    expect(await readWholeHistory(ctx.db, chatId)).toHaveLength(1);
    expect(await findChatOf(good.id)).toBeNull();
    expect(await findChatOf(unknown)).toBe(before);
  });

  it("stay where they were when the chat refuses the message", async () => {
    const { id } = await upload();
    const chatId = await startRestingChat();
    await updateChat(ctx, { chatId, archived: true });
    await expect(send(chatId, toContent(id))).rejects.toMatchObject({ code: "conflict" });
    expect(await findChatOf(id)).toBeNull();
  });

  it("are refused when the files of the chat leave no room", async () => {
    const chatId = await startRestingChat();
    await ctx.db.prisma.artifact.create({
      data: {
        id: newId(),
        chatId,
        ...ownedBy(ctx.actor),
        name: "a",
        hash: "",
        mediaType: "text/plain",
        size: MAX_CHAT_ARTIFACT_BYTES,
      },
    });
    const { id } = await upload();
    await expect(send(chatId, toContent(id))).rejects.toMatchObject({ code: "limit_exceeded" });
    expect(await findChatOf(id)).toBeNull();
  });

  it("are refused when one is deleted before the message is committed", async () => {
    const { id, size } = await upload();
    const chatId = await startRestingChat();
    await deleteFile(ctx, id);
    const moving = ctx.db.transaction((tx) => moveToChat(tx, { chatId, files: [{ id, size }] }));
    await expect(moving).rejects.toMatchObject({ code: "conflict" });
  });

  it("have an image for models also when a tool had stored the same file", async () => {
    const chatId = await startChat();
    const bytes = await sharp({ create: { width: 3, height: 2, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const saved = await ctx.db.transaction((tx) =>
      insertArtifact(tx, {
        id: newId(),
        chatId,
        viewer: ctx.actor,
        toolCallId: "call",
        name: "dot.png",
        mediaType: "image/png",
        bytes,
      }),
    );
    const sent = await createFile(ctx, { chatId, name: "dot.png", bytes });
    expect(sent).toMatchObject({ id: saved?.id, width: 3, height: 2 });
    expect(await createFile(ctx, { chatId, name: "dot.png", bytes })).toEqual(sent);
  });

  it("go to one of two chats that are sent the same one at once", async () => {
    const { id } = await upload();
    const chats = [await startRestingChat(), await startRestingChat()];
    const sent = await Promise.allSettled(chats.map((chatId) => send(chatId, toContent(id))));
    expect(sent.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(chats[sent.findIndex(({ status }) => status === "fulfilled")]).toBe(
      await findChatOf(id),
    );
  });
});

describe("Content", () => {
  const files = (count: number) =>
    Array.from({ length: count }, () => ({ type: "file", file_id: newId() }));
  const findIssues = (content: unknown) =>
    ContentSchema.safeParse(content).error?.issues.flatMap((issue) =>
      issue.code === "invalid_union"
        ? issue.errors.flat().map(({ path, message }) => [path.join("/"), message])
        : [[issue.path.join("/"), issue.message]],
    );

  it("takes as many files as a message can have", () => {
    expect(findIssues(files(MAX_MESSAGE_FILES))).toBeUndefined();
  });

  it.each<[what: string, content: () => unknown, place: string, message: RegExp]>([
    ["one more", () => files(21), "20/file_id", /one too many/],
    ["one twice", () => files(1).flatMap((file) => [file, file]), "1/file_id", /already/],
    ["one without an id", () => [{ type: "file" }], "0/file_id", /expected string/],
    ["one that says more", () => [{ ...files(1)[0], name: "x" }], "0", /name/],
    ["another type", () => [{ type: "image", url: "x" }], "0/type", /Invalid/],
  ])("refuses %s, with its place", (_what, content, place, message) => {
    expect(findIssues(content())).toContainEqual([place, expect.stringMatching(message)]);
  });
});
