import { expect, it } from "vitest";
import { createThinkSplitter } from "./think-tags";

const split = (pieces: readonly string[]) => {
  const { read, end } = createThinkSplitter();
  const parts = [...pieces.map(read), end()];
  return [parts.map(({ reasoning }) => reasoning).join(""), parts.map(({ text }) => text).join("")];
};

it.each([
  ["<think>\nThey ask about bread.</think>\n\nBread rises", "They ask about bread.", "Bread rises"],
  ["\n <THINK>a</Think>b", "a", "b"],
  ["<thinking>a < b</thinking>\nc", "a < b", "c"],
  ["<think></think>\n\nHi", "", "Hi"],
  ["<think>never ends </thin", "never ends </thin", ""],
  ["<think>a\n```\n<think>\n```\nb</think>c</think>", "a\n```\n<think>\n```\nb", "c</think>"],
  ["Hi <think>a</think>", "", "Hi <think>a</think>"],
  ["`<think>` is a tag", "", "`<think>` is a tag"],
  ["<thinner>a</thinner>", "", "<thinner>a</thinner>"],
  ["  <thi", "", "  <thi"],
  ["", "", ""],
])("splits %j, in any pieces", (answer, reasoning, text) => {
  for (const size of [1, 2, 3, 7, 100]) {
    const pieces = Array.from({ length: Math.ceil(answer.length / size) }, (_, index) =>
      answer.slice(index * size, (index + 1) * size),
    );
    expect(split(pieces)).toEqual([reasoning, text]);
  }
});

it.each(["", "<think>a"])("holds back little of white space without end, after %j", (start) => {
  const { read } = createThinkSplitter();
  let passed = 0;
  for (const piece of [start, ..."\n".repeat(100_000)]) {
    const { reasoning, text } = read(piece);
    passed += reasoning.length + text.length;
  }
  expect(passed).toBeGreaterThan(99_000);
});
