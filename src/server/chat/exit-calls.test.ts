import { beforeAll, beforeEach, expect, it } from "vitest";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/database";
import type { Tool } from "@/server/tools/tool";
import { createToolSources } from "@/server/tools/tool-source";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { recipe, requireRecipe } from "@/test/recipe-fixture";
import { builtinTools, NO_COMMANDS_FOR_RECIPES } from "@/test/tool-fixture";
import { createRecipeTool } from "@/server/tools/recipes/recipe-tool";
import { promoteQueued } from "./change-queue";
import { createChat } from "./create-chat";
import { decideApprovals } from "./decide-approvals";
import { editMessage } from "./edit-message";
import { exitClosedCalls } from "./exit-calls";
import { expireAction } from "./expire-action";
import { interruptChat } from "./interrupt-chat";
import { sendMessage } from "./send-message";

let db: Database;
let ctx: ServerContext;
let ended: unknown[];

beforeAll(async () => {
  db = await testDatabase();
  const loaded = await requireRecipe(
    recipe({
      parameters: { type: "object", properties: { n: { type: "number" } } },
      handlers: { onExit: (request) => void ended.push(request) },
    }),
  );
  const tools: Tool[] = [createRecipeTool(loaded, NO_COMMANDS_FOR_RECIPES)];
  const toolSources = createToolSources(builtinTools, () => Promise.resolve(tools));
  ctx = { ...(await createTestContext(db)), toolSources };
});
beforeEach(() => {
  ended = [];
});

/** A chat that waits for a decision on one call, and has another one approved. */
const startWaiting = async (): Promise<string> => {
  const { id } = await createChat(ctx, { content: toTextContent("hello") });
  const calls = [1, 2].map((n) => ({
    ...openCall(`call-${n}`, "test_recipe", { state: "awaiting_approval", args: { n } }),
    kind: "recipe" as const,
  }));
  await commitAnswer(db, id, { parts: calls, after: "park" });
  await decideApprovals(ctx, {
    chatId: id,
    decisions: [{ toolCallId: "call-2", decision: "approve" }],
  });
  return id;
};

const send = (chatId: string, busyBehavior: "queue" | "interrupt") =>
  sendMessage(ctx, { chatId, content: toTextContent("next"), busyBehavior });

const ENDS: Record<string, (chatId: string) => Promise<unknown>> = {
  Stop: (chatId) => interruptChat(ctx, { chatId }),
  "a message that interrupts": (chatId) => send(chatId, "interrupt"),
  "a queued message that is sent first": async (chatId) => {
    const sent = await send(chatId, "queue");
    if (!sent.queued) throw new Error("the message was not queued");
    await promoteQueued(ctx, { chatId, queuedId: sent.queuedMessage.id });
  },
  "an edited message": async (chatId) => {
    const messageId = (await readWholeHistory(db, chatId))[0]?.id ?? "";
    await editMessage(ctx, { chatId, messageId, content: toTextContent("other") });
  },
  "its deadline": async (chatId) => {
    await db.prisma.chat.update({ where: { id: chatId }, data: { actionDeadlineAt: new Date(0) } });
    await exitClosedCalls(ctx.toolSources, await expireAction(db, chatId, ctx.newId));
  },
};

it.each(Object.entries(ENDS))("onExit runs once for calls that are ended by %s", async (_, end) => {
  const chatId = await startWaiting();
  expect(ended).toEqual([]);
  await end(chatId);
  expect(ended).toEqual([{ n: 1 }, { n: 2 }]);
});

it("onExit does not run for calls that go on waiting", async () => {
  await send(await startWaiting(), "queue");
  expect(ended).toEqual([]);
});
