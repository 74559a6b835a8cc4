import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HistoryMessage, PartRow } from "@/server/db/chats/rows";
import { buildPrompt } from "@/server/turn/prompt/build-prompt";
import { findPromptProblems } from "@/test/prompt-problems";
import { toolCall } from "@/test/tool-call";
import { measureMessage } from "./measure-message";
import { findSummary, splitHistory, toModelHistory } from "./model-history";

type Op =
  | { op: "ask"; size: number }
  | { op: "report" }
  | { op: "step"; calls: number; size: number }
  | { op: "answer"; text: string }
  | { op: "boundary"; text: string; maxTailBytes: number };

const size = fc.integer({ min: 1, max: 3_000 });
const anyOp: fc.Arbitrary<Op> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ op: fc.constant("ask" as const), size }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("report" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant("step" as const),
      calls: fc.integer({ min: 1, max: 4 }),
      size,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant("answer" as const),
      text: fc.constantFrom("an answer", "", " "),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant("boundary" as const),
      // Without a text, the context was cleared.
      text: fc.constantFrom("A SUMMARY", ""),
      maxTailBytes: fc.integer({ min: 0, max: 8_000 }),
    }),
  },
);

const REPORT: PartRow = {
  type: "report",
  data: {
    task_id: "0198c0de-0000-7000-8000-000000000011",
    tool_call_id: "call",
    kind: "tool",
    label: "one",
    state: "completed",
    output: "done",
    for_user: null,
    artifacts: [],
  },
};

const measure = (message: HistoryMessage): number => measureMessage(message);

/** A chat as the machine lets it grow: a turn begins with a message or a report, and its steps follow. */
const createHistory = () => {
  let history: HistoryMessage[] = [];
  let turn = 0;
  let isOver = true;
  const add = (role: HistoryMessage["role"], parts: PartRow[]): void => {
    const message: HistoryMessage = {
      id: String(history.length),
      seq: (history.at(-1)?.seq ?? 0) + 1,
      role,
      turnId: String(turn),
      parts,
      model: role === "assistant" ? "demo/demo" : null,
      usage: null,
      createdBy: null,
    };
    history = [...history, message];
  };
  const begin = (): void => {
    turn += 1;
    isOver = false;
  };
  const setBoundary = (text: string, maxTailBytes: number): void => {
    const options = { turnId: String(turn), isOver, maxTailBytes, measure };
    const { summed, carried, tail } = splitHistory(history, options);
    if (summed.length === carried.length) return;
    const kept = [...carried, ...tail].map(({ seq }) => seq);
    const numbers = { tokens_before: 1, tokens_after: 1 };
    add("event", [
      {
        type: "summary",
        data: { reason: text === "" ? "cleared" : "automatic", kept, ...numbers },
      },
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ]);
  };
  const run = (op: Op): void => {
    switch (op.op) {
      case "ask":
        begin();
        return add("user", [{ type: "text", text: "q".repeat(op.size) }]);
      case "report":
        if (isOver) begin();
        return add("event", [REPORT]);
      case "step":
        if (isOver) return;
        return add(
          "assistant",
          Array.from({ length: op.calls }, (_, index) =>
            toolCall({
              toolCallId: `call_${history.length}_${index}`,
              kind: "builtin",
              state: "completed",
              output: "r".repeat(op.size),
            }),
          ),
        );
      case "answer":
        if (isOver) return;
        isOver = true;
        return add("assistant", [{ type: "text", text: op.text }]);
      case "boundary":
        return setBoundary(op.text, op.maxTailBytes);
    }
  };
  return { run, read: () => ({ history, isOver, turnId: String(turn) }) };
};

/** Whether the model could be called now: something waits for an answer. */
const isAsked = (history: readonly HistoryMessage[]): boolean => {
  const messages = history.filter((message) => findSummary(message) === undefined);
  const last = messages.at(-1);
  return last !== undefined && (last.role !== "assistant" || last.parts[0]?.type === "tool_call");
};

describe("what the model reads of a random history with boundaries", () => {
  it("is accepted by every provider, has each call with its result, and no unanswered message is lost", () => {
    fc.assert(
      fc.property(fc.array(anyOp, { minLength: 3, maxLength: 60 }), (ops) => {
        const chat = createHistory();
        for (const op of ops) {
          chat.run(op);
          const { history } = chat.read();
          const read = toModelHistory(history);
          expect(toModelHistory(read)).toEqual(read);
          expect(new Set(read).size).toBe(read.length);
          if (!isAsked(history)) continue;
          const prompt = buildPrompt({ system: ["s"], history: read, model: "demo/demo" });
          expect(findPromptProblems(prompt)).toEqual([]);
          const lastStep = history.findLastIndex(({ role }) => role === "assistant");
          const unanswered = history.slice(lastStep + 1).filter((one) => !findSummary(one));
          for (const message of unanswered) expect(read).toContain(message);
        }
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) },
    );
  });

  it("is the history itself without a boundary", () => {
    const chat = createHistory();
    chat.run({ op: "ask", size: 1 });
    const { history } = chat.read();
    expect(toModelHistory(history)).toBe(history);
  });
});
