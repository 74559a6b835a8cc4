import { describe, expect, it } from "vitest";
import { writeToolMode } from "@/server/db/settings/setting-writes";
import { defineTool, type Tool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import * as z from "zod";
import { continueChat } from "./continue-chat";
import { regenerate } from "./regenerate";
import { sendMessage } from "./send-message";
import { submitToolResults } from "./submit-tool-results";
import { updateChat } from "./update-chat";

const calls = (id: string, name = "current_time", args: object = {}) => [
  ...toolCallParts(id, name, args),
  finishPart("tool-calls"),
];
const OFF = { success: false };

const go = async (turn: TurnFixture): Promise<void> => {
  await continueChat(turn.ctx, turn);
  await turn.run();
};
const lastReason = async (turn: TurnFixture) => (await turn.history()).at(-1)?.finishReason;
/** How many calls have outcomes, and how many answers there are. */
const countSteps = async (turn: TurnFixture) =>
  (await turn.history()).filter(({ role }) => role === "assistant").length;
const refusal = (turn: TurnFixture) =>
  continueChat(turn.ctx, turn).then(
    () => "continued",
    (error: Error) => error.message,
  );

describe("a turn with auto-submit off", () => {
  it("rests after each step with calls, and goes on when it is continued", async () => {
    const turn = await createTurnFixture({
      autoSubmit: OFF,
      steps: [calls("a"), calls("b"), textStep("Done.")],
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 1, lastError: null });
    expect((await turn.history()).at(-1)).toMatchObject({
      finishReason: "auto-submit-off",
      parts: [{ state: "completed" }],
    });
    expect(turn.model.requests).toHaveLength(1);
    const { turnId } = await turn.chat();

    await go(turn);
    expect(turn.model.requests).toHaveLength(2);
    expect(turn.model.requests[1]?.prompt.at(-1)).toMatchObject({ role: "tool" });
    expect(await lastReason(turn)).toBe("auto-submit-off");
    await go(turn);
    expect(await lastReason(turn)).toBe("stop");
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnId, turnSteps: 1 });
    expect(await countSteps(turn)).toBe(3);
  });

  it("goes on by itself after an error, or rests after one only", async () => {
    for (const [autoSubmit, steps] of [
      [{ success: false }, 2],
      [{ error: false }, 1],
    ] as const) {
      const turn = await createTurnFixture({
        autoSubmit,
        steps: [calls("a", "no_such_tool"), textStep("Sorry.")],
      });
      await turn.run();
      expect(await countSteps(turn)).toBe(steps);
      expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
    }
  });

  it("rests when a tool wants it, whatever the chat says", async () => {
    const look = defineTool({
      name: "look",
      description: "Looks.",
      input: z.object({}),
      run: () => Promise.resolve(toolResult("seen")),
    });
    const turn = await createTurnFixture({
      tools: [{ ...look, autoSubmit: { success: false } }],
      steps: [calls("a", "look"), textStep("Done.")],
    });
    await turn.run();
    expect(await lastReason(turn)).toBe("auto-submit-off");
    await go(turn);
    expect(await countSteps(turn)).toBe(2);
  });

  it.each(["off", "gone"] as const)("rests when a tool wants it that is %s since", async (what) => {
    const tools: Tool[] = [];
    const look = defineTool({
      name: "look",
      description: "Looks.",
      input: z.object({}),
      run: async () => {
        if (what === "off") await writeToolMode(turn.ctx.db, "look", "off");
        else {
          tools.length = 0;
          await updateChat(turn.ctx, { chatId: turn.chatId, toolNames: ["exec"] });
        }
        return toolResult("seen");
      },
    });
    tools.push({ ...look, autoSubmit: { success: false } });
    const turn: TurnFixture = await createTurnFixture({
      listTools: () => tools,
      steps: [calls("a", "look"), textStep("Done.")],
    });
    await turn.run();
    await turn.ctx.db.prisma.setting.deleteMany();
    expect(await lastReason(turn)).toBe("auto-submit-off");
  });

  it("rests after the results of a client", async () => {
    const turn = await createTurnFixture({
      autoSubmit: OFF,
      dynamicTools: [{ name: "deploy" }],
      steps: [calls("a", "deploy"), textStep("Deployed.")],
    });
    await turn.run();
    const { chatId } = turn;
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
    expect(await refusal(turn)).toContain('"requires_action"');
    await submitToolResults(turn.ctx, {
      chatId,
      results: [{ toolCallId: "a", output: "ok", isError: false }],
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    expect(await lastReason(turn)).toBe("auto-submit-off");
    await go(turn);
    expect(await lastReason(turn)).toBe("stop");
  });

  it("is not lost when the worker crashes before or after it is continued", async () => {
    const turn = await createTurnFixture({
      autoSubmit: OFF,
      steps: [calls("a"), textStep("Done.")],
    });
    await turn.crash();
    await turn.run();
    expect(await lastReason(turn)).toBe("auto-submit-off");
    await continueChat(turn.ctx, turn);
    await turn.crash();
    await turn.run();
    expect(await lastReason(turn)).toBe("stop");
    expect(await countSteps(turn)).toBe(2);
  });

  it("may take as many steps again as the limit when it is continued", async () => {
    const turn = await createTurnFixture({
      autoSubmit: OFF,
      maxSteps: 2,
      steps: [calls("a"), calls("b"), calls("c"), textStep("Never.")],
    });
    await turn.run();
    await updateChat(turn.ctx, { chatId: turn.chatId, autoSubmit: { success: true } });
    await go(turn);
    expect(await lastReason(turn)).toBe("step-limit");
    expect(await countSteps(turn)).toBe(3);
  });

  it("may end without an answer when it is continued", async () => {
    const turn = await createTurnFixture({ autoSubmit: OFF, steps: [calls("a"), [finishPart()]] });
    await turn.run();
    await go(turn);
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  });

  it("gives its results to the model with the next message, queued or sent", async () => {
    const turn = await createTurnFixture({
      autoSubmit: OFF,
      steps: [calls("a"), textStep("One."), textStep("Two.")],
    });
    const say = (text: string) =>
      sendMessage(turn.ctx, {
        chatId: turn.chatId,
        content: [{ type: "text", text }],
        busyBehavior: "queue",
      });
    await say("queued");
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "pending" });
    await turn.run();
    const prompt = turn.model.requests[1]?.prompt ?? [];
    expect(prompt.map(({ role }) => role).slice(-2)).toEqual(["tool", "user"]);
    expect(await refusal(turn)).toContain("no turn that rests");
  });
});

