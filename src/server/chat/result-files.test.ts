import { beforeAll, expect, it } from "vitest";
import type { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import type { PartRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { claimOpenCall } from "./claim-calls";
import { createChat } from "./create-chat";
import { createFile } from "./create-file";
import { submitToolResult } from "./submit-tool-result";
import { submitToolResults } from "./submit-tool-results";

let db: Database;
let ctx: ServerContext;

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

const park = async (...parts: PartRow[]): Promise<string> => {
  const { id } = await createChat(ctx, {
    content: toTextContent("hello"),
    dynamicTools: [{ name: "plot" }],
  });
  await commitAnswer(db, id, { parts, after: "park" });
  return id;
};

const sendFile = async (text: string, by = ctx, chatId?: string): Promise<string> => {
  const bytes = new TextEncoder().encode(text);
  return (await createFile(by, { name: `${text}.txt`, bytes, chatId })).id;
};

const answer = (chatId: string, fileIds: readonly string[], toolCallId = "a") =>
  submitToolResult(ctx, {
    chatId,
    messageId: undefined,
    result: { toolCallId, output: "see the file", isError: false, fileIds },
  });

const refuse = (request: Promise<unknown>): Promise<DomainError> =>
  request.then(
    () => Promise.reject(new Error("the result was taken")),
    (error: unknown) => error as DomainError,
  );

const readCalls = async (chatId: string): Promise<ToolCallPartRow[]> =>
  (await readWholeHistory(db, chatId))
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === "tool_call");

const isOfChat = async (id: string, chatId: string): Promise<boolean> =>
  (await db.prisma.artifact.count({ where: { id, chatId } })) === 1;

it("files of a result become artifacts of the call, and files of its chat", async () => {
  const chatId = await park(openCall("a", "plot"), openCall("b", "plot"));
  const [sent, own] = [await sendFile("sent"), await sendFile("own", ctx, chatId)];
  await answer(chatId, [sent, own, sent]);
  const [a] = await readCalls(chatId);
  expect(a?.artifacts).toMatchObject([{ id: sent, name: "sent.txt" }, { id: own }]);
  expect(await isOfChat(sent, chatId)).toBe(true);
  const before = await readChat(db, chatId);
  await answer(chatId, [sent, own]);
  expect(await readChat(db, chatId)).toEqual(before);
  expect(await refuse(answer(chatId, [own]))).toMatchObject({ reason: "call_answered" });
  expect(await refuse(answer(chatId, []))).toMatchObject({ reason: "call_answered" });
});

it("results of a step have their files as well", async () => {
  const chatId = await park(openCall("a", "plot"), openCall("b", "plot"));
  const file = await sendFile("of b");
  await submitToolResults(ctx, {
    chatId,
    results: [
      { toolCallId: "a", output: 1, isError: false },
      { toolCallId: "b", output: 2, isError: false, fileIds: [file] },
    ],
  });
  const [a, b] = await readCalls(chatId);
  expect([a?.artifacts, b?.artifacts]).toMatchObject([null, [{ id: file }]]);
  expect(await readChat(db, chatId)).toMatchObject({ status: "pending" });
});

it("files of others, of another chat, and unknown ones are refused, and nothing is stored", async () => {
  const chatId = await park(openCall("a", "plot"));
  const elsewhere = await park(openCall("a", "plot"));
  const stranger = await createTestContext(db);
  const good = await sendFile("good");
  for (const bad of [
    ctx.newId(),
    await sendFile("theirs", stranger),
    await sendFile("elsewhere", ctx, elsewhere),
  ]) {
    expect(await refuse(answer(chatId, [good, bad]))).toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/file_ids/1" }],
    });
  }
  expect(await isOfChat(good, chatId)).toBe(false);
  expect(await readCalls(chatId)).toMatchObject([{ state: "awaiting_result", artifacts: null }]);
});

it("the answer to a question of a server has no files", async () => {
  const asked = [{ message: "?", requested_schema: { type: "object" as const, properties: {} } }];
  const chatId = await park({ ...openCall("a", "ask", { kind: "mcp" }), elicitations: asked });
  const request = submitToolResult(ctx, {
    chatId,
    messageId: undefined,
    result: {
      toolCallId: "a",
      output: { action: "decline" },
      isError: false,
      fileIds: [await sendFile("of a question")],
    },
  });
  expect(await refuse(request)).toMatchObject({ errors: [{ pointer: "/file_ids" }] });
});

it("a claimed call takes the files of its holder alone", async () => {
  const chatId = await park(openCall("a", "plot"));
  const holder: ServerContext = {
    ...ctx,
    actor: {
      ...ctx.actor,
      credential: {
        type: "api_key",
        id: "holder",
        scopes: ["calls:answer"],
        only: null,
        expiresAt: null,
      },
    },
  };
  const claimed = { chatId, toolCallId: "a", messageId: undefined };
  const { claim } = await claimOpenCall(holder, { ...claimed, holder: "h", leaseSeconds: 60 });
  const file = await sendFile("of the holder");
  const send = (claimToken: string | undefined) =>
    submitToolResult(holder, {
      chatId,
      messageId: undefined,
      result: { toolCallId: "a", output: 1, isError: false, claimToken, fileIds: [file] },
    });
  expect(await refuse(send(undefined))).toMatchObject({ reason: "call_claimed" });
  await send(claim?.token ?? undefined);
  expect(await isOfChat(file, chatId)).toBe(true);
});
