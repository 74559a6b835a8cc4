import { describe, expect, it, vi } from "vitest";
import { type AdvisorResult, MAX_QUESTION_POINTS } from "@/contract/advisor";
import type { JsonValue } from "@/contract/json";
import { callTool, recordedDeps, toolScope } from "@/test/tool-fixture";
import { advisorTool } from "./advisor";
import type { Advise } from "./tool-context";

/** The call of `recordedDeps`, as the preview names it. */
const CALL = { message_id: recordedDeps().deps.step.messageId, tool_call_id: "call-1" };

const call = (args: JsonValue, advise?: Advise, scope = toolScope()) => {
  const recorded = recordedDeps({ step: { running: { advise } } });
  const tools = [advisorTool];
  return {
    outcome: callTool({ name: "advisor", args, tools, scope }, recorded),
    ops: recorded.ops,
  };
};

const giving = (result: AdvisorResult) => vi.fn<Advise>(() => Promise.resolve(result));
const ADVICE: AdvisorResult = {
  type: "advice",
  advice: "Take the small step.",
  advisor_model: "demo/demo",
  remaining_uses: 0,
};

describe("the advisor tool", () => {
  it.each<AdvisorResult>([
    { ...ADVICE, usage: { input_tokens: 1, output_tokens: 2, cost_micros: 3 } },
    { type: "error", error: "The provider failed.", remaining_uses: 1 },
    { type: "error", error: "The advisor gave no text output.", remaining_uses: 1 },
    { type: "limit_reached", remaining_uses: 0 },
  ])("hands the result over as data and as no error: $type", async (result) => {
    const outcome = await call({ question: "What next?" }, giving(result)).outcome;
    expect(outcome).toMatchObject({ state: "completed", isError: false, output: result });
  });

  it("asks the trimmed question on behalf of its call", async () => {
    const advise = giving(ADVICE);
    await call({ question: "  What next? " }, advise).outcome;
    expect(advise).toHaveBeenCalledWith(
      "What next?",
      expect.objectContaining({ toolCallId: "call-1" }),
    );
  });

  it("shows what the advisor says while it runs, under its own call", async () => {
    const { outcome, ops } = call({ question: "What next?" }, (_question, { emit }) => {
      emit({ type: "append", phase: "answering", text: "Take" });
      emit({ type: "reset" });
      return Promise.resolve(ADVICE);
    });
    await outcome;
    expect(ops).toEqual([
      { op: "output-append", ...CALL, phase: "answering", text: "Take" },
      { op: "output-reset", ...CALL },
    ]);
  });

  it.each([
    ["2000 letters", "x".repeat(MAX_QUESTION_POINTS)],
    ["2000 emoji", "🤔".repeat(MAX_QUESTION_POINTS)],
  ])("takes a question of %s whole", async (_case, question) => {
    const advise = giving(ADVICE);
    expect((await call({ question }, advise).outcome).isError).toBe(false);
    expect(advise).toHaveBeenCalledWith(question, expect.anything());
  });

  it("takes a question with a context that it was not asked for", async () => {
    const advise = giving(ADVICE);
    const args = { question: "What next?", context: "I have read the file." };
    expect((await call(args, advise).outcome).isError).toBe(false);
    expect(advise).toHaveBeenCalledWith("What next?", expect.anything());
  });

  it.each<[string, JsonValue]>([
    ["an empty question", { question: "" }],
    ["a blank question", { question: " \n " }],
    ["2001 letters", { question: "x".repeat(MAX_QUESTION_POINTS + 1) }],
    ["2001 emoji", { question: "🤔".repeat(MAX_QUESTION_POINTS + 1) }],
    ["a number", { question: 5 }],
    ["no question", {}],
    ["a list", ["What next?"]],
    ["broken JSON", '{"question": '],
    ["null", null],
  ])("rejects %s without calling the advisor", async (_case, args) => {
    const advise = giving(ADVICE);
    const outcome = await call(args, advise).outcome;
    expect(outcome).toMatchObject({
      state: "error",
      isError: true,
      output: expect.any(String) as string,
    });
    expect(advise).not.toHaveBeenCalled();
  });

  it("is an error where there is no step to advise on", async () => {
    const outcome = await call({ question: "What next?" }).outcome;
    expect(outcome).toMatchObject({ state: "error", isError: true });
  });

  it("is an error where the chat has no advisor", async () => {
    const scope = toolScope({ hasAdvisor: false });
    const outcome = await call({ question: "What next?" }, giving(ADVICE), scope).outcome;
    expect(outcome).toMatchObject({ state: "error", isError: true });
  });

  it("must be alone and is for root chats", () => {
    expect(advisorTool).toMatchObject({ exclusive: true, rootOnly: true });
  });

  it("does not promise a better model than the agent’s own", () => {
    expect(advisorTool.description).not.toMatch(/strong|smart|power|better|expert|larger/i);
  });
});
