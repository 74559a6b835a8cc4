import { beforeAll, describe, expect, it } from "vitest";
import type { DomainError } from "@/contract/domain-error";
import { MAX_QUEUED_MESSAGES } from "@/contract/limits";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { insertPreviewChunk } from "@/server/db/sql/writes/preview-writes";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { createModel } from "@/test/factories";
import { commitAnswer, claimChat, openCall, passDeadlines } from "@/test/park-chat";
import { createChat } from "./create-chat";
import { deleteChat } from "./delete-chat";
import { deleteQueued, promoteQueued } from "./change-queue";
import { editMessage } from "./edit-message";
import { expireAction } from "./expire-action";
import { finishTurn } from "@/server/turn/end-turn";
import { interruptChat } from "./interrupt-chat";
import { reconcileChat } from "./reconcile-chat";
import { regenerate } from "./regenerate";
import { sendMessage } from "./send-message";
import { updateChat } from "./update-chat";

let db: Database;
let ctx: ServerContext;

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

const newChat = async (): Promise<string> =>
  (await createChat(ctx, { content: toTextContent("hello"), dynamicTools: [{ name: "ask" }] })).id;
const restingChat = async (): Promise<string> => {
  const id = await newChat();
  await commitAnswer(db, id, { parts: [{ type: "text", text: "hi" }], after: "finish" });
  return id;
};
const parkedChat = async (): Promise<string> => {
  const id = await newChat();
  await commitAnswer(db, id, { parts: [openCall("a", "ask")], after: "park" });
  return id;
};
const send = (
  chatId: string,
  text: string,
  busyBehavior: "queue" | "interrupt" | "reject" = "queue",
) => sendMessage(ctx, { chatId, content: toTextContent(text), busyBehavior });
const texts = async (chatId: string) =>
  (await readWholeHistory(db, chatId)).map(({ parts: [part] }) =>
    part?.type === "text" ? part.text : part?.type,
  );
const getQueue = (chatId: string) =>
  db.prisma.queuedMessage.findMany({ where: { chatId }, orderBy: { position: "asc" } });
const refusal = (action: Promise<unknown>): Promise<DomainError> =>
  action.then(
    () => Promise.reject(new Error("it was allowed")),
    (error: unknown) => error as DomainError,
  );

describe("a new chat", () => {
  it("is pending at version 1, titled by its first words", async () => {
    const chat = await createChat(ctx, {
      content: toTextContent("one two three four five six seven"),
    });
    expect(chat).toMatchObject({
      status: "pending",
      version: 1,
      historyVersion: 1,
      title: "one two three four five six…",
      titled: false,
    });
  });

  it("takes an enabled model only", async () => {
    const disabled = await createModel(db, { enabled: false });
    for (const modelId of [disabled, ctx.newId()]) {
      const error = await refusal(createChat(ctx, { content: toTextContent("hi"), modelId }));
      expect(error).toMatchObject({ code: "invalid", errors: [{ pointer: "/model_id" }] });
    }
    const modelId = await createModel(db);
    expect(await createChat(ctx, { content: toTextContent("hi"), modelId })).toMatchObject({
      modelId,
    });
  });

  it("warns of a dynamic tool whose name is taken, and is made all the same", async () => {
    const chat = await createChat(ctx, {
      content: toTextContent("hi"),
      dynamicTools: [{ name: "read_file" }, { name: "mine" }],
    });
    expect(chat.warnings).toEqual([expect.stringContaining("read_file")]);
  });

  it("warns of the parts of a schema that are not offered, by their tool and pointer", async () => {
    const chat = await createChat(ctx, {
      content: toTextContent("hi"),
      dynamicTools: [
        { name: "fine", input_schema: { type: ["object", "null"], properties: { a: {} } } },
        { name: "sloppy", input_schema: { properties: { "a\0b": false }, required: null } },
      ],
    });
    expect(chat.warnings).toEqual([
      'The tool "sloppy" is offered without /input_schema/required, which has no valid value.',
      'The tool "sloppy" is offered without /input_schema/properties/a\0b, which is never allowed.',
    ]);
    expect(await readChat(db, chat.id)).toMatchObject({ warnings: chat.warnings });
  });

  it("warns of tools over the limit of its model's provider, at OpenAI only", async () => {
    const dynamicTools = Array.from({ length: 130 }, (_, at) => ({ name: `t${at}` }));
    const create = async (provider: "openai" | "anthropic") => {
      const modelId = await createModel(db, { provider });
      return createChat(ctx, { content: toTextContent("hi"), modelId, dynamicTools });
    };
    expect((await create("anthropic")).warnings).toEqual([]);
    expect((await create("openai")).warnings).toEqual([
      expect.stringMatching(
        /^OpenAI takes 128 tools: \d+ of \d+ are not offered, from "t\d+" on\.$/,
      ),
    ]);
  });

  it("has a bounded number of warnings", async () => {
    const properties = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`p${at}`, null]));
    const tool = { input_schema: { properties } };
    const chat = await createChat(ctx, {
      content: toTextContent("hi"),
      // Not the default, which another test may have left: some providers have a limit of tools.
      modelId: await createModel(db, { provider: "anthropic" }),
      dynamicTools: Array.from({ length: 250 }, (_, at) => ({ name: `t${at}`, ...tool })),
    });
    expect(chat.warnings).toHaveLength(51);
    expect(chat.warnings.at(-1)).toMatch(/^2700 more/);
  });
});

