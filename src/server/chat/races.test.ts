import { setImmediate as nextTick } from "node:timers/promises";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { DomainError } from "@/contract/domain-error";
import { MAX_QUEUED_MESSAGES } from "@/contract/limits";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import type { ChatRow, PartRow } from "@/server/db/chats/rows";
import { claimChats } from "@/server/db/sql/machine/claim";
import { toFence } from "@/server/db/sql/machine/fence";
import { finishInterruption, finishTurn } from "@/server/turn/end-turn";
import type { AfterCommit } from "@/server/db/sql/machine/after-commit";
import { commitStep, type NewStep } from "@/server/db/sql/machine/turn-commits";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { textStep, toolCallParts, finishPart, textParts } from "@/test/scripted-model";
import { createTurnFixture } from "@/test/turn-fixture";
import { commitAnswer, claimChat, openCall, passDeadlines } from "@/test/park-chat";
import { findPromptProblems } from "@/test/prompt-problems";
import { createChat } from "./create-chat";
import { getLocalCalls } from "@/server/turn/decide-next";
import { deleteQueued, promoteQueued } from "./change-queue";
import { editMessage } from "./edit-message";
import { expireAction } from "./expire-action";
import { interruptChat } from "./interrupt-chat";
import { buildPrompt } from "@/server/turn/prompt/build-prompt";
import { sendMessage } from "./send-message";
import { submitToolResults } from "./submit-tool-results";

/** Each race is run so often, each time in another order. */
const ROUNDS = 30;
/** Of the races with many contenders. */
const CROWDED_ROUNDS = 10;

let db: Database;
let ctx: ServerContext;

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

/** How one contender fared: what it was given, or the refusal. */
type Ending<Value> = { value: Value } | { refused: DomainError };
type Start = { place: number; ticks: number };

const won = <Value>(endings: Ending<Value>[]): Value[] =>
  endings.flatMap((ending) => ("value" in ending ? [ending.value] : []));
const refusals = (endings: Ending<unknown>[]): string[] =>
  endings.flatMap((ending) => ("refused" in ending ? [ending.refused.code] : []));

/**
 * Runs the race again and again with its contenders in every order and a little apart. A failure
 * names the seed that repeats it.
 */
const races = async (
  contenders: number,
  round: (
    start: <Value>(actions: (() => Promise<Value>)[]) => Promise<Ending<Value>[]>,
  ) => Promise<void>,
): Promise<void> => {
  const order = fc.array(fc.record({ place: fc.nat(), ticks: fc.nat(6) }), {
    minLength: contenders,
    maxLength: contenders,
  });
  await fc.assert(
    fc.asyncProperty(order, (starts) => round((actions) => startAll(actions, starts))),
    { numRuns: contenders < 10 ? ROUNDS : CROWDED_ROUNDS, endOnFailure: true },
  );
};

const startAll = async <Value>(
  actions: (() => Promise<Value>)[],
  starts: Start[],
): Promise<Ending<Value>[]> => {
  expect(starts).toHaveLength(actions.length);
  const running = new Map<number, Promise<Ending<Value>>>();
  const inOrder = [...starts.entries()].sort(([, a], [, b]) => a.place - b.place);
  for (const [index, { ticks }] of inOrder) running.set(index, enter(actions[index], ticks));
  const endings = new Map<number, Ending<Value>>();
  for (const [index, ending] of running) endings.set(index, await ending);
  return actions.flatMap((_, index) => endings.get(index) ?? []);
};

const enter = async <Value>(
  action: (() => Promise<Value>) | undefined,
  ticks: number,
): Promise<Ending<Value>> => {
  if (!action) throw new Error("there are more starts than contenders");
  for (let tick = 0; tick < ticks; tick++) await nextTick();
  try {
    return { value: await action() };
  } catch (error) {
    if (error instanceof DomainError) return { refused: error };
    throw error;
  }
};

const createStep = (parts: PartRow[]): NewStep => ({
  messageId: ctx.newId(),
  usageId: ctx.newId(),
  model: "demo/demo",
  parts,
  usage: { input_tokens: 1, output_tokens: 1 },
  costMicros: 0,
  finishReason: "stop",
  responseId: null,
});

