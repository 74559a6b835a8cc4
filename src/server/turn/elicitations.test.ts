import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { DomainError } from "@/contract/domain-error";
import type { ElicitationAnswer } from "@/contract/elicitation";
import type { ToolCallPartRow } from "@/server/db/chats/rows";
import type { ToolContext } from "@/server/tools/tool-context";
import { defineTool, type Tool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { toTextContent } from "@/test/chat-fixture";
import { collectGarbage } from "@/test/cpu-time";
import { testDatabase } from "@/test/database";
import { textStep, toolCallParts, finishPart } from "@/test/scripted-model";
import { addSecret } from "@/server/mask-secrets";
import { createTestHeldCalls, createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { endAbandonedCalls } from "@/server/chat/question-calls";
import { decideApprovals } from "@/server/chat/decide-approvals";
import { editMessage } from "@/server/chat/edit-message";
import { expireAction } from "@/server/chat/expire-action";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import { createRecentHistories } from "@/server/db/chats/recent-histories";
import { passDeadlines } from "@/test/park-chat";

beforeAll(() => testDatabase());

const COLOR = {
  message: "Which color?",
  requested_schema: {
    type: "object",
    properties: { color: { type: "string", enum: ["red", "blue"] } },
    required: ["color"],
  },
};
const NUMBERS = { type: "object", properties: { count: { type: "number" } } };
const RED: ElicitationAnswer = { action: "accept", content: { color: "red" } };

type Run = (context: ToolContext) => Promise<string>;

/** A tool of an MCP server, as far as the loop knows it. */
const asker = (run: Run, name = "paint"): Tool => ({
  ...defineTool({
    name,
    description: "Asks.",
    input: z.object({}),
    run: async (context) => toolResult(await run(context)),
  }),
  kind: "mcp",
});

const never = new AbortController().signal;
const ask = async ({ elicit }: ToolContext, message = COLOR.message): Promise<string> =>
  JSON.stringify(await elicit({ ...COLOR, message }, never));

const untilStopped: Run = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("stopped")));
  });

const getCall = (...names: string[]) => [
  ...names.flatMap((name) => toolCallParts(name, name, {})),
  finishPart("tool-calls"),
];

const setUp = (run: Run, changes: Partial<Parameters<typeof createTurnFixture>[0]> = {}) =>
  createTurnFixture({
    tools: [asker(run)],
    steps: [getCall("paint"), textStep("done")],
    ...changes,
  });

const calls = async ({ history }: TurnFixture): Promise<ToolCallPartRow[]> =>
  (await history()).flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));

const answer = (
  { ctx, chatId }: TurnFixture,
  output: ElicitationAnswer | object,
  changes: { toolCallId?: string; isError?: boolean; question?: number } = {},
) =>
  submitToolResults(ctx, {
    chatId,
    results: [{ toolCallId: "paint", output: output as never, isError: false, ...changes }],
  });

const sweep = ({ ctx: { db, newId } }: TurnFixture) =>
  endAbandonedCalls({ db, newId, owner: "another" });

