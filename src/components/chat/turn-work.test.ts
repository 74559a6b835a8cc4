import { describe, expect, it } from "vitest";
import type { MessageView, PartView, ToolCallView } from "@/contract/chat-view";
import { joinCallSteps } from "./message-parts";
import { findTurnWork, isAlwaysShown, isBeforeAnswer, type TurnWork } from "./turn-work";

/** A time of the turn, in seconds. */
const at = (seconds: number): string => new Date(1_773_316_800_000 + seconds * 1_000).toISOString();

const call = (overrides: Partial<ToolCallView> = {}): ToolCallView => ({
  type: "tool_call",
  tool_call_id: "call",
  tool_name: "read_file",
  kind: "builtin",
  args: {},
  state: "completed",
  is_error: false,
  started_at: at(0),
  completed_at: at(0),
  ...overrides,
});
const text = (content: string): PartView => ({ type: "text", text: content });
const reasoning: PartView = { type: "reasoning", text: "so", started_at: at(0) };

const message = (
  seq: number,
  parts: PartView[],
  overrides: Partial<MessageView> = {},
): MessageView => ({
  id: `m${seq}`,
  seq,
  revision: seq,
  role: "assistant",
  parts,
  created_at: at(seq),
  ...overrides,
});
const question = (seq: number) => message(seq, [text("?")], { role: "user" });

const describeLast = (messages: MessageView[], isTurnRunning = false): TurnWork | undefined => {
  const last = messages.at(-1);
  return last && findTurnWork(messages, isTurnRunning).get(last);
};

/** @returns the texts of a chat that are not folded with the work of their turn. */
const readAnswer = (...messages: MessageView[]): string[] => {
  const work = findTurnWork(messages, false);
  return messages.flatMap((item) =>
    item.parts.flatMap((part, index) => {
      const turn = work.get(item);
      return part.type === "text" && !(turn && isBeforeAnswer(item, index, turn))
        ? [part.text]
        : [];
    }),
  );
};

describe("the work of a turn", () => {
  it("has the calls of all its steps, under its first message", () => {
    const steps = [question(1), message(2, [text("a"), call()]), message(3, [call(), call()])];
    const work = findTurnWork([...steps, message(4, [text("b")]), question(5)], false);
    expect([...work.keys()].map(({ seq }) => seq).toSorted()).toEqual([2, 3, 4]);
    expect(new Set(work.values()).size).toBe(1);
    expect([...work.values()][0]).toMatchObject({ seq: 2, callCount: 3, isFinished: true });
  });

  it("is none in a turn without calls, or with none but those that are for the person", () => {
    expect(describeLast([question(1), message(2, [reasoning, text("a")])])).toBeUndefined();
    const handled = call({ kind: "recipe", response_handled: true });
    expect(describeLast([question(1), message(2, [reasoning, handled])])).toBeUndefined();
    const delivered = call({ tool_name: "deliver_file", state: "running" });
    expect(describeLast([question(1), message(2, [delivered])], true)).toBeUndefined();
  });

  it("is not finished while it runs, streams, awaits an outcome or rests", () => {
    const isFinished = (last: MessageView, isTurnRunning = false) =>
      describeLast([question(1), message(2, [call()]), last], isTurnRunning)?.isFinished;
    expect(isFinished(message(3, [text("a")]), true)).toBe(false);
    expect(isFinished(message(3, [text("a")], { preview: true }))).toBe(false);
    expect(isFinished(message(3, [call({ state: "awaiting_approval" })]))).toBe(false);
    expect(isFinished(message(3, [call({ state: "awaiting_agents" })]))).toBe(false);
    expect(isFinished(message(3, [call()], { finish_reason: "auto-submit-off" }))).toBe(false);
    expect(isFinished(message(3, [text("a")]))).toBe(true);
  });

  it("is finished once another message follows", () => {
    const calls = [call(), call({ state: "awaiting_result" })];
    const steps = [question(1), message(2, calls), question(3)];
    expect([...findTurnWork(steps, true).values()][0]?.isFinished).toBe(true);
  });

  it("counts the calls that did not succeed, by their outcomes", () => {
    const calls = [
      call({ state: "error", is_error: true }),
      call({ is_error: true }),
      call({ state: "denied" }),
      call({ state: "cancelled" }),
      call(),
    ];
    expect(describeLast([question(1), message(2, calls)])?.outcomes).toEqual({
      error: 2,
      denied: 1,
      timed_out: 0,
      cancelled: 1,
    });
  });

  it("is the same object until a message of the turn changes", () => {
    const steps = [question(1), message(2, [call()]), message(3, [text("a")])];
    const before = describeLast(steps);
    expect(describeLast([...steps])).toBe(before);
    expect(describeLast([question(1), message(2, [call(), call()]), ...steps.slice(2)])).not.toBe(
      before,
    );
  });
});