/** Ends a step as the loop does: what is still held after a finish lets the queue's head in. */
const commitTestStep = async (
  held: ChatRow,
  parts: PartRow[],
  after: AfterCommit = { type: "finish" },
): Promise<boolean> => {
  const committed = await commitStep(db, toFence(held), { step: createStep(parts), after });
  if (committed?.chat.status === "running" && after.type === "finish") {
    await finishTurn(ctx, committed.chat);
  }
  return committed !== undefined;
};

const text = (words: string): PartRow => ({ type: "text", text: words });

const startChat = async (): Promise<string> =>
  (await createChat(ctx, { content: toTextContent("start") })).id;

/** A chat that waits for the result of one dynamic call. */
const parkedChat = async (): Promise<{ chatId: string; callId: string }> => {
  const { id: chatId } = await createChat(ctx, {
    content: toTextContent("start"),
    dynamicTools: [{ name: "ask" }],
  });
  const callId = `call_${ctx.newId()}`;
  await commitAnswer(db, chatId, { parts: [openCall(callId, "ask")], after: "park" });
  return { chatId, callId };
};

const answer = (chatId: string, callId: string, output: number) => () =>
  submitToolResults(ctx, {
    chatId,
    results: [{ toolCallId: callId, output, isError: false }],
  });

const send = (chatId: string, words: string, busyBehavior: "queue" | "interrupt" = "queue") =>
  sendMessage(ctx, { chatId, content: toTextContent(words), busyBehavior });

const texts = async (chatId: string): Promise<string[]> =>
  (await readWholeHistory(db, chatId)).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" ? part.text : [])),
  );

const queuedTexts = async (chatId: string): Promise<string[]> => {
  const rows = await db.prisma.queuedMessage.findMany({
    where: { chatId },
    orderBy: { position: "asc" },
  });
  return rows.map(({ content }) => (content as { text: string }[])[0]?.text ?? "");
};

const createCall = async (chatId: string, callId: string) =>
  (await readWholeHistory(db, chatId))
    .flatMap(getLocalCalls)
    .filter(({ toolCallId }) => toolCallId === callId);

/** Serves the chat until nothing is left to do, as workers would. */
const serve = async (chatId: string): Promise<void> => {
  for (let turn = 1; (await readChat(db, chatId)).status !== "waiting"; turn++) {
    const held = await claimChat(db, chatId);
    if (held.status === "interrupting") await finishInterruption(ctx, held, {});
    else await commitTestStep(held, [text(`answer ${turn}`)]);
  }
};

const expectLegalHistory = async (chatId: string): Promise<void> => {
  const history = await readWholeHistory(db, chatId);
  const seqs = history.map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
  const prompt = buildPrompt({ system: [], history, model: "demo/demo" });
  // A chat that rests ends with an answer; all else must be as a provider wants it.
  const problems = findPromptProblems(prompt).filter(
    (one) => one !== "an assistant message is last",
  );
  expect(problems).toEqual([]);
};

describe("an interrupting message and the commit of the step that opens a call", () => {
  it("never cancel a call that the message does not name", async () => {
    await races(2, async (start) => {
      const { id: chatId } = await createChat(ctx, {
        content: toTextContent("start"),
        dynamicTools: [{ name: "ask" }],
      });
      const held = await claimChat(db, chatId);
      const callId = `call_${ctx.newId()}`;
      const park: AfterCommit = {
        type: "park",
        timeouts: [{ toolCallId: callId, timeoutSeconds: 3_600 }],
      };
      const endings = await start<unknown>([
        () =>
          sendMessage(ctx, {
            chatId,
            content: toTextContent("now"),
            cancelCalls: [],
            busyBehavior: "interrupt",
          }),
        () => commitTestStep(held, [openCall(callId, "ask")], park),
      ]);
      const calls = await createCall(chatId, callId);
      const { status } = await readChat(db, chatId);
      if (refusals(endings).length > 0) {
        expect(refusals(endings)).toEqual(["conflict"]);
        expect(status).toBe("requires_action");
        expect(calls).toMatchObject([{ state: "awaiting_result" }]);
        expect(await queuedTexts(chatId)).toEqual([]);
      } else {
        expect(status).toBe("interrupting");
        expect(calls).toEqual([]);
        expect(await queuedTexts(chatId)).toEqual(["now"]);
      }
    });
  });
});

