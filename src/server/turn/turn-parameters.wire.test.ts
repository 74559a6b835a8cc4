import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ChatParameters } from "@/contract/parameters";
import { editMessage } from "@/server/chat/edit-message";
import { regenerate } from "@/server/chat/regenerate";
import { sendMessage } from "@/server/chat/send-message";
import { updateChat } from "@/server/chat/update-chat";
import type { ChatModel } from "@/server/model/model-step";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { findWireProblems } from "@/test/wire-messages";
import { createWireModel, WIRE_PROVIDERS, type WireProvider } from "@/test/wire-model";
import { startWireRecorder, type WireRecorder } from "@/test/wire-recorder";

beforeAll(() => testDatabase());

/** How each API has an effort. */
const EFFORT: Record<WireProvider, (effort: "low" | "medium" | "high") => object> = {
  openai: (effort) => ({ reasoning: { effort } }),
  anthropic: (effort) => ({
    thinking: {
      type: "enabled",
      budget_tokens: { low: 6_400, medium: 19_200, high: 38_400 }[effort],
    },
  }),
  google: (effort) => ({
    generationConfig: {
      thinkingConfig: { thinkingBudget: { low: 6_554, medium: 19_661, high: 24_576 }[effort] },
    },
  }),
  "openai-compatible": (effort) => ({ reasoning_effort: effort }),
};

/** What of a request is about thinking; its history may have thoughts. */
const pickThinking = (body: unknown): unknown[] => {
  const { thinking, reasoning, reasoning_effort, generationConfig } = body as Record<
    string,
    unknown
  >;
  const { thinkingConfig } = (generationConfig ?? {}) as Record<string, unknown>;
  return [thinking, reasoning, reasoning_effort, thinkingConfig].filter(
    (each) => each !== undefined,
  );
};

describe.each(WIRE_PROVIDERS)("%s", (provider) => {
  let recorder: WireRecorder;
  beforeAll(async () => {
    recorder = await startWireRecorder();
  });
  afterAll(() => recorder.close());
  afterEach(() => recorder.reset());

  const effort = (name: "low" | "medium" | "high") => EFFORT[provider](name);
  const model = (defaults: ChatModel["defaults"] = {}): ChatModel => ({
    ...createWireModel(provider, recorder.url),
    defaults,
  });
  const run = (turn: TurnFixture, by = model()) =>
    turn.run({ resolveModel: () => Promise.resolve(by) });
  const say = (turn: TurnFixture, text: string, parameters?: ChatParameters) =>
    sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent(text),
      busyBehavior: "queue",
      parameters,
    });
  const answer = () =>
    recorder.mock.on({ predicate: () => true }, { content: "Yes.", reasoning: "Let me see." });
  const bodies = () => {
    const sent = recorder.bodies();
    for (const body of sent) expect(findWireProblems(provider, body)).toEqual([]);
    return sent;
  };

  it("gets what a message sets, else the chat, else the model, else nothing", async () => {
    answer();
    const turn = await createTurnFixture({ steps: [], parameters: { reasoning_effort: "medium" } });
    const byDefault = model({ reasoningEffort: "high", temperature: 0.5 });
    await run(turn, byDefault);
    await say(turn, "Think less.", { reasoning_effort: "low" });
    await run(turn, byDefault);
    await say(turn, "As the chat.");
    await run(turn, byDefault);
    const { chatId } = turn;
    await updateChat(turn.ctx, { chatId, parameters: { reasoning_effort: null } });
    await say(turn, "As the model.");
    await run(turn, byDefault);
    await say(turn, "As the provider.");
    await run(turn);
    const sent = bodies();
    expect(sent).toMatchObject([
      effort("medium"),
      effort("low"),
      effort("medium"),
      effort("high"),
      {},
    ]);
    expect(pickThinking(sent[4])).toEqual([]);
    expect(await turn.chat()).toMatchObject({ parameters: {}, lastError: null });
  });

  it("gets those of the turn in each step, in a history with tools and signed thoughts", async () => {
    const call = { name: "current_time", arguments: "{}" };
    recorder.mock.on(
      { hasToolResult: false },
      { toolCalls: [call], reasoning: "I look.", reasoningSignature: "c2lnbmF0dXJl" },
    );
    recorder.mock.on({ hasToolResult: true }, { content: "Late.", reasoning: "So." });
    const turn = await createTurnFixture({
      steps: [],
      parameters: { reasoning_effort: "high", temperature: 0.2 },
    });
    await say(turn, "And how late is it now?", { reasoning_effort: "low" });
    await run(turn);
    await run(turn);
    // The message of the second turn has waited in the queue.
    const [first, second] = [effort("high"), effort("low")];
    expect(bodies()).toMatchObject([first, first, second, second]);
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  });

  it("keeps those of a message that is edited or answered anew, unless others are set", async () => {
    answer();
    const turn = await createTurnFixture({ steps: [] });
    const { ctx, chatId } = turn;
    await run(turn);
    const sent = await say(turn, "Think.", { reasoning_effort: "low" });
    await run(turn);
    const messageId = sent.queued ? "" : sent.message.id;
    const edited = await editMessage(ctx, { chatId, messageId, content: toTextContent("More.") });
    expect(edited.parameters).toEqual({ reasoning_effort: "low" });
    await run(turn);
    await regenerate(ctx, { chatId, parameters: { max_output_tokens: 60_000 } });
    await run(turn);
    await regenerate(ctx, { chatId, parameters: { reasoning_effort: "high" } });
    await run(turn);
    expect(bodies().slice(1)).toMatchObject([
      effort("low"),
      effort("low"),
      provider === "anthropic" ? { max_tokens: 60_000 } : effort("low"),
      provider === "anthropic" ? { thinking: { type: "enabled" } } : effort("high"),
    ]);
    const [, , question] = await turn.history();
    expect(question?.parameters).toEqual({ reasoning_effort: "high", max_output_tokens: 60_000 });
  });

  it("gets what the model has of them after a change of the model", async () => {
    answer();
    const turn = await createTurnFixture({
      steps: [],
      parameters: { reasoning_effort: "max", temperature: 0.4 },
    });
    await run(turn);
    const others: Record<WireProvider, string> = {
      openai: "gpt-4o",
      anthropic: "claude-opus-5-5",
      google: "gemini-3.5-flash",
      "openai-compatible": "other",
    };
    await say(turn, "And now?");
    await run(turn, createWireModel(provider, recorder.url, others[provider]));
    const [, second] = bodies();
    const expected: Record<WireProvider, object> = {
      openai: { temperature: 0.4 },
      anthropic: { thinking: { type: "adaptive" }, output_config: { effort: "max" } },
      google: { generationConfig: { thinkingConfig: { thinkingLevel: "high" }, temperature: 0.4 } },
      "openai-compatible": { reasoning_effort: "max", temperature: 0.4 },
    };
    expect(second).toMatchObject(expected[provider]);
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  });
});
