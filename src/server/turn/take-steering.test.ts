import { describe, expect, it } from "vitest";
import { deleteQueued, promoteQueued } from "@/server/chat/change-queue";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { regenerate } from "@/server/chat/regenerate";
import { sendMessage } from "@/server/chat/send-message";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import { toTextContent } from "@/test/chat-fixture";
import { finishPart, textParts, textStep, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";

const steer = (turn: TurnFixture, text: string) =>
  sendMessage(turn.ctx, {
    chatId: turn.chatId,
    content: toTextContent(text),
    busyBehavior: "steer",
  });
const queue = (turn: TurnFixture, text: string) =>
  sendMessage(turn.ctx, {
    chatId: turn.chatId,
    content: toTextContent(text),
    busyBehavior: "queue",
  });
const listTexts = async (turn: TurnFixture) =>
  (await turn.history()).map(({ role, parts: [part] }) =>
    part?.type === "text" ? `${role}: ${part.text}` : `${role}: ${part?.type ?? ""}`,
  );

/** A turn of two steps whose first one waits for `held`. */
const startTurn = async () => {
  const held = Promise.withResolvers<undefined>();
  const turn = await createTurnFixture({
    steps: [
      [held.promise, ...toolCallParts("a", "current_time", {}), finishPart("tool-calls")],
      textStep("done"),
      textStep("next"),
    ],
  });
  const running = turn.run();
  await turn.model.waitForCalls(1);
  return {
    turn,
    end: async () => {
      held.resolve(undefined);
      await running;
    },
  };
};

describe("a message that steers", () => {
  it("enters the turn before its next model call, in front of the queue, in order", async () => {
    const { turn, end } = await startTurn();
    await queue(turn, "later");
    expect(await steer(turn, "first")).toMatchObject({
      queued: true,
      queuedMessage: { steers: true },
    });
    await steer(turn, "second");
    const { turnId } = await turn.chat();
    await end();
    expect(await listTexts(turn)).toEqual([
      "user: hello",
      "assistant: tool_call",
      "user: first",
      "user: second",
      "assistant: done",
      "user: later",
    ]);
    const history = await turn.history();
    expect(history.slice(0, 5).every((message) => message.turnId === turnId)).toBe(true);
    expect(JSON.stringify(turn.model.requests[1]?.prompt)).toMatch(/first.*second/);
    expect(await turn.chat()).toMatchObject({ status: "pending", queuedCount: 0 });
  });

  it("begins the next turn when the turn makes no other call", async () => {
    const held = Promise.withResolvers<undefined>();
    const turn = await createTurnFixture({
      steps: [[held.promise, ...textParts("done"), finishPart()], textStep("next")],
    });
    const running = turn.run();
    await turn.model.waitForCalls(1);
    await queue(turn, "later");
    await steer(turn, "too late");
    held.resolve(undefined);
    await running;
    expect((await listTexts(turn)).slice(1)).toEqual(["assistant: done", "user: too late"]);
    expect(await turn.chat()).toMatchObject({ status: "pending", queuedCount: 1 });
  });

  it("enters with the results that the chat waits for", async () => {
    const turn = await createTurnFixture({
      dynamicTools: [{ name: "ask" }],
      steps: [[...toolCallParts("a", "ask", {}), finishPart("tool-calls")], textStep("done")],
    });
    await turn.run();
    await steer(turn, "and be brief");
    expect(await turn.chat()).toMatchObject({ status: "requires_action", queuedCount: 1 });
    const results = [{ toolCallId: "a", isError: false, output: "yes" }];
    await submitToolResults(turn.ctx, { chatId: turn.chatId, results });
    await turn.run();
    expect(await listTexts(turn)).toEqual([
      "user: hello",
      "assistant: tool_call",
      "user: and be brief",
      "assistant: done",
    ]);
  });

  it("is sent at once without a turn", async () => {
    const turn = await createTurnFixture({ steps: [textStep("done"), textStep("next")] });
    await turn.run();
    expect(await steer(turn, "go on")).toMatchObject({ queued: false });
    expect(await turn.chat()).toMatchObject({ status: "pending", queuedCount: 0 });
  });

  it("comes first when the turn is stopped", async () => {
    const { turn, end } = await startTurn();
    await queue(turn, "later");
    await steer(turn, "first");
    await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent("stop for this"),
      busyBehavior: "interrupt",
    });
    turn.stop("interrupted");
    await end();
    expect((await listTexts(turn)).at(-1)).toBe("user: first");
  });

  it("is written again with the answer that it has steered", async () => {
    const { turn, end } = await startTurn();
    await steer(turn, "first");
    await end();
    await regenerate(turn.ctx, { chatId: turn.chatId });
    await turn.run();
    expect(await listTexts(turn)).toEqual(["user: hello", "user: first", "assistant: next"]);
  });

  it("is one of the queue that is told to, and can be taken back until then", async () => {
    const { turn, end } = await startTurn();
    const { chatId, ctx } = turn;
    const listIds = async () =>
      (await ctx.db.prisma.queuedMessage.findMany({ where: { chatId } })).map(({ id }) => id);
    await queue(turn, "later");
    await queue(turn, "now");
    await queue(turn, "never");
    const [, now = "", never = ""] = await listIds();
    await promoteQueued(ctx, { chatId, queuedId: now, behavior: "steer" });
    await promoteQueued(ctx, { chatId, queuedId: never, behavior: "steer" });
    await deleteQueued(ctx, { chatId, queuedId: never });
    expect(await turn.chat()).toMatchObject({ status: "running", queuedCount: 2 });
    await end();
    expect((await listTexts(turn)).slice(2)).toEqual([
      "user: now",
      "assistant: done",
      "user: later",
    ]);
  });

  it("cannot be told to while the queue is paused", async () => {
    const { turn, end } = await startTurn();
    const { chatId, ctx } = turn;
    await queue(turn, "later");
    await interruptChat(ctx, { chatId });
    turn.stop("interrupted");
    await end();
    const queued = await ctx.db.prisma.queuedMessage.findFirst({ where: { chatId } });
    const steered = promoteQueued(ctx, { chatId, queuedId: queued?.id ?? "", behavior: "steer" });
    await expect(steered).rejects.toMatchObject({ code: "conflict" });
  });
});
