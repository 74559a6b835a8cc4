import { describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { callTool, toolScope } from "@/test/tool-fixture";

const option = (label: string, description?: string) => ({
  label,
  ...(description !== undefined && { description }),
});
const question = (changes: { [key: string]: JsonValue } = {}) => ({
  question: "Which tide table?",
  options: [option("Brest"), option("Dover")],
  ...changes,
});
const ask = (...questions: JsonValue[]) =>
  callTool({ name: "ask_user_question", args: { questions } });

describe("ask_user_question", () => {
  it("returns the questions as they are shown, with what was left out filled in", async () => {
    const outcome = await ask(
      question({
        header: "Port",
        options: [
          option("Brest", "The west"),
          { label: "Dover", description: null },
          option("Other"),
        ],
        multi_select: true,
      }),
      question({ question: "When?", multi_select: null, extra: 1 }),
    );
    expect(outcome).toMatchObject({ state: "completed", isError: false });
    expect(outcome.output).toEqual({
      questions: [
        {
          header: "Port",
          question: "Which tide table?",
          options: [{ label: "Brest", description: "The west" }, { label: "Dover" }],
          multi_select: true,
        },
        {
          question: "When?",
          options: [{ label: "Brest" }, { label: "Dover" }],
          multi_select: false,
        },
      ],
    });
  });

  it("shows an option once that the model wrote twice", async () => {
    const outcome = await ask(question({ options: [option("Brest"), option("brest ")] }));
    expect(outcome).toMatchObject({
      output: { questions: [{ options: [{ label: "Brest" }] }] },
    });
  });

  const five = ["a", "b", "c", "d", "e"].map((label) => option(label));
  it.each<[what: string, questions: JsonValue[]]>([
    ["no question", []],
    ["five questions", five.map(({ label }) => question({ question: label }))],
    ["one option", [question({ options: [option("Brest")] })]],
    ["five options", [question({ options: five })]],
    ["an empty question", [question({ question: " " })]],
    ["an option without a label", [question({ options: [option(""), option("Dover")] })]],
    ["options that are texts", [question({ options: ["Brest", "Dover"] })]],
    ["no list", ["Which port?"]],
  ])("is an error that the model reads, for %s", async (_what, questions) => {
    const outcome = await ask(...questions);
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toContain("ask_user_question");
  });

  it("is not offered to child chats, which have no person", async () => {
    const args = { questions: [question()] };
    const scope = toolScope({ isRoot: false });
    const outcome = await callTool({ name: "ask_user_question", args, scope });
    expect(outcome.state).toBe("error");
  });
});

describe("todo_write", () => {
  const write = (todos: JsonValue) => callTool({ name: "todo_write", args: { todos } });

  it("returns the list", async () => {
    const todos = [
      { content: "Read the data", status: "completed" },
      { content: "Draw the chart", status: "in_progress" },
      { content: "Hand it over", status: "pending" },
    ];
    expect(await write(todos)).toMatchObject({ state: "completed", output: { todos } });
    expect(await write([])).toMatchObject({ state: "completed", output: { todos: [] } });
  });

  it.each<[what: string, todos: JsonValue]>([
    ["an unknown status", [{ content: "Read", status: "done" }]],
    ["an empty step", [{ content: " ", status: "pending" }]],
    [
      "two steps in progress",
      [
        { content: "Read", status: "in_progress" },
        { content: "Draw", status: "in_progress" },
      ],
    ],
    ["51 steps", Array.from({ length: 51 }, () => ({ content: "Read", status: "pending" }))],
    ["no list", "Read, draw"],
  ])("is an error that the model reads, for %s", async (_what, todos) => {
    const outcome = await write(todos);
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toContain("todo_write");
  });
});