describe("sending", () => {
  it("to a parked chat queues, and by interrupt cancels the open calls", async () => {
    const chatId = await parkedChat();
    expect(await send(chatId, "later")).toMatchObject({ queued: true });
    expect(await readChat(db, chatId)).toMatchObject({ status: "requires_action", queuedCount: 1 });
    expect(await send(chatId, "now", "interrupt")).toMatchObject({ queued: true });
    expect(await texts(chatId)).toEqual(["hello", "tool_call", "later"]);
    expect((await getQueue(chatId)).map(({ content }) => content)).toEqual([toTextContent("now")]);
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending", actionDeadlineAt: null });
    expect((await readWholeHistory(db, chatId))[1]?.parts).toMatchObject([
      { state: "cancelled", isError: true },
    ]);
  });

  it("to a chat in error with a queue sends the queue's head, not the new message", async () => {
    const chatId = await newChat();
    await send(chatId, "first");
    await db.prisma.chat.update({
      where: { id: chatId },
      data: { status: "error", lastError: { kind: "auth", message: "no", retryable: false } },
    });
    expect(await send(chatId, "second")).toMatchObject({ queued: true });
    expect(await texts(chatId)).toEqual(["hello", "first"]);
    expect(await readChat(db, chatId)).toMatchObject({
      status: "pending",
      queuedCount: 1,
      lastError: null,
    });
  });

  it("to a busy chat with reject is a conflict that changes nothing", async () => {
    const chatId = await newChat();
    const before = await readChat(db, chatId);
    expect(await refusal(send(chatId, "no", "reject"))).toMatchObject({ code: "conflict" });
    expect(await readChat(db, chatId)).toEqual(before);
  });

  it(`queues ${MAX_QUEUED_MESSAGES} messages and not one more`, async () => {
    const chatId = await newChat();
    for (let index = 0; index < MAX_QUEUED_MESSAGES; index++) await send(chatId, `m${index}`);
    const error = await refusal(send(chatId, "too many"));
    expect(error.code).toBe("limit_exceeded");
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(await getQueue(chatId)).toHaveLength(MAX_QUEUED_MESSAGES);
  });
});