describe("a call that asks", () => {
  it.each([RED, { action: "decline" } as const, { action: "cancel" } as const])(
    "parks its chat and goes on with %o",
    async (given) => {
      let runs = 0;
      const fixture = await setUp((context) => {
        runs += 1;
        return ask(context);
      });
      await fixture.run();
      expect(await fixture.chat()).toMatchObject({
        status: "requires_action",
        leaseOwner: null,
        sessionOwner: "test",
        actionDeadlineAt: expect.any(Date) as Date,
      });
      expect(await calls(fixture)).toMatchObject([
        { state: "awaiting_result", kind: "mcp", elicitations: [COLOR], completedAt: null },
      ]);
      await answer(fixture, given);
      expect(await fixture.chat()).toMatchObject({ status: "pending", sessionOwner: "test" });
      expect(await calls(fixture)).toMatchObject([
        {
          state: "running",
          output: undefined,
          completedAt: null,
          elicitations: [{ ...COLOR, answer: given, answered_by: fixture.ctx.actor.userId }],
        },
      ]);
      await fixture.run();
      expect(await calls(fixture)).toMatchObject([
        {
          state: "completed",
          output: JSON.stringify(given),
          isError: false,
          resolvedBy: "worker",
          elicitations: [{ ...COLOR, answer: given }],
        },
      ]);
      expect(await fixture.chat()).toMatchObject({ status: "waiting", sessionOwner: null });
      expect(runs).toBe(1);
      expect(fixture.model.requests).toHaveLength(2);
    },
  );

  it.each([
    [
      "a value of another kind",
      { action: "accept", content: { color: 7 } },
      "/output/content/color",
    ],
    ["a choice that there is not", { action: "accept", content: { color: "green" } }, "/color"],
    ["no value", { action: "accept", content: {} }, "/output/content"],
    ["no content", { action: "accept" }, "/output/content"],
    ["content with a refusal", { action: "decline", content: {} }, "/output/content"],
    ["another action", { action: "maybe" }, "/output"],
    ["a text", "red", "/output"],
    ["nested data", { action: "accept", content: { color: "red", more: { a: 1 } } }, "/more"],
  ])("takes no answer with %s", async (_name, output, pointer) => {
    const fixture = await setUp((context) => ask(context));
    await fixture.run();
    const before = await fixture.chat();
    const refused = await answer(fixture, output as object).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({ code: "invalid" });
    expect((refused as DomainError).errors?.[0]?.pointer).toContain(pointer);
    expect(await fixture.chat()).toEqual(before);
    await answer(fixture, RED);
    await expect(answer(fixture, RED)).rejects.toMatchObject({ code: "conflict" });
  });

  it("takes no error as an answer", async () => {
    const fixture = await setUp((context) => ask(context));
    await fixture.run();
    await expect(answer(fixture, RED, { isError: true })).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/results/0/is_error" }],
    });
    await interruptChat(fixture.ctx, fixture);
  });

  it("can ask again, and keeps both questions", async () => {
    const fixture = await setUp(
      async (context) => `${await ask(context)} then ${await ask(context, "And then?")}`,
    );
    await fixture.run();
    await answer(fixture, RED);
    await fixture.run();
    expect((await calls(fixture))[0]?.elicitations).toMatchObject([
      { message: "Which color?", answer: RED },
      { message: "And then?" },
    ]);
    await answer(fixture, { action: "decline" });
    await fixture.run();
    expect(await calls(fixture)).toMatchObject([
      { state: "completed", output: `${JSON.stringify(RED)} then {"action":"decline"}` },
    ]);
  });

  it("takes an answer that names its question for that question only", async () => {
    const fixture = await setUp(
      async (context) => `${await ask(context)} then ${await ask(context, "And then?")}`,
    );
    await fixture.run();
    await answer(fixture, RED, { question: 1 });
    await fixture.run();
    const before = await fixture.chat();
    const refused = await answer(fixture, RED, { question: 1 }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "conflict" });
    expect((refused as DomainError).message).toMatch(/^The server asks something else by now/);
    expect(await fixture.chat()).toEqual(before);
    await answer(fixture, RED, { question: 2 });
  });

  it("has an answer checked by the question that it is stored for", async () => {
    const withdrawal = new AbortController();
    const fixture = await setUp(async ({ elicit }) => {
      await elicit({ message: "How many?", requested_schema: NUMBERS }, withdrawal.signal).catch(
        () => undefined,
      );
      return JSON.stringify(await elicit(COLOR, never));
    });
    await fixture.run();
    const asked = { chat: await fixture.chat(), messages: await fixture.history() };
    withdrawal.abort();
    await expect.poll(async () => (await fixture.chat()).status).toBe("pending");
    await fixture.run();
    // The process that takes the answer still has the chat as it was at the first question.
    const changes = fixture.ctx.recent;
    const stop = changes.watch(fixture.chatId);
    changes.add(asked);
    const count = { action: "accept" as const, content: { count: 7 } };
    await expect(answer(fixture, count)).rejects.toMatchObject({ code: "invalid" });
    stop();
    expect((await calls(fixture))[0]?.state).toBe("awaiting_result");
    await interruptChat(fixture.ctx, fixture);
  });

  it("has its secrets masked in the question", async () => {
    const secret = "kX9wQ2vT7zB4mR8pL1nG5hJ6";
    addSecret(secret);
    const fixture = await setUp((context) => ask(context, `Is it ${secret}?`));
    await fixture.run();
    const [call] = await calls(fixture);
    expect(call?.elicitations?.[0]?.message).not.toContain(secret);
    await interruptChat(fixture.ctx, fixture);
  });
});