describe("the answer of a turn", () => {
  it("is what the model said after its last call", () => {
    const steps = [message(2, [text("a"), call()]), message(3, [text("b"), call(), text("c")])];
    expect(readAnswer(question(1), ...steps)).toEqual(["?", "c"]);
    const last = message(3, [reasoning, text("d"), text("e")]);
    expect(readAnswer(question(1), message(2, [text("a"), call()]), last)).toEqual(["?", "d", "e"]);
  });

  it("is what the model said last, if it called a tool after that", () => {
    const steps = [message(2, [text("a"), call()]), message(3, [text("b"), call()])];
    expect(readAnswer(question(1), ...steps, message(4, [call()]))).toEqual(["?", "b"]);
    expect(readAnswer(question(1), message(2, [call()]))).toEqual(["?"]);
  });

  it("goes on after a call that is for the person", () => {
    const delivered = call({ tool_name: "deliver_file" });
    const steps = [message(2, [call()]), message(3, [text("a"), delivered])];
    expect(readAnswer(question(1), ...steps, message(4, [text("b")]))).toEqual(["?", "a", "b"]);
  });
});

describe("a call stays in view", () => {
  it.each([
    ["that waits for a person", { state: "awaiting_approval" }],
    ["that runs", { state: "running" }],
    ["that delivers a file", { tool_name: "deliver_file" }],
    ["that asked the person", { tool_name: "ask_user_question" }],
    ["whose outcome the person has", { kind: "recipe", response_handled: true }],
    ["with a text for the person", { kind: "recipe", for_user: "Done." }],
  ] as const)("%s", (_, overrides) => {
    expect(isAlwaysShown(call(overrides))).toBe(true);
  });

  it.each([
    ["that is done", {}],
    ["that failed", { state: "error" }],
    ["with the changes of a file", { tool_name: "edit_file", for_user: "- a\n+ b" }],
    ["with a text that the person does not see", { kind: "mcp", for_user: "x", silent: true }],
    ["of another tool with the name of a built-in one", { kind: "mcp", tool_name: "deliver_file" }],
  ] as const)("but not one %s", (_, overrides) => {
    expect(isAlwaysShown(call(overrides))).toBe(false);
  });
});

describe("the time of a turn", () => {
  const measure = (...messages: MessageView[]) => (describeLast(messages)?.workedMs ?? NaN) / 1_000;
  const created = (seconds: number) => ({ created_at: at(seconds) });
  const span = (from: number, to: number, overrides: Partial<ToolCallView> = {}) =>
    call({ started_at: at(from), completed_at: at(to), ...overrides });
  const asked = message(1, [text("?")], { role: "user", created_at: at(0) });

  it("is from the message before it to its end", () => {
    const steps = [message(2, [span(2, 5)], created(2)), message(3, [text("a")], created(9))];
    expect(measure(asked, ...steps)).toBe(9);
  });

  it("counts calls once that ran at the same time", () => {
    expect(measure(asked, message(2, [span(1, 5), span(2, 4), span(4, 7)], created(1)))).toBe(7);
  });

  it("leaves out the time of calls that a person or a program answered", () => {
    const step = message(2, [span(2, 3_600, { kind: "dynamic" }), span(2, 4)], created(2));
    expect(measure(asked, step, message(3, [text("a")], created(3_605)))).toBe(9);
  });

  it("leaves out the wait for an approval, or for a rejection", () => {
    const approved = message(2, [span(3_600, 3_603)], created(2));
    expect(measure(asked, approved, message(3, [text("a")], created(3_604)))).toBe(6);
    const denied = message(2, [span(2, 3_600, { state: "denied" })], created(2));
    expect(measure(asked, denied, message(3, [text("a")], created(3_604)))).toBe(6);
  });

  it("leaves out the rest of a turn that a person let go on", () => {
    const rested = { ...created(2), finish_reason: "auto-submit-off" as const };
    const after = { ...reasoning, started_at: at(7_200) } as PartView;
    const steps = [
      message(2, [span(2, 4)], rested),
      message(3, [after, text("a")], created(7_205)),
    ];
    expect(measure(asked, ...steps)).toBe(9);
  });

  it("begins with its first part if the message before it is not loaded", () => {
    expect(measure(message(2, [span(3, 6)], created(5)))).toBe(3);
  });

  it("is that of the single steps, where steps are joined", () => {
    const first = message(2, [span(2, 3_600, { kind: "dynamic" })], created(2));
    const second = message(3, [span(3_602, 3_605)], created(3_602));
    expect(measure(...joinCallSteps([asked, first, second]))).toBe(7);
  });
});
