import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { writeToolMode } from "@/server/db/settings/setting-writes";
import { defineTool, type Tool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { createToolSources } from "@/server/tools/tool-source";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall, passDeadlines } from "@/test/park-chat";
import { recipe, requireRecipe } from "@/test/recipe-fixture";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { builtinTools, NO_COMMANDS_FOR_RECIPES } from "@/test/tool-fixture";
import { createRecipeTool } from "@/server/recipes/recipe-tool";
import { promoteQueued } from "@/server/chat/change-queue";
import { createChat } from "@/server/chat/create-chat";
import { decideApprovals } from "@/server/chat/decide-approvals";
import { deleteChat } from "@/server/chat/delete-chat";
import { editMessage } from "@/server/chat/edit-message";
import { exitRecipes } from "./exit-recipes";
import { expireAction } from "@/server/chat/expire-action";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { sendMessage } from "@/server/chat/send-message";

let db: Database;
let ctx: ServerContext;
let ended: unknown[];
let recipeTool: Tool;
let exits: ReturnType<typeof exitRecipes>;

beforeAll(async () => {
  db = await testDatabase();
  const loaded = await requireRecipe(
    recipe({
      parameters: { type: "object", properties: { n: { type: "number" } } },
      steps: [() => "done"],
      handlers: { onExit: (request) => void ended.push(request) },
      opts: { needsApproval: true },
    }),
  );
  recipeTool = createRecipeTool(loaded, NO_COMMANDS_FOR_RECIPES);
  const toolSources = createToolSources(builtinTools, { recipe: () => [recipeTool] });
  ctx = { ...(await createTestContext(db)), toolSources };
  exits = exitRecipes({ db, listRecipes: () => Promise.resolve() });
});
afterAll(() => exits.stop());
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
    await passDeadlines(db, chatId);
    await expireAction(db, chatId, ctx.newId);
  },
};

it.each(Object.entries(ENDS))("onExit runs once for calls that are ended by %s", async (_, end) => {
  const chatId = await startWaiting();
  await exits.settled();
  expect(ended).toEqual([]);
  await end(chatId);
  await exits.settled();
  expect(ended).toEqual([{ n: 1 }, { n: 2 }]);
});

it("onExit does not run for calls that go on waiting", async () => {
  await send(await startWaiting(), "queue");
  await exits.settled();
  expect(ended).toEqual([]);
});

/** A turn with a call that runs, and one of the recipe that waits for an approval meanwhile. */
const startWorking = async (act: (turn: TurnFixture) => unknown): Promise<TurnFixture> => {
  const work = defineTool({
    name: "work",
    description: "Works.",
    input: z.object({}),
    run: async () => {
      await act(turn);
      return toolResult("worked");
    },
  });
  const turn: TurnFixture = await createTurnFixture({
    ctx,
    tools: [recipeTool, work],
    steps: [
      [
        ...toolCallParts("a", "work", {}),
        ...toolCallParts("b", "test_recipe", { n: 1 }),
        finishPart("tool-calls"),
      ],
      textStep("Done."),
    ],
  });
  return turn;
};

const decide = ({ chatId }: TurnFixture, decision: "approve" | "reject") =>
  decideApprovals(ctx, { chatId, decisions: [{ toolCallId: "b", decision }] });

