import { describe, expect, it } from "vitest";
import type { MessageRow, ToolCallPartRow } from "@/server/db/rows";
import { toolCall } from "@/test/tool-call";
import { type TurnFacts, decideNext } from "./decide-next";

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
  createdAt: new Date(0),
});

const text = { type: "text" as const, text: "hello" };
const facts = (history: MessageRow[], changes: Partial<TurnFacts> = {}): TurnFacts => ({
  history,
  turnSteps: 1,
  maxSteps: 100,
  queueEmpty: true,
  stopsTurn: (name) => name === "stop",
  ...changes,
});
const after = (...calls: Partial<ToolCallPartRow>[]) => [
  message("user", [text]),
  message("assistant", [text, ...calls.map(call)]),
];

describe("decideNext", () => {
  it.each([
    ["a user message is last", [message("user", [text])], {}, { type: "generate" }],
    ["the answer has no calls", after(), {}, { type: "finish", reason: "answered" }],
    [
      "only the provider's own calls",
      after({ kind: "provider" }),
      {},
      { type: "finish", reason: "answered" },
    ],
    ["all calls have outcomes", after({}), {}, { type: "generate" }],
    [
      "a failed call has an outcome too",
      after({ state: "error", isError: true }),
      {},
      { type: "generate" },
    ],
    [
      "a stopping tool succeeded",
      after({ toolName: "stop" }),
      {},
      { type: "finish", reason: "tool" },
    ],
    [
      "a stopping tool failed",
      after({ toolName: "stop", isError: true, state: "error" }),
      {},
      { type: "generate" },
    ],
    [
      "the person has every outcome",
      after({ responseHandled: true }, { responseHandled: true }),
      {},
      { type: "finish", reason: "handled" },
    ],
    [
      "the person has one of two outcomes",
      after({ responseHandled: true }, {}),
      {},
      { type: "generate" },
    ],
    [
      "handled, but a message waits",
      after({ responseHandled: true }),
      { queueEmpty: false },
      { type: "generate" },
    ],
    [
      "the step limit is reached",
      after({}),
      { turnSteps: 3, maxSteps: 3 },
      { type: "finish", reason: "step_limit" },
    ],
    ["one step is left", after({}), { turnSteps: 2, maxSteps: 3 }, { type: "generate" }],
  ] as const)("%s", (_, history, changes, expected) => {
    expect(decideNext(facts([...history], changes))).toEqual(expected);
  });

  it("runs what is ours before it parks for what is not", () => {
    const history = after(
      { toolCallId: "a", kind: "dynamic", state: "awaiting_result", output: undefined },
      { toolCallId: "b", state: "running", output: undefined },
    );
    expect(decideNext(facts(history))).toMatchObject({
      type: "execute",
      calls: [{ toolCallId: "b" }],
    });
  });

  it("parks for results and approvals alike", () => {
    const history = after(
      { toolCallId: "a", kind: "dynamic", state: "awaiting_result", output: undefined },
      { toolCallId: "b", state: "awaiting_approval", output: undefined },
    );
    expect(decideNext(facts(history))).toMatchObject({
      type: "park",
      calls: [{ toolCallId: "a" }, { toolCallId: "b" }],
    });
  });
});
