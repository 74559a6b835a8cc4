import { v7 as newId } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import { HistoryMessages } from "@/contract/history";
import { MAX_CHAT_ARTIFACT_BYTES } from "@/contract/limits";
import type { Artifact } from "@/contract/part";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { findArtifact, listFiles } from "@/server/db/chats/artifact-reads";
import { listChats } from "@/server/db/chats/chat-list-reads";
import type { MessageRow } from "@/server/db/chats/rows";
import { toViewer } from "@/server/db/chats/viewer";
import { completeTask } from "@/server/tasks/task-reports";
import { startTestAgent } from "@/test/agent-fixture";
import { createContext, createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { createModel, createUser } from "@/test/factories";
import { claimChat, commitAnswer, openCall } from "@/test/park-chat";
import { beginTestTask } from "@/test/task-fixture";
import { toolCall } from "@/test/tool-call";
import { continueChat } from "./continue-chat";
import { createChat } from "./create-chat";
import { createFile } from "./create-file";
import { deleteChat } from "./delete-chat";
import { editMessage } from "./edit-message";
import { forkChat } from "./fork-chat";
import { regenerate } from "./regenerate";
import { sendMessage } from "./send-message";
import { updateChat } from "./update-chat";

let db: Database;
let ctx: ServerContext;
beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

const text = (words: string) => ({ type: "text" as const, text: words });
const answer = (chatId: string, ...parts: MessageRow["parts"]) =>
  commitAnswer(db, chatId, { parts: parts.length > 0 ? parts : [text("Yes.")], after: "finish" });
const send = (chatId: string, words: string, ...files: Artifact[]) =>
  sendMessage(ctx, {
    chatId,
    content: [text(words), ...files.map(({ id }) => ({ type: "file" as const, file_id: id }))],
    busyBehavior: "reject",
  });
const upload = (words = `content ${newId()}`, chatId?: string) =>
  createFile(ctx, { chatId, name: "a.txt", bytes: Buffer.from(words) });

/** A chat of two turns, of which the first has files: seq 1 to 4. */
const createOrigin = async (...files: Artifact[]): Promise<string> => {
  const content = files.map(({ id }) => ({ type: "file" as const, file_id: id }));
  const { id } = await createChat(ctx, { content: [text("One?"), ...content] });
  await answer(id, text("One."));
  await send(id, "Two?");
  await answer(id, text("Two."));
  return id;
};
const toTexts = async (chatId: string) =>
  (await readWholeHistory(db, chatId)).map(({ parts: [part] }) =>
    part?.type === "text" ? part.text : part?.type,
  );
const toCopied = ({
  role,
  seq,
  parts,
  model,
  usage,
  finishReason,
  createdBy,
  createdAt,
}: MessageRow) => ({
  role,
  seq,
  parts,
  model,
  usage,
  finishReason,
  createdBy,
  createdAt,
});
const exists = (id: string) => db.prisma.artifact.count({ where: { id } }).then(Boolean);
const countSlices = (id: string) => db.prisma.artifactSlice.count({ where: { artifactId: id } });
const canRead = async (chatId: string, id: string) =>
  (await findArtifact(db, { id, viewer: ctx.actor, rootChatId: chatId })) !== undefined;

describe("a fork", () => {
  it("has the whole history by default, with ids of its own, and rests", async () => {
    const id = await createOrigin();
    const parts = [
      {
        type: "reasoning" as const,
        text: "Hm.",
        startedAt: new Date(1),
        completedAt: new Date(2),
        providerMetadata: { a: { signature: "s" } },
      },
      toolCall({
        toolCallId: "a",
        kind: "builtin",
        state: "completed",
        output: { n: [1] },
        completedAt: new Date(3),
      }),
      { type: "source" as const, data: { url: "https://example.org" } },
    ];
    await send(id, "Three?");
    await answer(id, ...parts);
    const before = await readWholeHistory(db, id);

    const fork = await forkChat(ctx, { chatId: id });

    expect(fork).toMatchObject({
      status: "waiting",
      title: "One? (branch)",
      titled: true,
      version: 1,
      lastSeq: 6,
      forkedFromId: id,
      forkedFromSeq: 6,
      contextTokens: 12,
      usage: {},
    });
    const after = await readWholeHistory(db, fork.id);
    expect(after.map(toCopied)).toEqual(before.map(toCopied));
    const ids = [...before, ...after].flatMap((message) => [message.id]);
    expect(new Set(ids).size).toBe(12);
    const turns = [before, after].map((messages) => messages.map(({ turnId }) => turnId));
    expect(turns[1]?.map((turn) => turns[1]?.indexOf(turn))).toEqual([0, 0, 2, 2, 4, 4]);
    expect(turns[0]?.some((turn) => turns[1]?.includes(turn))).toBe(false);
    expect(fork.turnId).toBe(turns[1]?.at(-1));
    expect(await readWholeHistory(db, id)).toEqual(before);
  });

  it("has the settings of the chat, and not what it was found or kept by", async () => {
    const modelId = await createModel(db);
    const { id } = await createChat(ctx, {
      messages: HistoryMessages.parse([
        { role: "user", content: "One?" },
        { role: "assistant", content: "One." },
      ]),
      systemPrompt: "Be brief.",
      modelId,
      parameters: { temperature: 0.5 },
      dynamicTools: [{ name: "deploy" }],
      toolNames: ["read_file"],
      autoSubmit: { success: false },
      wakeOnReports: false,
      labels: { job: "1" },
      actionTimeoutSeconds: 77,
      maxSteps: 7,
    });
    await updateChat(ctx, { chatId: id, pinned: true });
    const fork = await forkChat(ctx, { chatId: id, title: "Another way" });
    expect(fork).toMatchObject({
      title: "Another way",
      systemPrompt: "Be brief.",
      modelId,
      parameters: { temperature: 0.5 },
      dynamicTools: [{ name: "deploy" }],
      toolNames: ["read_file"],
      groupNames: [],
      autoSubmitSuccess: false,
      autoSubmitError: true,
      wakeOnReports: false,
      actionTimeoutSeconds: 77,
      maxSteps: 7,
      labels: {},
      pinned: false,
      rootChatId: fork.id,
      parentChatId: null,
    });
    expect(toViewer(fork).userId).toBe(ctx.actor.userId);
  });

  it("ends where it is told to, and goes on in its own way", async () => {
    const id = await createOrigin();
    const fork = await forkChat(ctx, { chatId: id, afterSeq: 2 });
    expect(await toTexts(fork.id)).toEqual(["One?", "One."]);
    expect(fork).toMatchObject({ forkedFromSeq: 2, lastSeq: 2, contextTokens: 12 });
    await send(fork.id, "Other?");
    await answer(fork.id, text("Other."));
    expect(await toTexts(fork.id)).toEqual(["One?", "One.", "Other?", "Other."]);
    expect(await toTexts(id)).toEqual(["One?", "One.", "Two?", "Two."]);
  });

  it("may end with a message of the person, which can be answered or edited", async () => {
    const id = await createOrigin();
    const fork = await forkChat(ctx, { chatId: id, afterSeq: 3 });
    expect(fork).toMatchObject({ status: "waiting" });
    await regenerate(ctx, { chatId: fork.id });
    await answer(fork.id, text("Again."));
    expect(await toTexts(fork.id)).toEqual(["One?", "One.", "Two?", "Again."]);
    const other = await forkChat(ctx, { chatId: id, afterSeq: 3 });
    const [, , last] = await readWholeHistory(db, other.id);
    const content = toTextContent("Three?");
    await editMessage(ctx, { chatId: other.id, messageId: last?.id ?? "", content });
    expect(await toTexts(other.id)).toEqual(["One?", "One.", "Three?"]);
  });

  it("in the middle of a turn rests after the results, and can be continued", async () => {
    const { id } = await createChat(ctx, {
      messages: HistoryMessages.parse([
        { role: "user", content: "One?" },
        {
          role: "assistant",
          content: [{ type: "tool_call", tool_call_id: "a", tool_name: "b", output: 1 }],
        },
        { role: "assistant", content: "One." },
      ]),
    });
    const { id: forkId } = await forkChat(ctx, { chatId: id, afterSeq: 2 });
    expect((await readWholeHistory(db, forkId)).at(-1)?.finishReason).toBe("auto-submit-off");
    await continueChat(ctx, { chatId: forkId });
    const { id: wholeId } = await forkChat(ctx, { chatId: id });
    await expect(continueChat(ctx, { chatId: wholeId })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("is found by the search", async () => {
    const word = `narwhal${newId()}`;
    const id = await createOrigin();
    await send(id, word);
    await answer(id);
    const fork = await forkChat(ctx, { chatId: id });
    const viewer = ctx.actor;
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const filter = { viewer, archived: false, q: word, limit: 10, cursor };
      const { chats, nextCursor } = await listChats(db, filter);
      found.push(...chats.map((chat) => chat.id));
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual([id, fork.id].toSorted());
  });

  it("leaves out what an edit has replaced", async () => {
    const id = await createOrigin();
    const [, , question] = await readWholeHistory(db, id);
    await editMessage(ctx, {
      chatId: id,
      messageId: question?.id ?? "",
      content: toTextContent("Three?"),
    });
    await answer(id, text("Three."));
    const fork = await forkChat(ctx, { chatId: id });
    expect(await toTexts(fork.id)).toEqual(["One?", "One.", "Three?", "Three."]);
    await expect(forkChat(ctx, { chatId: id, afterSeq: 3 })).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/after_seq" }],
    });
  });

  it("of a chat of 2,000 messages takes few statements", async () => {
    const messages = HistoryMessages.parse(
      Array.from({ length: 1_000 }, (_, index) => [
        { role: "user", content: `Question ${index}` },
        {
          role: "assistant",
          content: [{ type: "reasoning", text: "Hm." }, text(`Answer ${index}`)],
        },
      ]).flat(),
    );
    const { id } = await createChat(ctx, { messages });
    const names: string[] = [];
    const counted: Database = {
      ...db,
      transaction: (body) =>
        db.transaction((tx) =>
          body({
            ...tx,
            query: (statement, values) => {
              names.push(statement.name);
              return tx.query(statement, values);
            },
          }),
        ),
    };
    const fork = await forkChat({ ...ctx, db: counted }, { chatId: id });
    expect(names.length).toBeLessThan(50);
    const [first, last] = [await toTexts(fork.id), await toTexts(id)];
    expect(first).toEqual(last);
    expect(await db.prisma.part.count({ where: { message: { chatId: fork.id } } })).toBe(3_000);
  });
});

describe("a fork is refused, and nothing is stored,", () => {
  const refuse = async (chatId: string, expected: object, input: object = {}, by = ctx) => {
    const count = () => db.prisma.chat.count({ where: { forkedFromSeq: { not: null } } });
    const before = await count();
    await expect(forkChat(by, { chatId, ...input })).rejects.toMatchObject(expected);
    expect(await count()).toBe(before);
  };

  it("while a turn is active: pending, running, or parked", async () => {
    const { id } = await createChat(ctx, { content: toTextContent("One?") });
    await refuse(id, { code: "conflict", message: expect.stringContaining('"pending"') as string });
    await claimChat(db, id);
    await refuse(id, { code: "conflict", message: expect.stringContaining('"running"') as string });
    const parked = await createChat(ctx, { content: toTextContent("One?") });
    await commitAnswer(db, parked.id, { parts: [openCall("a", "deploy")], after: "park" });
    await refuse(parked.id, { code: "conflict" });
  });

  it("of an archived chat", async () => {
    const id = await createOrigin();
    await updateChat(ctx, { chatId: id, archived: true });
    await refuse(id, { code: "conflict", shouldRetry: false });
  });

  it("of a chat that is unknown, or of another person", async () => {
    const stranger = createContext(db, await createUser(db));
    await refuse(await createOrigin(), { code: "not_found" }, {}, stranger);
    await refuse(newId(), { code: "not_found" });
    await refuse("none", { code: "not_found" });
  });

  it("of an agent", async () => {
    const id = await createOrigin();
    const agentId = await startTestAgent(db, { chatId: id });
    await answer(agentId);
    await refuse(agentId, { code: "invalid" });
  });

  it.each([0, 5, 1_000])("after a message that does not exist: %i", async (afterSeq) => {
    await refuse(
      await createOrigin(),
      { code: "invalid", errors: [{ pointer: "/after_seq" }] },
      { afterSeq },
    );
  });
});

describe("the files of a fork", () => {
  it("are those of the chat until then, and are stored once", async () => {
    const [early, late] = [await upload(), await upload()];
    const id = await createOrigin(early);
    await send(id, "Three?", late);
    await answer(id);
    const made = await upload(undefined, id);
    const slices = await db.prisma.artifactSlice.count();

    const part = await forkChat(ctx, { chatId: id, afterSeq: 2 });
    const whole = await forkChat(ctx, { chatId: id });

    expect(await db.prisma.artifactSlice.count()).toBe(slices);
    const ids = [early.id, late.id, made.id];
    expect(await Promise.all(ids.map((file) => canRead(whole.id, file)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await canRead(part.id, early.id)).toBe(true);
    expect(await canRead(part.id, made.id)).toBe(false);
    await send(whole.id, "And this?", early);
    expect((await readWholeHistory(db, whole.id)).at(-1)?.parts).toMatchObject([
      { type: "text" },
      { type: "file", data: { file_id: early.id } },
    ]);
  });

  it("are listed as its own", async () => {
    const file = await upload();
    const id = await createOrigin(file);
    const fork = await forkChat(ctx, { chatId: id });
    const list = (chatId: string) => listFiles(db, { chatId, viewer: ctx.actor, limit: 10 });
    expect((await list(fork.id)).map(({ chatId }) => chatId)).toEqual([fork.id]);
    expect((await list(id)).map(({ chatId }) => chatId)).toEqual([id]);
    await deleteChat(ctx, { chatId: id });
    expect((await list(fork.id)).map((listed) => [listed.file.id, listed.chatId])).toEqual([
      [file.id, fork.id],
    ]);
  });

  it("are readable by its tools, and by nobody else", async () => {
    const file = await upload("tides");
    const fork = await forkChat(ctx, { chatId: await createOrigin(file) });
    const { openArtifact } = createArtifactDeps({ db, newId });
    const chat = { chatId: fork.id, rootChatId: fork.id, userId: ctx.actor.userId };
    const opened = await openArtifact(chat, file.id);
    expect(Buffer.from((await opened?.read()) ?? []).toString()).toBe("tides");
    const other = await createOrigin();
    expect(
      await openArtifact({ ...chat, chatId: other, rootChatId: other }, file.id),
    ).toBeUndefined();
    const viewer = { userId: await createUser(db) };
    expect(await findArtifact(db, { id: file.id, viewer })).toBeUndefined();
  });

  it("stay when the chat is deleted, and go with the last chat that has them", async () => {
    const file = await upload();
    const id = await createOrigin(file);
    const one = await forkChat(ctx, { chatId: id });
    const two = await forkChat(ctx, { chatId: one.id });

    await deleteChat(ctx, { chatId: id });
    expect(await readChat(db, one.id)).toMatchObject({ forkedFromId: null, forkedFromSeq: 4 });
    expect([await canRead(one.id, file.id), await canRead(two.id, file.id)]).toEqual([true, true]);

    await deleteChat(ctx, { chatId: one.id });
    expect([await canRead(two.id, file.id), await countSlices(file.id)]).toEqual([true, 1]);

    await deleteChat(ctx, { chatId: two.id });
    expect([await exists(file.id), await countSlices(file.id)]).toEqual([false, 0]);
  });

  it("stay with the chat when the fork is deleted", async () => {
    const file = await upload();
    const id = await createOrigin(file);
    const fork = await forkChat(ctx, { chatId: id });
    const own = await upload(undefined, fork.id);
    await deleteChat(ctx, { chatId: fork.id });
    expect([await canRead(id, file.id), await exists(own.id)]).toEqual([true, false]);
    await deleteChat(ctx, { chatId: id });
    expect(await exists(file.id)).toBe(false);
  });

  it("of agents of the chat stay, too", async () => {
    const id = await createOrigin();
    const agentId = await startTestAgent(db, { chatId: id });
    const file = await upload(undefined, agentId);
    await answer(agentId);
    const fork = await forkChat(ctx, { chatId: id });
    await deleteChat(ctx, { chatId: id });
    expect(await canRead(fork.id, file.id)).toBe(true);
  });

  it("are found again by their content, and count to the limit of each chat", async () => {
    const words = `content ${newId()}`;
    const id = await createOrigin();
    const file = await upload(words, id);
    const fork = await forkChat(ctx, { chatId: id });
    expect(await upload(words, fork.id)).toEqual(file);
    await db.prisma.artifact.update({
      where: { id: file.id },
      data: { size: MAX_CHAT_ARTIFACT_BYTES },
    });
    await expect(upload(undefined, fork.id)).rejects.toMatchObject({ code: "limit_exceeded" });
    await deleteChat(ctx, { chatId: id });
    await expect(upload(undefined, fork.id)).rejects.toMatchObject({ code: "limit_exceeded" });
    await deleteChat(ctx, { chatId: fork.id });
  });

  it("are neither lost nor left when chats are forked and deleted at once", async () => {
    for (let round = 0; round < 5; round += 1) {
      const file = await upload();
      const id = await createOrigin(file);
      const fork = await forkChat(ctx, { chatId: id });
      const [made] = await Promise.allSettled([
        forkChat(ctx, { chatId: id }),
        deleteChat(ctx, { chatId: id }),
        deleteChat(ctx, { chatId: fork.id }),
      ]);
      const late = made.status === "fulfilled" ? made.value : undefined;
      expect(await exists(file.id)).toBe(late !== undefined);
      if (late) {
        expect(await canRead(late.id, file.id)).toBe(true);
        await deleteChat(ctx, { chatId: late.id });
      }
      expect(await exists(file.id)).toBe(false);
    }
  });
});

describe("the tasks of a chat", () => {
  const begin = async () => {
    const id = await createOrigin();
    const taskId = await beginTestTask(db, { chatId: id });
    return { id, taskId };
  };

  it("remain there, and the fork says so instead of their reports", async () => {
    const { id, taskId } = await begin();
    const before = await readChat(db, id);
    const fork = await forkChat(ctx, { chatId: id });
    expect(fork).toMatchObject({ lastSeq: 5, reportCount: 0, taskVersion: 0 });
    expect((await readWholeHistory(db, fork.id)).at(-1)).toMatchObject({
      role: "event",
      seq: 5,
      turnId: fork.turnId,
      parts: [
        {
          type: "report",
          data: {
            task_id: taskId,
            state: "cancelled",
            output: expect.stringContaining("copy") as string,
          },
        },
      ],
    });
    expect(await readChat(db, id)).toEqual(before);
    await send(fork.id, "Three?");
    await answer(fork.id);
    expect((await readWholeHistory(db, fork.id)).map(({ seq }) => seq)).toEqual([
      1, 2, 3, 4, 5, 6, 7,
    ]);
  });

  it("are not mentioned in a fork that ends before them, nor after their report", async () => {
    const { id, taskId } = await begin();
    const early = await forkChat(ctx, { chatId: id, afterSeq: 2 });
    expect((await readWholeHistory(db, early.id)).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
    ]);
    const report = { output: "done", for_user: null, artifacts: [] };
    await completeTask({ db, newId }, { taskId, chatId: id, state: "completed", report });
    await answer(id);
    const reported = await forkChat(ctx, { chatId: id });
    const events = (await readWholeHistory(db, reported.id)).filter(({ role }) => role === "event");
    expect(events).toMatchObject([{ parts: [{ data: { state: "completed" } }] }]);
    const [between] = events;
    const cut = await forkChat(ctx, { chatId: id, afterSeq: (between?.seq ?? 0) - 1 });
    expect((await readWholeHistory(db, cut.id)).at(-1)).toMatchObject({
      role: "event",
      parts: [{ data: { task_id: taskId, state: "cancelled" } }],
    });
  });
});
