import { expect, it } from "vitest";
import { createStepAssembler } from "./step-assembler";

const assemble = (...deltas: string[]) => {
  const changes: unknown[] = [];
  const assembler = createStepAssembler({
    sink: {
      start: (index, { type }) => changes.push(["start", index, type]),
      append: (index, delta) => changes.push(["append", index, delta]),
      end: (index) => changes.push(["end", index]),
    },
    now: () => new Date(0),
    prompt: [],
  });
  for (const delta of deltas) assembler.handlePart({ type: "text-delta", id: "0", delta });
  assembler.endAll();
  return { changes, parts: assembler.parts.map((part) => ("text" in part ? part : undefined)) };
};

it("makes reasoning of a text that ends as a thought, in the place of the text", () => {
  const { changes, parts } = assemble("They ask\n</th", "ink>\n", "\nBread ", "rises");
  expect(changes).toEqual([
    ["start", 0, "text"],
    ["append", 0, "They ask\n</th"],
    ["append", 0, "ink>\n"],
    ["start", 0, "reasoning"],
    ["append", 0, "They ask"],
    ["end", 0],
    ["start", 1, "text"],
    ["append", 1, "Bread "],
    ["append", 1, "rises"],
    ["end", 1],
  ]);
  expect(parts).toMatchObject([
    { type: "reasoning", text: "They ask", completedAt: new Date(0) },
    { type: "text", text: "Bread rises" },
  ]);
});

it.each([
  ["that is quoted as code", ["It ends with `</think>` here."]],
  ["of a thought that has begun in the text", ["Write <think>x", "</think> to think."]],
  ["that is something else", ["</thinker> and </ think>"]],
])("keeps the text before a tag %s", (_what, deltas) => {
  expect(assemble(...deltas).parts).toMatchObject([{ type: "text", text: deltas.join("") }]);
});

it("takes an empty thought, and only the first end of one", () => {
  expect(assemble("</thinking>\nBread </think> rises").parts).toMatchObject([
    { type: "reasoning", text: "" },
    { type: "text", text: "Bread </think> rises" },
  ]);
});