describe("onExit of a call that has not begun runs once when its chat", () => {
  it("is stopped at work", async () => {
    const turn = await startWorking(async ({ chatId, stop }) => {
      await interruptChat(ctx, { chatId });
      stop("interrupted");
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    await exits.settled();
    expect(ended).toEqual([{ n: 1 }]);
  });

  it("fails at work", async () => {
    let hasWorked = false;
    const turn = await startWorking(() => (hasWorked = true));
    const now = (): Date => {
      if (hasWorked) throw new Error("The clock has stopped.");
      return new Date();
    };
    await turn.run({ now });
    expect(await turn.chat()).toMatchObject({ status: "error" });
    await exits.settled();
    expect(ended).toEqual([{ n: 1 }]);
  });

  it("gets an edited message at work", async () => {
    const turn = await startWorking(async ({ chatId, history }) => {
      const messageId = (await history())[0]?.id ?? "";
      await editMessage(ctx, { chatId, messageId, content: toTextContent("other") });
    });
    await turn.run();
    await exits.settled();
    expect(ended).toEqual([{ n: 1 }]);
  });

  it("is stopped before a worker has begun what was approved", async () => {
    const turn = await startWorking(() => undefined);
    await turn.run();
    await decide(turn, "approve");
    await interruptChat(ctx, turn);
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    await exits.settled();
    expect(ended).toEqual([{ n: 1 }]);
  });

  it("has the tool withdrawn while the call waits", async () => {
    const turn = await startWorking(() => undefined);
    await turn.run();
    await decide(turn, "approve");
    await writeToolMode(db, "test_recipe", "off");
    await turn.run();
    await db.prisma.setting.deleteMany();
    const parts = (await turn.history()).flatMap((message) => message.parts);
    expect(parts).toContainEqual(
      expect.objectContaining({
        toolCallId: "b",
        output: expect.stringMatching(/turned this tool off/) as string,
      }),
    );
    await exits.settled();
    expect(ended).toEqual([{ n: 1 }]);
  });
});

/** A turn whose model calls a recipe without approval, and a function that runs while the call does. */
const startRunning = async (
  act: (turn: TurnFixture) => unknown,
  listTools = (tool: Tool): readonly Tool[] => [tool],
): Promise<TurnFixture> => {
  const loaded = await requireRecipe(
    recipe({
      name: "running_recipe",
      steps: [async () => void (await act(turn))],
      handlers: { onExit: () => void ended.push("running") },
    }),
  );
  const tool = createRecipeTool(loaded, NO_COMMANDS_FOR_RECIPES);
  const turn: TurnFixture = await createTurnFixture({
    ctx,
    listTools: () => listTools(tool),
    steps: [
      [...toolCallParts("c", "running_recipe", {}), finishPart("tool-calls")],
      textStep("Done."),
    ],
  });
  return turn;
};

/** What a worker does whose lease ends while a call runs: it ends the call, and commits nothing. */
const loseLease = async ({ chatId, stop }: TurnFixture): Promise<void> => {
  await db.prisma.chat.update({ where: { id: chatId }, data: { leaseExpiresAt: new Date(0) } });
  stop("lost");
};

const outcomes = async (turn: TurnFixture): Promise<unknown[]> =>
  (await turn.history()).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool_call" ? [part.state] : [])),
  );

describe("onExit of a call that runs", () => {
  it("runs once when its worker was killed, by the worker that takes over", async () => {
    const turn = await startRunning(loseLease);
    await turn.run({ isLeaseFresh: () => false });
    await exits.settled();
    expect(ended).toEqual([]);
    await turn.run();
    expect(await outcomes(turn)).toEqual(["error"]);
    await exits.settled();
    expect(ended).toEqual(["running"]);
  });

  it("runs once when another worker has closed the call before its own is late to end it", async () => {
    const turn = await startRunning(async (late) => {
      if (ended.length > 0) return;
      await db.prisma.chat.update({
        where: { id: late.chatId },
        data: { leaseExpiresAt: new Date(0) },
      });
      await late.run();
    });
    await turn.run({ isLeaseFresh: () => false });
    expect(await outcomes(turn)).toEqual(["error"]);
    await exits.settled();
    expect(ended).toEqual(["running"]);
  });

  it("runs once when its worker was killed and its file is gone", async () => {
    let isGone = false;
    const turn = await startRunning(loseLease, (tool) => (isGone ? [] : [tool]));
    await turn.run({ isLeaseFresh: () => false });
    isGone = true;
    await turn.run();
    await exits.settled();
    expect(ended).toEqual(["running"]);
  });

  it("runs once after the call when its message is edited meanwhile", async () => {
    const endedAtWork: number[] = [];
    const turn = await startRunning(async ({ chatId, history }) => {
      const messageId = (await history())[0]?.id ?? "";
      await editMessage(ctx, { chatId, messageId, content: toTextContent("other") });
      endedAtWork.push(ended.length);
    });
    await turn.run();
    expect(endedAtWork).toEqual([0]);
    await exits.settled();
    expect(ended).toEqual(["running"]);
  });

  it("runs once when the chat is stopped or the process ends meanwhile", async () => {
    for (const reason of ["interrupted", "shutdown"] as const) {
      ended = [];
      const turn = await startRunning(async ({ chatId, stop }) => {
        if (reason === "interrupted") await interruptChat(ctx, { chatId });
        stop(reason);
      });
      await turn.run();
      expect(await outcomes(turn)).toEqual([reason === "shutdown" ? "error" : "cancelled"]);
      await exits.settled();
      expect(ended).toEqual(["running"]);
    }
  });
});

it("a chat cannot be deleted before its calls and their onExit have ended", async () => {
  const chatId = await startWaiting();
  await expect(deleteChat(ctx, { chatId })).rejects.toMatchObject({ code: "conflict" });
  await interruptChat(ctx, { chatId });
  await exits.settled();
  expect(ended).toEqual([{ n: 1 }, { n: 2 }]);
  await deleteChat(ctx, { chatId });
  await exits.settled();
  expect(ended).toHaveLength(2);
});

it("onExit runs for a call that waits although the file of its recipe is gone", async () => {
  const chatId = await startWaiting();
  const toolSources = createToolSources(builtinTools);
  await interruptChat({ ...ctx, toolSources }, { chatId });
  await exits.settled();
  expect(ended).toEqual([{ n: 1 }, { n: 2 }]);
});

it("onExit runs once for a call that is approved and runs, or is rejected", async () => {
  for (const decision of ["approve", "reject"] as const) {
    ended = [];
    const turn = await startWorking(() => undefined);
    await turn.run();
    await exits.settled();
    expect(ended).toEqual([]);
    await decide(turn, decision);
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    await exits.settled();
    expect(ended).toEqual([{ n: 1 }]);
  }
});