describe("100 simultaneous results for one action", () => {
  it("give one success, 99 conflicts and one outcome", async () => {
    await races(100, async (start) => {
      const { chatId, callId } = await parkedChat();
      const before = await readChat(db, chatId);
      const outputs = Array.from({ length: 100 }, (_, index) => index);
      const endings = await start(
        outputs.map((output) => async () => {
          await answer(chatId, callId, output)();
          return output;
        }),
      );
      const [winner, ...others] = won(endings);
      expect(others).toEqual([]);
      expect(refusals(endings)).toEqual(Array.from({ length: 99 }, () => "conflict"));
      expect(await createCall(chatId, callId)).toMatchObject([
        { state: "completed", output: winner },
      ]);
      expect(await readChat(db, chatId)).toMatchObject({
        status: "pending",
        version: before.version + 1,
      });
      await expectLegalHistory(chatId);
    });
  });
});

describe("a parked chat that is answered, stopped, written to and expired at once", () => {
  it("has one outcome for its call, the winner's", async () => {
    await races(4, async (start) => {
      const { chatId, callId } = await parkedChat();
      await passDeadlines(db, chatId);
      const [answered] = await start<unknown>([
        answer(chatId, callId, 7),
        () => interruptChat(ctx, { chatId }),
        () => send(chatId, "rather this", "interrupt"),
        () => expireAction(db, chatId, ctx.newId),
      ]);
      const [call, ...others] = await createCall(chatId, callId);
      expect(others).toEqual([]);
      if (answered && "value" in answered) {
        expect(call).toMatchObject({ state: "completed", output: 7, isError: false });
      } else {
        expect(call?.state).toMatch(/^(cancelled|timed_out)$/);
        expect(call).toMatchObject({ isError: true, output: expect.any(String) as string });
      }
      expect(await readChat(db, chatId)).toMatchObject({ actionDeadlineAt: null });
      await serve(chatId);
      // A stop that came last has paused the queue with the message in it.
      const sent = [...(await texts(chatId)), ...(await queuedTexts(chatId))];
      expect(sent.filter((words) => words === "rather this")).toHaveLength(1);
      await expectLegalHistory(chatId);
    });
  });
});

describe("an interrupt against a commit", () => {
  it("of the last step: one of the two happens", async () => {
    await races(2, async (start) => {
      const chatId = await startChat();
      const held = await claimChat(db, chatId);
      const [stopped, committed] = await start<unknown>([
        () => interruptChat(ctx, { chatId }),
        () => commitTestStep(held, [text("whole")]),
      ]);
      if (stopped && "refused" in stopped) {
        expect(stopped.refused.code).toBe("conflict");
        expect(committed).toEqual({ value: true });
        expect(await texts(chatId)).toEqual(["start", "whole"]);
      } else {
        expect(committed).toEqual({ value: false });
        expect(await readChat(db, chatId)).toMatchObject({ status: "interrupting" });
        const partial = { model: "demo/demo", parts: [text("half")] };
        await finishInterruption(ctx, held, { partial });
        expect(await texts(chatId)).toEqual(["start", "half"]);
      }
      expect(await readChat(db, chatId)).toMatchObject({ status: "waiting", leaseToken: null });
    });
  });

  it("of a step that parks: no call of a stopped turn stays open", async () => {
    await races(2, async (start) => {
      const chatId = await startChat();
      const held = await claimChat(db, chatId);
      const callId = `call_${ctx.newId()}`;
      const timeouts = [{ toolCallId: callId, timeoutSeconds: 60 }];
      const parked = { type: "park", timeouts } as const;
      const [stopped, committed] = await start<unknown>([
        () => interruptChat(ctx, { chatId }),
        () => commitTestStep(held, [openCall(callId, "ask")], parked),
      ]);
      expect(stopped).toHaveProperty("value");
      if (committed && "value" in committed && committed.value) {
        expect(await createCall(chatId, callId)).toMatchObject([{ state: "cancelled" }]);
      } else {
        await finishInterruption(ctx, held, {});
        expect(await createCall(chatId, callId)).toEqual([]);
      }
      expect(await readChat(db, chatId)).toMatchObject({
        status: "waiting",
        actionDeadlineAt: null,
      });
      await expectLegalHistory(chatId);
    });
  });
});

