import { describe, expect, it } from "vitest";
import type { AutoSubmit } from "@/contract/chat";
import type { MessageRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { toolCall } from "@/test/tool-call";
import { decideNext } from "./decide-next";

const call = (fields: Partial<ToolCallPartRow>): ToolCallPartRow =>
  toolCall({
    kind: "builtin",
    state: "completed",
    output: "done",
    resolvedBy: "worker",
    completedAt: new Date(0),
    ...fields,
  });

const message = (role: "user" | "assistant", parts: MessageRow["parts"]): MessageRow => ({
  id: "message",
  chatId: "chat",
  seq: 1,
  revision: 1,
  role,
  turnId: "turn",
  parts,
  model: null,
  usage: null,
  finishReason: null,
  interrupted: false,
  createdBy: null,
  responseId: null,
  deleted: false,
  parameters: null,
  responseFormat: null,
  formatCheck: null,
  createdAt: new Date(0),
});

const text = { type: "text" as const, text: "hello" };
type Facts = {
  turnSteps: number;
  maxSteps: number;
  queuedCount: number;
  autoSubmit: AutoSubmit;
  /** What tools say, by their names. */
  ofTools: Record<string, Partial<AutoSubmit>>;
};
const decide = (history: MessageRow[], changes: Partial<Facts> = {}) => {
  const { autoSubmit = { success: true, error: true }, ofTools, ...chat } = changes;
  return decideNext(
    {
      history,
      chat: {
        compaction: null,
        turnSteps: 1,
        maxSteps: 100,
        queuedCount: 0,
        autoSubmitSuccess: autoSubmit.success,
        autoSubmitError: autoSubmit.error,
        ...chat,
      },
    },
    {
      stopsTurn: new Set(["stop"]),
      autoSubmit: new Map(Object.entries(ofTools ?? { stop_on_error: { error: false } })),
    },
  );
};
const after = (...calls: Partial<ToolCallPartRow>[]) => [
  message("user", [text]),
  message("assistant", [text, ...calls.map(call)]),
];

describe("decideNext", () => {
  it.each([
    ["generates after a user message", [message("user", [text])], {}, { type: "generate" }],
    ["finishes after an answer without calls", after(), {}, { type: "finish", reason: "answered" }],
    [
      "finishes after provider-executed calls",
      after({ kind: "provider" }),
      {},
      { type: "finish", reason: "answered" },
    ],
    ["generates when all calls have outcomes", after({}), {}, { type: "generate" }],
    [
      "generates after a failed call",
      after({ state: "error", isError: true }),
      {},
      { type: "generate" },
    ],
    [
      "finishes after a successful stopping tool",
      after({ toolName: "stop" }),
      {},
      { type: "finish", reason: "tool" },
    ],
    [
      "generates after a failed stopping tool",
      after({ toolName: "stop", isError: true, state: "error" }),
      {},
      { type: "generate" },
    ],
    [
      "finishes after a failed tool that rests then",
      after({ toolName: "stop_on_error", isError: true, state: "error" }, {}),
      {},
      { type: "finish", reason: "auto_submit_off" },
    ],
    [
      "generates after a success of a tool that rests after a failure",
      after({ toolName: "stop_on_error" }),
      {},
      { type: "generate" },
    ],
    [
      "generates after a rejected call of such a tool",
      after({ toolName: "stop_on_error", isError: true, state: "denied" }),
      {},
      { type: "generate" },
    ],
    [
      "finishes when the user has handled all outcomes",
      after({ responseHandled: true }, { responseHandled: true }),
      {},
      { type: "finish", reason: "handled" },
    ],
    [
      "generates when the user has handled one of two outcomes",
      after({ responseHandled: true }, {}),
      {},
      { type: "generate" },
    ],
    [
      "generates when all outcomes are handled but a message is queued",
      after({ responseHandled: true }),
      { queuedCount: 1 },
      { type: "generate" },
    ],
    [
      "finishes at the step limit",
      after({}),
      { turnSteps: 3, maxSteps: 3 },
      { type: "finish", reason: "step_limit" },
    ],
    [
      "generates the last step before the limit",
      after({}),
      { turnSteps: 2, maxSteps: 3 },
      { type: "generate" },
    ],
  ] as const)("%s", (_, history, changes, expected) => {
    expect(decide([...history], changes)).toEqual(expected);
  });

  it("executes the worker's calls before it parks", () => {
    const history = after(
      { toolCallId: "a", kind: "dynamic", state: "awaiting_result", output: undefined },
      { toolCallId: "b", state: "running", output: undefined },
    );
    expect(decide(history)).toMatchObject({
      type: "execute",
      calls: [{ toolCallId: "b" }],
    });
  });

  it("parks for results and approvals", () => {
    const history = after(
      { toolCallId: "a", kind: "dynamic", state: "awaiting_result", output: undefined },
      { toolCallId: "b", state: "awaiting_approval", output: undefined },
    );
    expect(decide(history)).toMatchObject({
      type: "park",
      calls: [{ toolCallId: "a" }, { toolCallId: "b" }],
    });
  });
});

describe("auto-submit", () => {
  const continues = { type: "generate" };
  const rests = { type: "finish", reason: "auto_submit_off" };
  const succeeded: Partial<ToolCallPartRow> = {};
  const failed: Partial<ToolCallPartRow> = { toolName: "other", state: "error", isError: true };
  const denied: Partial<ToolCallPartRow> = { state: "denied", isError: true };
  const ON = { success: true, error: true };

  it.each<[what: string, calls: Partial<ToolCallPartRow>[], autoSubmit: AutoSubmit, next: object]>([
    ["rests after a success", [succeeded], { success: false, error: true }, rests],
    ["goes on after an error", [failed], { success: false, error: true }, continues],
    ["goes on after one of each", [succeeded, failed], { success: false, error: true }, continues],
    ["rests after an error", [failed], { success: true, error: false }, rests],
    ["rests after a rejection", [denied], { success: true, error: false }, rests],
    ["goes on after successes", [succeeded, succeeded], { success: true, error: false }, continues],
    ["rests after one of each", [failed, succeeded], { success: true, error: false }, rests],
  ])("of a chat: %s", (_what, calls, autoSubmit, next) => {
    expect(decide(after(...calls), { autoSubmit })).toEqual(next);
  });

  it.each<
    [what: string, calls: Partial<ToolCallPartRow>[], tool: Partial<AutoSubmit>, next: object]
  >([
    ["rests after its success", [{ toolName: "own" }], { success: false }, rests],
    ["goes on after its error", [{ ...failed, toolName: "own" }], { success: false }, continues],
    ["rests after its error", [{ ...failed, toolName: "own" }], { error: false }, rests],
    ["goes on after its rejection", [{ ...denied, toolName: "own" }], { error: false }, continues],
    ["goes on after another's error", [{ toolName: "own" }, failed], { error: false }, continues],
    ["goes on after its own of both", [{ toolName: "own" }], {}, continues],
  ])("of a tool: %s", (_what, calls, tool, next) => {
    const ofTools = { own: tool };
    expect(decide(after(...calls), { ofTools })).toEqual(next);
    const both = { ofTools, autoSubmit: { success: false, error: false } };
    expect(decide(after(...calls), both)).toEqual(rests);
  });

  it("decides nothing before all calls have outcomes, nor after an answer without calls", () => {
    const autoSubmit = { success: false, error: false };
    const open = after({}, { state: "running" });
    expect(decide(open, { autoSubmit })).toMatchObject({ type: "execute" });
    expect(decide(after(), { autoSubmit })).toMatchObject({ reason: "answered" });
  });

  it("rests at the step limit, too, and goes on when a person has continued the turn", () => {
    const autoSubmit = { success: false, error: true };
    const limited = { autoSubmit, turnSteps: 3, maxSteps: 3 };
    expect(decide(after({}), limited)).toEqual(rests);
    expect(decide(after({}), { autoSubmit, turnSteps: 0 })).toEqual(continues);
    expect(decide(after({}), { autoSubmit: ON, turnSteps: 3, maxSteps: 3 })).toEqual({
      type: "finish",
      reason: "step_limit",
    });
  });

  describe("after an answer without the form that its turn must have", () => {
    const refused = {
      ...message("assistant", [text]),
      formatCheck: { errors: [{ pointer: "", message: "is not JSON" }] },
    };
    const ask = message("user", [text]);
    const end = { type: "finish", reason: "invalid_format" };

    it("generates at most twice more in a turn", () => {
      expect(decide([ask, refused])).toEqual(continues);
      expect(decide([ask, refused, refused])).toEqual(continues);
      expect(decide([ask, refused, refused, refused])).toEqual(end);
      const before = { ...refused, turnId: "before" };
      expect(decide([ask, before, before, before, ask, refused])).toEqual(continues);
    });

    it("finishes at the step limit, and after an answer that has it", () => {
      expect(decide([ask, refused], { turnSteps: 3, maxSteps: 3 })).toEqual(end);
      const accepted = { ...refused, formatCheck: { value: null } };
      expect(decide([ask, refused, accepted])).toEqual({ type: "finish", reason: "answered" });
    });
  });
});
