import { expect, it } from "vitest";
import { MAX_GROWTH, readCpuMs } from "./cpu-time";
import { listForeignExpressions } from "./foreign-expressions";
import { listUnits, type Expression } from "./list-expressions";

const SMALL = 4_000;
const FACTOR = 10;
/** What takes less, in milliseconds, is not measured again: the square of the longer text takes 100 ms at least. */
const MIN_MS = 40;

/** @returns milliseconds of all uses of an expression on a text: to find, to replace, and to split. */
const measure = ({ source, flags }: Expression, text: string): number => {
  const expression = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
  const before = process.threadCpuUsage();
  text.replace(expression, "");
  return readCpuMs(before);
};

/** Read to their ends, which do not match. */
const ENDS = ["\0", "\n\0", ""];

const findSlow = (expression: Expression): string | undefined => {
  for (const [start, unit] of listUnits(expression)) {
    for (const end of ENDS) {
      const run = (length: number, times = 1): number => {
        const text = start + unit.repeat(length / unit.length) + end;
        return Array.from({ length: times }, () => measure(expression, text)).reduce(
          (sum, ms) => sum + ms,
          0,
        );
      };
      if (run(FACTOR * SMALL) < MIN_MS) continue;
      const growth = run(FACTOR * SMALL) / Math.max(1, run(SMALL, FACTOR));
      if (growth > MAX_GROWTH) return `${JSON.stringify([start, unit, end])}, ${growth.toFixed(1)}`;
    }
  }
  return undefined;
};

it("every regular expression takes a time that grows with the text", () => {
  const slow = listForeignExpressions().flatMap((expression) => {
    const cause = findSlow(expression);
    return cause === undefined ? [] : [`${expression.place}: ${expression.source}: ${cause}`];
  });
  expect(slow).toEqual([]);
});