describe("the queue", () => {
  it("refuses an unknown id, and any id while it is empty", async () => {
    const chatId = await newChat();
    const unknown = { chatId, queuedId: ctx.newId() };
    expect(await refusal(deleteQueued(ctx, unknown))).toMatchObject({ code: "conflict" });
    expect(await refusal(promoteQueued(ctx, unknown))).toMatchObject({ code: "conflict" });
    await send(chatId, "one");
    expect(await refusal(deleteQueued(ctx, unknown))).toMatchObject({ code: "not_found" });
    expect(await refusal(promoteQueued(ctx, unknown))).toMatchObject({ code: "not_found" });
  });

  it("gives a promoted message to a resting turn at once, and to a busy one next", async () => {
    const busy = await newChat();
    await send(busy, "one");
    await send(busy, "two");
    const [, second] = await getQueue(busy);
    await promoteQueued(ctx, { chatId: busy, queuedId: second?.id ?? "" });
    expect(await readChat(db, busy)).toMatchObject({ status: "interrupting", queuedCount: 2 });
    expect((await getQueue(busy)).map(({ content }) => content)).toEqual([
      toTextContent("two"),
      toTextContent("one"),
    ]);

    const parked = await parkedChat();
    await send(parked, "one");
    await send(parked, "two");
    const [, chosen] = await getQueue(parked);
    await promoteQueued(ctx, { chatId: parked, queuedId: chosen?.id ?? "" });
    expect(await readChat(db, parked)).toMatchObject({ status: "pending", queuedCount: 1 });
    expect(await texts(parked)).toEqual(["hello", "tool_call", "two"]);
  });
});

describe("a request that names the calls that it may cancel", () => {
  const attempts = {
    message: (chatId: string, cancelCalls: string[]) =>
      sendMessage(ctx, {
        chatId,
        content: toTextContent("now"),
        cancelCalls,
        busyBehavior: "interrupt",
      }),
    promotion: async (chatId: string, cancelCalls: string[]) => {
      const [first] = await getQueue(chatId);
      return promoteQueued(ctx, { chatId, queuedId: first?.id ?? "", cancelCalls });
    },
    stop: (chatId: string, cancelCalls: string[]) => interruptChat(ctx, { chatId, cancelCalls }),
  };
  const chatWithCalls = async (): Promise<string> => {
    const chatId = await newChat();
    const parts = [
      openCall("a", "ask"),
      openCall("b", "write_file", { state: "awaiting_approval" }),
      openCall("c", "write_file", { state: "running" }),
    ];
    await commitAnswer(db, chatId, { parts, after: "park" });
    await send(chatId, "later");
    return chatId;
  };

  for (const [name, attempt] of Object.entries(attempts)) {
    it(`is refused and changes nothing while another one is open: a ${name}`, async () => {
      const chatId = await chatWithCalls();
      const before = await readChat(db, chatId);
      const history = await readWholeHistory(db, chatId);
      for (const cancelCalls of [[], ["a"], ["b", "other"]]) {
        const error = await refusal(attempt(chatId, cancelCalls));
        expect(error).toMatchObject({ code: "conflict", shouldRetry: false });
        expect(error.message).toMatch(/waits for answers that this would cancel/);
      }
      expect(await readChat(db, chatId)).toEqual(before);
      expect(await readWholeHistory(db, chatId)).toEqual(history);
      expect(await getQueue(chatId)).toHaveLength(1);
    });

    it(`cancels those that it names: a ${name}`, async () => {
      const chatId = await chatWithCalls();
      await attempt(chatId, ["b", "a"]);
      const [, answer] = await readWholeHistory(db, chatId);
      expect(answer?.parts).toMatchObject(Array(3).fill({ isError: true }));
      expect((await readChat(db, chatId)).status).not.toBe("requires_action");
    });

    it(`needs to name none while none is open: a ${name}`, async () => {
      const chatId = await newChat();
      await send(chatId, "later");
      await attempt(chatId, []);
      expect(await readChat(db, chatId)).toMatchObject({ status: "interrupting" });
    });
  }

  it("is not refused for a message that only joins the queue", async () => {
    const chatId = await chatWithCalls();
    const content = toTextContent("later");
    const sent = sendMessage(ctx, { chatId, content, busyBehavior: "queue", cancelCalls: [] });
    expect(await sent).toMatchObject({ queued: true });
  });
});