/** Starts a turn whose model answers when `letAnswer` is called. */
const answeringTurn = async (answer: Parameters<typeof finishPart>[0]) => {
  const held = Promise.withResolvers<undefined>();
  const calls = answer === "tool-calls" ? toolCallParts("a", "current_time", {}) : [];
  const turn = await createTurnFixture({
    ctx,
    steps: [[held.promise, ...textParts("whole"), ...calls, finishPart(answer)], textStep("more")],
  });
  const running = turn.run();
  await turn.model.waitForCalls(1);
  const letAnswer = async (): Promise<void> => {
    held.resolve(undefined);
    await running;
  };
  return { chatId: turn.chatId, letAnswer };
};

/** The worker notices the stop only after the step is generated. */
describe("a stop that comes as a step ends", () => {
  it("is finished by the worker that has the turn, and the answer is kept", async () => {
    await races(2, async (start) => {
      const { chatId, letAnswer } = await answeringTurn("stop");
      await start<unknown>([letAnswer, () => interruptChat(ctx, { chatId })]);
      expect(await readChat(db, chatId)).toMatchObject({ status: "waiting", leaseToken: null });
      expect(await texts(chatId)).toEqual(["hello", "whole"]);
    });
  });

  it("with tool calls gives each its one outcome", async () => {
    await races(2, async (start) => {
      const { chatId, letAnswer } = await answeringTurn("tool-calls");
      await start<unknown>([letAnswer, () => interruptChat(ctx, { chatId })]);
      expect(await readChat(db, chatId)).toMatchObject({ status: "waiting", leaseToken: null });
      expect((await texts(chatId)).slice(0, 2)).toEqual(["hello", "whole"]);
      const [call] = await createCall(chatId, "a");
      expect(call?.state).toMatch(/^(completed|cancelled)$/);
      await expectLegalHistory(chatId);
    });
  });

  it("for a queued message starts its turn at once", async () => {
    await races(2, async (start) => {
      const { chatId, letAnswer } = await answeringTurn("stop");
      const sent = await send(chatId, "queued");
      const queuedId = sent.queued ? sent.queuedMessage.id : "";
      await start<unknown>([letAnswer, () => promoteQueued(ctx, { chatId, queuedId })]);
      expect(await readChat(db, chatId)).toMatchObject({ status: "pending", leaseToken: null });
      expect(await texts(chatId)).toEqual(["hello", "whole", "queued"]);
    });
  });
});

describe("an edit against a commit", () => {
  it("keeps the edited message, in either order", async () => {
    await races(2, async (start) => {
      const chatId = await startChat();
      const [first] = await readWholeHistory(db, chatId);
      const held = await claimChat(db, chatId);
      const [edited] = await start<unknown>([
        () =>
          editMessage(ctx, {
            chatId,
            messageId: first?.id ?? "",
            content: toTextContent("edited"),
          }),
        () => commitTestStep(held, [text("stale")]),
      ]);
      expect(edited).toHaveProperty("value");
      expect(await texts(chatId)).toEqual(["edited"]);
      expect(await readChat(db, chatId)).toMatchObject({ status: "pending", leaseToken: null });
      await serve(chatId);
      expect(await texts(chatId)).toEqual(["edited", "answer 1"]);
    });
  });

  it("clears the queue or meets the turn that took its head", async () => {
    await races(2, async (start) => {
      const chatId = await startChat();
      const [first] = await readWholeHistory(db, chatId);
      const held = await claimChat(db, chatId);
      await send(chatId, "queued");
      await start<unknown>([
        () =>
          editMessage(ctx, {
            chatId,
            messageId: first?.id ?? "",
            content: toTextContent("edited"),
          }),
        () => commitTestStep(held, [text("stale")]),
      ]);
      expect(await texts(chatId)).toEqual(["edited"]);
      expect(await queuedTexts(chatId)).toEqual([]);
      expect(await readChat(db, chatId)).toMatchObject({ status: "pending", queuedCount: 0 });
    });
  });
});