describe("a batch", () => {
  it("parks once for all its questions, when the other calls have ended", async () => {
    const other = Promise.withResolvers<string>();
    const fixture = await setUp((context) => ask(context), {
      tools: [
        asker((context) => ask(context)),
        asker((context) => ask(context, "Which size?"), "size"),
        asker(() => other.promise, "slow"),
      ],
      steps: [getCall("paint", "size", "slow"), textStep("done")],
    });
    const turn = fixture.run();
    await expect.poll(() => fixture.heldCalls.has({ ...fixture, toolCallId: "size" })).toBe(true);
    expect((await fixture.chat()).status).toBe("running");
    other.resolve("ended");
    await turn;
    expect(await calls(fixture)).toMatchObject([
      { state: "awaiting_result" },
      { state: "awaiting_result", elicitations: [{ message: "Which size?" }] },
      { state: "completed", output: "ended" },
    ]);
    const { ctx, chatId } = fixture;
    const results = ["size", "paint"].map((toolCallId) => ({
      toolCallId,
      isError: false,
      output: {
        action: "accept" as const,
        content: { color: toolCallId === "size" ? "blue" : "red" },
      },
    }));
    await expect(
      submitToolResults(ctx, { chatId, results: results.slice(0, 1) }),
    ).rejects.toMatchObject({ code: "invalid" });
    await submitToolResults(ctx, { chatId, results });
    await fixture.run();
    expect((await calls(fixture)).map(({ output }) => output)).toEqual([
      '{"action":"accept","content":{"color":"red"}}',
      '{"action":"accept","content":{"color":"blue"}}',
      "ended",
    ]);
  });

  it("may have a dynamic call and an approval beside the question", async () => {
    const careful = defineTool({
      name: "careful",
      description: "Needs a yes.",
      input: z.object({}),
      needsApproval: true,
      run: () => Promise.resolve(toolResult("ran")),
    });
    const fixture = await setUp((context) => ask(context), {
      tools: [asker((context) => ask(context)), careful],
      dynamicTools: [{ name: "client" }],
      steps: [getCall("paint", "client", "careful"), textStep("done")],
    });
    await fixture.run();
    const { ctx, chatId } = fixture;
    await submitToolResults(ctx, {
      chatId,
      results: [
        { toolCallId: "client", output: "from outside", isError: false },
        { toolCallId: "paint", output: RED, isError: false },
      ],
    });
    expect((await fixture.chat()).status).toBe("requires_action");
    await decideApprovals(ctx, {
      chatId,
      decisions: [{ toolCallId: "careful", decision: "approve" }],
    });
    await fixture.run();
    expect((await calls(fixture)).map(({ state, output }) => [state, output])).toEqual([
      ["completed", JSON.stringify(RED)],
      ["completed", "from outside"],
      ["completed", "ran"],
    ]);
  });
});