describe("a stop with a queue", () => {
  const stoppedChat = async (): Promise<string> => {
    const chatId = await parkedChat();
    await send(chatId, "one");
    await send(chatId, "two");
    await interruptChat(ctx, { chatId });
    return chatId;
  };

  it("pauses the queue: no message is sent", async () => {
    const chatId = await stoppedChat();
    expect(await readChat(db, chatId)).toMatchObject({
      status: "waiting",
      queuedCount: 2,
      queuePaused: true,
    });
    expect(await texts(chatId)).toEqual(["hello", "tool_call"]);
  });

  it("is over after the last queued message was removed", async () => {
    const chatId = await stoppedChat();
    for (const { id } of await getQueue(chatId)) {
      expect(await readChat(db, chatId)).toMatchObject({ status: "waiting", queuePaused: true });
      await deleteQueued(ctx, { chatId, queuedId: id });
    }
    expect(await readChat(db, chatId)).toMatchObject({
      status: "waiting",
      queuedCount: 0,
      queuePaused: false,
    });
  });

  it("ends when a queued or a new message is sent, which comes first", async () => {
    const promoted = await stoppedChat();
    const [next] = await getQueue(promoted);
    await promoteQueued(ctx, { chatId: promoted, queuedId: next?.id ?? "" });
    expect(await readChat(db, promoted)).toMatchObject({
      status: "pending",
      queuedCount: 1,
      queuePaused: false,
    });
    expect(await texts(promoted)).toEqual(["hello", "tool_call", "one"]);

    const sent = await stoppedChat();
    expect(await send(sent, "three")).toMatchObject({ queued: false });
    expect(await texts(sent)).toEqual(["hello", "tool_call", "three"]);
    expect(await readChat(db, sent)).toMatchObject({
      status: "pending",
      queuedCount: 2,
      queuePaused: false,
    });
  });

  it("puts a message that is sent while the turn stops before the queue", async () => {
    const chatId = await newChat();
    await claimChat(db, chatId);
    await send(chatId, "one");
    await interruptChat(ctx, { chatId });
    expect(await readChat(db, chatId)).toMatchObject({ status: "interrupting", queuePaused: true });
    await send(chatId, "two");
    expect(await readChat(db, chatId)).toMatchObject({
      status: "interrupting",
      queuedCount: 2,
      queuePaused: false,
    });
    expect((await getQueue(chatId)).map(({ content }) => content)).toEqual([
      toTextContent("two"),
      toTextContent("one"),
    ]);
  });

  it("stays over archiving", async () => {
    const chatId = await stoppedChat();
    await updateChat(ctx, { chatId, archived: true });
    await updateChat(ctx, { chatId, archived: false });
    expect(await readChat(db, chatId)).toMatchObject({ status: "waiting", queuePaused: true });
  });
});

describe("an edit", () => {
  it("replaces the message, drops what came after, empties the queue", async () => {
    const chatId = await parkedChat();
    await send(chatId, "queued");
    const [first] = await readWholeHistory(db, chatId);
    await editMessage(ctx, {
      chatId,
      messageId: first?.id ?? "",
      content: toTextContent("better"),
    });
    expect(await texts(chatId)).toEqual(["better"]);
    expect(await readChat(db, chatId)).toMatchObject({
      status: "pending",
      queuedCount: 0,
      actionDeadlineAt: null,
    });
  });

  it("is of a user's live message of this chat only", async () => {
    const chatId = await restingChat();
    const other = await restingChat();
    const [mine, answer] = await readWholeHistory(db, chatId);
    const [foreign] = await readWholeHistory(db, other);
    const edit = (messageId: string) =>
      refusal(editMessage(ctx, { chatId, messageId, content: toTextContent("x") }));
    expect(await edit(answer?.id ?? "")).toMatchObject({ code: "invalid" });
    expect(await edit(foreign?.id ?? "")).toMatchObject({ code: "not_found" });
    expect(await edit("no-uuid")).toMatchObject({ code: "not_found" });
    await editMessage(ctx, { chatId, messageId: mine?.id ?? "", content: toTextContent("x") });
    expect(await edit(mine?.id ?? "")).toMatchObject({ code: "not_found" });
  });
});