const failure = { throws: Object.assign(new Error("The key is wrong."), { statusCode: 401 }) };
const cutOff = [
  { type: "text-start" as const, id: "t" },
  { type: "text-delta" as const, id: "t", delta: "Half an ans" },
  { type: "error" as const, error: failure.throws },
];

describe("a turn whose model fails after results", () => {
  it.each([
    ["at once", failure],
    ["in the middle of its answer", cutOff],
  ])("keeps the results when it failed %s and is continued", async (_when, failed) => {
    const turn = await createTurnFixture({
      autoSubmit: OFF,
      steps: [calls("a"), failed, textStep("Done.")],
    });
    await turn.run();
    await go(turn);
    expect(await turn.chat()).toMatchObject({ status: "error" });
    await go(turn);
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
    expect(turn.model.requests[2]?.prompt.at(-1)).toMatchObject({ role: "tool" });
    const history = await turn.history();
    expect(history.map(({ finishReason }) => finishReason)).toEqual([
      null,
      "auto-submit-off",
      "stop",
    ]);
    expect(history[1]).toMatchObject({ parts: [{ toolCallId: "a", state: "completed" }] });
  });

  it("keeps those of a turn that never rested, and the queue behind it", async () => {
    const turn = await createTurnFixture({ steps: [calls("a"), failure, textStep("Done.")] });
    const { chatId } = turn;
    const content = [{ type: "text" as const, text: "next" }];
    await sendMessage(turn.ctx, { chatId, content, busyBehavior: "queue" });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "error", queuedCount: 1 });
    await go(turn);
    expect(await turn.chat()).toMatchObject({ status: "pending", queuedCount: 0 });
    const texts = (await turn.history()).flatMap(({ parts }) => parts);
    expect(texts.map((part) => (part.type === "text" ? part.text : part.type))).toEqual([
      "hello",
      "tool_call",
      "Done.",
      "next",
    ]);
  });

  it("is refused without results", async () => {
    const turn = await createTurnFixture({ steps: [cutOff] });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "error" });
    expect(await refusal(turn)).toContain("no results of tools");
  });
});

describe("continuing", () => {
  it("is refused unless the turn rests, and twice", async () => {
    const turn = await createTurnFixture({
      autoSubmit: OFF,
      steps: [calls("a"), textStep("Done.")],
    });
    expect(await refusal(turn)).toContain('"pending"');
    await turn.run();
    const results = await Promise.all([refusal(turn), refusal(turn)]);
    expect(results.filter((result) => result === "continued")).toHaveLength(1);
    await turn.run();
    expect(await refusal(turn)).toContain("no turn that rests");
    expect(await countSteps(turn)).toBe(2);
  });

  it("is refused after the answer was dropped", async () => {
    const turn = await createTurnFixture({
      autoSubmit: OFF,
      steps: [calls("a"), textStep("Other."), textStep("Never.")],
    });
    await turn.run();
    await regenerate(turn.ctx, turn);
    await turn.run();
    expect(await lastReason(turn)).toBe("stop");
    expect(await refusal(turn)).toContain("no turn that rests");
  });

  it("of an archived chat, or of another's, is refused", async () => {
    const turn = await createTurnFixture({ autoSubmit: OFF, steps: [calls("a")] });
    await turn.run();
    const stranger = { ...turn.ctx, actor: { ...turn.ctx.actor, userId: "stranger" } };
    await expect(continueChat(stranger, turn)).rejects.toMatchObject({ code: "not_found" });
    await updateChat(turn.ctx, { chatId: turn.chatId, archived: true });
    expect(await refusal(turn)).toContain("archived");
  });
});