describe("a question that nobody answers", () => {
  const cancelled = async (context: ToolContext, end: () => void): Promise<string> => {
    context.signal.addEventListener("abort", end);
    return ask(context);
  };

  it.each([
    [
      "interrupted",
      "cancelled",
      async ({ ctx, chatId }: TurnFixture) => void (await interruptChat(ctx, { chatId })),
    ],
    [
      "expired",
      "timed_out",
      async ({ ctx, chatId }: TurnFixture) => {
        await passDeadlines(ctx.db, chatId);
        await expireAction(ctx.db, chatId, ctx.newId);
      },
    ],
    [
      "edited away",
      undefined,
      async (fixture: TurnFixture) => {
        const [question] = await fixture.history();
        await editMessage(fixture.ctx, {
          chatId: fixture.chatId,
          messageId: question?.id ?? "",
          content: toTextContent("again"),
        });
      },
    ],
  ])("is cancelled at its server when the chat is %s", async (_name, state, act) => {
    const ended = Promise.withResolvers<undefined>();
    const fixture = await setUp((context) => cancelled(context, () => ended.resolve(undefined)));
    await fixture.run();
    await act(fixture);
    expect((await calls(fixture))[0]?.state).toBe(state);
    await fixture.heldCalls.check([fixture.chatId]);
    await ended.promise;
    expect(fixture.heldCalls.hasChat(fixture.chatId)).toBe(false);
    await expect.poll(async () => (await fixture.chat()).sessionOwner).toBeNull();
  });

  it("is closed when its process is gone, and not asked again", async () => {
    let runs = 0;
    const fixture = await setUp((context) => {
      runs += 1;
      return ask(context);
    });
    await fixture.run();
    const { ctx, chatId } = fixture;
    await sweep(fixture);
    // Its holder has no heartbeat, as it is none of a real process.
    expect(await calls(fixture)).toMatchObject([
      {
        state: "error",
        isError: true,
        elicitations: [COLOR],
        output: expect.stringContaining("Unknown: the server stopped") as string,
      },
    ]);
    expect((await fixture.chat()).status).toBe("pending");
    await expect(answer(fixture, RED)).rejects.toMatchObject({ code: "conflict" });
    await fixture.run({ heldCalls: createTestHeldCalls(ctx.db, "another") });
    expect(await fixture.chat()).toMatchObject({ id: chatId, status: "waiting" });
    expect(runs).toBe(1);
  });

  it("is closed also when closing another one fails, and when there are many", async () => {
    const fixtures = [];
    for (let count = 0; count < 4; count += 1) {
      const fixture = await setUp((context) => ask(context));
      await fixture.run();
      fixtures.push(fixture);
    }
    const [first] = fixtures;
    if (!first) throw new Error("no chat");
    const { db, newId } = first.ctx;
    // The first of them in the order of the deadlines.
    await passDeadlines(db, first.chatId);
    let isFirst = true;
    const transaction: typeof db.transaction = (body) => {
      if (!isFirst) return db.transaction(body);
      isFirst = false;
      return Promise.reject(new Error("a chat that cannot be changed"));
    };
    const deps = { db: { ...db, transaction }, newId, owner: "another" };
    await expect(endAbandonedCalls({ ...deps, batch: 2 })).rejects.toThrow("cannot be changed");
    const statuses = await Promise.all(fixtures.map(async ({ chat }) => (await chat()).status));
    expect(statuses).toEqual(["requires_action", "pending", "pending", "pending"]);
    await endAbandonedCalls(deps);
    expect((await first.chat()).status).toBe("pending");
  });

  it("stays open while its process lives", async () => {
    const fixture = await setUp((context) => ask(context));
    const { ctx } = fixture;
    await fixture.run();
    await ctx.db.prisma.worker.create({ data: { owner: "test" } });
    await sweep(fixture);
    expect((await fixture.chat()).status).toBe("requires_action");
    await ctx.db.prisma.worker.deleteMany({ where: { owner: "test" } });
    await interruptChat(ctx, fixture);
  });

  it("leaves the other calls open when its process is gone", async () => {
    const fixture = await setUp((context) => ask(context), {
      dynamicTools: [{ name: "client" }],
      steps: [getCall("paint", "client"), textStep("done")],
    });
    await fixture.run();
    await sweep(fixture);
    expect((await calls(fixture)).map(({ state }) => state)).toEqual(["error", "awaiting_result"]);
    expect((await fixture.chat()).status).toBe("requires_action");
    await answer(fixture, { free: "form" }, { toolCallId: "client" });
    await fixture.run();
    expect((await fixture.chat()).status).toBe("waiting");
  });

  it("ends its call when the answer comes to another process after the holder has gone", async () => {
    const fixture = await setUp((context) => ask(context));
    await fixture.run();
    await answer(fixture, RED);
    await fixture.run({ heldCalls: createTestHeldCalls(fixture.ctx.db, "another") });
    expect(await calls(fixture)).toMatchObject([
      { state: "error", output: expect.stringContaining("Unknown: the server stopped") as string },
    ]);
    await fixture.heldCalls.check([fixture.chatId]);
    expect(fixture.heldCalls.hasChat(fixture.chatId)).toBe(false);
  });

  it("is closed with the real result when its server does not wait", async () => {
    const withdrawal = new AbortController();
    const fixture = await setUp(async ({ elicit }) => {
      await elicit(COLOR, withdrawal.signal).catch(() => undefined);
      return "went on without an answer";
    });
    await fixture.run();
    withdrawal.abort();
    await expect.poll(async () => (await fixture.chat()).status).toBe("pending");
    await fixture.run();
    expect(await calls(fixture)).toMatchObject([
      { state: "completed", output: "went on without an answer", elicitations: [COLOR] },
    ]);
  });

  it.each([
    [
      "taken back by its server",
      async (fixture: TurnFixture, withdrawal: AbortController) => {
        withdrawal.abort();
        await expect.poll(async () => (await calls(fixture))[0]?.state).toBe("running");
      },
    ],
    ["closed, as its process is gone", sweep],
  ])(
    "is a conflict for who answers it while other calls are open, when %s",
    async (_why, close) => {
      const withdrawal = new AbortController();
      const fixture = await setUp(
        async ({ elicit }) => {
          await elicit(COLOR, withdrawal.signal).catch(() => undefined);
          return "went on without an answer";
        },
        {
          dynamicTools: [{ name: "client" }],
          steps: [getCall("paint", "client"), textStep("done")],
        },
      );
      await fixture.run();
      await close(fixture, withdrawal);
      const before = await fixture.chat();
      expect(before.status).toBe("requires_action");
      const refused = await answer(fixture, RED, { question: 1 }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "conflict" });
      expect((refused as DomainError).message).toMatch(/^The question is not open any more/);
      expect(await fixture.chat()).toEqual(before);
      await interruptChat(fixture.ctx, fixture);
    },
  );

  it("keeps the result of its call when a turn is released before it takes it", async () => {
    const withdrawal = new AbortController();
    const fixture = await setUp(async ({ elicit }) => {
      await elicit(COLOR, withdrawal.signal).catch(() => undefined);
      return "went on without an answer";
    });
    await fixture.run();
    withdrawal.abort();
    await expect.poll(async () => (await fixture.chat()).status).toBe("pending");
    await fixture.run({ stopping: AbortSignal.abort() });
    expect((await fixture.chat()).status).toBe("pending");
    await fixture.run();
    expect(await calls(fixture)).toMatchObject([
      { state: "completed", output: "went on without an answer" },
    ]);
  });

  it("is not taken for one of a later call with the same id", async () => {
    let runs = 0;
    const fixture = await setUp(
      (context) => {
        runs += 1;
        return ask(context, `Question ${runs}`);
      },
      { steps: [getCall("paint"), getCall("paint"), textStep("done")] },
    );
    await fixture.run();
    const [message] = await fixture.history();
    await editMessage(fixture.ctx, {
      chatId: fixture.chatId,
      messageId: message?.id ?? "",
      content: toTextContent("again"),
    });
    await fixture.run();
    expect(await calls(fixture)).toMatchObject([
      { toolCallId: "paint", state: "awaiting_result", elicitations: [{ message: "Question 2" }] },
    ]);
    await answer(fixture, RED);
    await fixture.run();
    expect(await calls(fixture)).toMatchObject([{ state: "completed" }]);
  });

  it("is refused when the process keeps too many calls", async () => {
    const fixture = await setUp((context) =>
      ask(context).catch((error: unknown) => (error as Error).message),
    );
    await fixture.run({ heldCalls: createTestHeldCalls(fixture.ctx.db, "test", 0) });
    expect(await calls(fixture)).toMatchObject([
      { state: "completed", output: expect.stringMatching(/^Too many questions/) as string },
    ]);
  });

  it("does not keep the history of its turn in memory", async () => {
    const fixture = await setUp((context) => ask(context));
    const histories = createRecentHistories(fixture.ctx.db);
    let message: WeakRef<object> | undefined;
    const read: typeof histories.read = async (chat) => {
      const history = structuredClone(await histories.read(chat));
      message = history[0] && new WeakRef(history[0]);
      return history;
    };
    await fixture.run({ histories: { read, add: () => undefined } });
    expect(fixture.heldCalls.hasChat(fixture.chatId)).toBe(true);
    collectGarbage();
    expect(message?.deref()).toBeUndefined();
    await interruptChat(fixture.ctx, fixture);
  });

  it("is not shown when the turn is stopped while another call runs", async () => {
    const fixture = await setUp((context) => ask(context), {
      tools: [asker((context) => ask(context)), asker(untilStopped, "slow")],
      steps: [getCall("paint", "slow")],
    });
    const turn = fixture.run();
    await expect.poll(() => fixture.heldCalls.has({ ...fixture, toolCallId: "paint" })).toBe(true);
    await interruptChat(fixture.ctx, fixture);
    fixture.stop("interrupted");
    await turn;
    expect((await calls(fixture)).map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
    expect((await fixture.chat()).status).toBe("waiting");
    expect(fixture.heldCalls.hasChat(fixture.chatId)).toBe(false);
  });
});