describe("regenerating", () => {
  it("drops the last answer and nothing before it", async () => {
    const chatId = await restingChat();
    await regenerate(ctx, { chatId });
    expect(await texts(chatId)).toEqual(["hello"]);
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending", turnSteps: 0 });
    expect(await refusal(regenerate(ctx, { chatId }))).toMatchObject({ code: "conflict" });
  });

  it("begins a turn that has the question and drops the answer of that turn only", async () => {
    const chatId = await restingChat();
    await send(chatId, "again");
    await commitAnswer(db, chatId, { parts: [{ type: "text", text: "two" }], after: "finish" });
    const before = await readWholeHistory(db, chatId);
    await regenerate(ctx, { chatId });
    const after = await readWholeHistory(db, chatId);
    const { turnId } = await readChat(db, chatId);
    expect(after.map(({ id }) => id)).toEqual(before.slice(0, 3).map(({ id }) => id));
    expect(after.at(-1)).toMatchObject({ role: "user", turnId });
    expect(before.map((message) => message.turnId)).not.toContain(turnId);
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  });
});

describe("a turn", () => {
  it("begins with each user message that enters the history, and its answer has its id", async () => {
    const chatId = await newChat();
    const { turnId: first } = await readChat(db, chatId);
    await send(chatId, "queued");
    expect(await readChat(db, chatId)).toMatchObject({ turnId: first });
    await commitAnswer(db, chatId, { parts: [{ type: "text", text: "one" }], after: "finish" });
    await finishTurn(ctx, await readChat(db, chatId));
    const { turnId: second } = await readChat(db, chatId);
    expect(second).not.toBe(first);
    const history = await readWholeHistory(db, chatId);
    expect(history.map(({ turnId }) => turnId)).toEqual([first, first, second]);
  });
});

describe("an interrupt", () => {
  it("of an idle chat is a conflict; of a claimed one keeps the worker's lease", async () => {
    const resting = await restingChat();
    expect(await refusal(interruptChat(ctx, { chatId: resting }))).toMatchObject({
      code: "conflict",
    });
    const busy = await newChat();
    const { leaseToken } = await claimChat(db, busy);
    expect(await interruptChat(ctx, { chatId: busy })).toMatchObject({
      status: "interrupting",
      leaseToken,
    });
  });
});

describe("a deadline", () => {
  it("that has passed closes the open calls as timed out, and only then", async () => {
    const chatId = await parkedChat();
    await expireAction(db, chatId, ctx.newId);
    expect(await readChat(db, chatId)).toMatchObject({ status: "requires_action" });
    await passDeadlines(db, chatId);
    await expireAction(db, chatId, ctx.newId);
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending", actionDeadlineAt: null });
    expect((await readWholeHistory(db, chatId)).at(-1)?.parts).toMatchObject([
      { state: "timed_out", isError: true },
    ]);
  });
});