describe("workers on one chat", () => {
  it("claim it once, however many try", async () => {
    await races(8, async (start) => {
      const chatId = await startChat();
      const claims = await start(
        Array.from({ length: 8 }, (_, index) => async () => {
          const claimed = await claimChats(db, { owner: `worker-${index}`, limit: 1_000 });
          return claimed.filter(({ id }) => id === chatId).map(({ leaseToken }) => leaseToken);
        }),
      );
      const tokens = won(claims).flat();
      expect(tokens).toHaveLength(1);
      expect(await readChat(db, chatId)).toMatchObject({
        status: "running",
        leaseToken: tokens[0],
        attempt: 1,
      });
    });
  });

  it("never both append: the successor's claim shuts the first one out", async () => {
    await races(2, async (start) => {
      const chatId = await startChat();
      const first = await claimChat(db, chatId);
      await db.prisma.chat.update({
        where: { id: chatId },
        data: { leaseExpiresAt: new Date(0) },
      });
      const endings = await start([
        () => commitTestStep(first, [text("first")]),
        async () => {
          const claimed = await claimChats(db, { owner: "successor", limit: 1_000 });
          const chat = claimed.find(({ id }) => id === chatId);
          return chat ? commitTestStep(chat, [text("second")]) : false;
        },
      ]);
      const winners = won(endings).map((committed, index) =>
        committed ? ["first", "second"][index] : undefined,
      );
      expect(winners.filter(Boolean)).toHaveLength(1);
      expect(await texts(chatId)).toEqual(["start", ...winners.filter(Boolean)]);
      expect(await readChat(db, chatId)).toMatchObject({ status: "waiting", leaseToken: null });
    });
  });

  it("with steps that go on: each committed step is there once, in its own place", async () => {
    await races(3, async (start) => {
      const chatId = await startChat();
      const held = await claimChat(db, chatId);
      const continues = { type: "continue" } as const;
      const endings = await start(
        ["a", "b", "c"].map((words) => () => commitTestStep(held, [text(words)], continues)),
      );
      expect(won(endings).filter(Boolean)).toHaveLength(1);
      expect(await texts(chatId)).toHaveLength(2);
      expect(await readChat(db, chatId)).toMatchObject({ status: "running", turnSteps: 1 });
    });
  });
});

describe("messages sent while a turn ends", () => {
  const senders = MAX_QUEUED_MESSAGES + 4;

  it("are each there once, and none waits in a chat that rests", async () => {
    await races(senders + 1, async (start) => {
      const chatId = await startChat();
      const held = await claimChat(db, chatId);
      const words = Array.from({ length: senders }, (_, index) => `message ${index}`);
      const [finished, ...sent] = await start<boolean | string>([
        () => commitTestStep(held, [text("answer")]),
        ...words.map((message) => async () => {
          await send(chatId, message);
          return message;
        }),
      ]);
      expect(finished).toEqual({ value: true });
      const taken = won(sent);
      expect(refusals(sent).filter((code) => code !== "limit_exceeded")).toEqual([]);
      expect(taken.length).toBeGreaterThanOrEqual(MAX_QUEUED_MESSAGES);
      const chat = await readChat(db, chatId);
      expect(chat.status).toBe("pending");
      expect(chat.queuedCount).toBe((await queuedTexts(chatId)).length);
      const order = [...(await texts(chatId)).slice(2), ...(await queuedTexts(chatId))];
      expect(order.toSorted()).toEqual(taken.toSorted());
      await serve(chatId);
      const asked = (await texts(chatId)).filter((one) => one.startsWith("message"));
      expect(asked).toEqual(order);
      await expectLegalHistory(chatId);
    });
  });

  it("can be taken back or sent now, but not both", async () => {
    await races(3, async (start) => {
      const chatId = await startChat();
      const held = await claimChat(db, chatId);
      const sent = await send(chatId, "queued");
      const queuedId = sent.queued ? sent.queuedMessage.id : "";
      const [deleted] = await start<unknown>([
        () => deleteQueued(ctx, { chatId, queuedId }),
        () => promoteQueued(ctx, { chatId, queuedId }),
        () => commitTestStep(held, [text("answer")]),
      ]);
      await finishInterruption(ctx, held, {});
      await serve(chatId);
      const gone = deleted && "value" in deleted;
      expect((await texts(chatId)).filter((words) => words === "queued")).toHaveLength(
        gone ? 0 : 1,
      );
    });
  });
});