describe("archiving and deleting", () => {
  it("a chat that was archived and restored has its old place in the list", async () => {
    const chatId = await restingChat();
    const { updatedAt } = await readChat(db, chatId);
    expect((await updateChat(ctx, { chatId, archived: true })).updatedAt).toEqual(updatedAt);
    expect((await updateChat(ctx, { chatId, archived: false })).updatedAt).toEqual(updatedAt);
  });

  const withChild = async (): Promise<{ root: string; child: string }> => {
    const root = await restingChat();
    const child = await restingChat();
    await db.prisma.chat.update({
      where: { id: child },
      data: { parentChatId: root, rootChatId: root },
    });
    return { root, child };
  };

  it("apply to the whole family", async () => {
    const { root, child } = await withChild();
    expect((await updateChat(ctx, { chatId: root, archived: true })).archivedAt).not.toBeNull();
    expect((await readChat(db, child)).archivedAt).not.toBeNull();
    expect(await refusal(send(root, "hi"))).toMatchObject({ code: "conflict" });
    await updateChat(ctx, { chatId: root, archived: false });
    expect((await readChat(db, child)).archivedAt).toBeNull();
    await deleteChat(ctx, { chatId: root });
    expect(await db.prisma.chat.count({ where: { id: { in: [root, child] } } })).toBe(0);
  });

  it("delete the previews that watchers in other processes were sent", async () => {
    const { root, child } = await withChild();
    const other = await restingChat();
    const chunk = { attempt: 1, seq: 0, preview: "p", historyVersion: 1, through: 0, ops: [] };
    for (const chatId of [root, child, other]) await insertPreviewChunk(db, { chatId, ...chunk });
    await deleteChat(ctx, { chatId: root });
    const left = await db.prisma.previewChunk.findMany({
      where: { chatId: { in: [root, child, other] } },
    });
    expect(left.map(({ chatId }) => chatId)).toEqual([other]);
  });

  it("are refused while one of the family is busy", async () => {
    const { root, child } = await withChild();
    await send(child, "work");
    expect(await refusal(updateChat(ctx, { chatId: root, archived: true }))).toMatchObject({
      code: "conflict",
    });
    expect((await readChat(db, root)).archivedAt).toBeNull();
    expect(await refusal(deleteChat(ctx, { chatId: root }))).toMatchObject({ code: "conflict" });
  });

  it("are the root's alone", async () => {
    const { child } = await withChild();
    expect(await refusal(updateChat(ctx, { chatId: child, archived: true }))).toMatchObject({
      code: "invalid",
    });
    expect(await refusal(deleteChat(ctx, { chatId: child }))).toMatchObject({ code: "invalid" });
  });
});

describe("reconciling", () => {
  it("turns an invalid state into an error, keeps the queue, closes the calls", async () => {
    const chatId = await parkedChat();
    await send(chatId, "kept");
    await db.prisma.chat.update({ where: { id: chatId }, data: { status: "waiting" } });
    expect(await refusal(send(chatId, "x"))).toMatchObject({ code: "conflict" });
    const chat = await reconcileChat(ctx, { chatId });
    expect(chat).toMatchObject({ status: "error", queuedCount: 1, archivedAt: null });
    expect(chat.lastError?.message).toMatch(/repaired/);
    expect((await readWholeHistory(db, chatId)).at(-1)?.parts).toMatchObject([{ isError: true }]);
  });

  it("is refused for a valid chat and an unknown one", async () => {
    const chatId = await restingChat();
    expect(await refusal(reconcileChat(ctx, { chatId }))).toMatchObject({ code: "conflict" });
    expect(await refusal(reconcileChat(ctx, { chatId: ctx.newId() }))).toMatchObject({
      code: "not_found",
    });
  });
});

describe("metadata", () => {
  it("changes only the version, not the history version", async () => {
    const chatId = await restingChat();
    const before = await readChat(db, chatId);
    const chat = await updateChat(ctx, {
      chatId,
      title: "Named",
      pinned: true,
      labels: { a: "b" },
    });
    expect(chat).toMatchObject({ title: "Named", titled: true, pinned: true, labels: { a: "b" } });
    expect(chat.historyVersion).toBe(before.historyVersion);
    expect(chat.version).toBe(before.version + 1);
  });
});
