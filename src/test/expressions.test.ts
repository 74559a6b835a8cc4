import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import { expect, it } from "vitest";
import { BUILT, listForeignExpressions } from "./foreign-expressions";
import { type Expression, listBuiltExpressions, listUnits, splitAtoms } from "./list-expressions";

// V8's own count of how often an expression goes back in a text, so that nothing is timed: beyond the limit, none is found.
setFlagsFromString("--allow-natives-syntax");
const createLimited = runInThisContext(
  "(source, flags, limit) => %NewRegExpWithBacktrackLimit(source, flags, limit)",
) as (source: string, flags: string, limit: number) => RegExp;

const LENGTH = 500;
/** Of a longer text, to see how the count grows. */
const FACTOR = 8;
/** How often an expression may go back for each character: more is counted for the longer text, too. */
const MAX_STEPS = 32;
/** Between a growth with the length, which is 8, and one with its square. */
const MAX_GROWTH = 32;

/** Ends each text, and is found there unless the expression has gone back too often before. */
const END = "\uE000";

/** Makes V8 count each step of a repetition: a simple one, such as `.*`, goes back uncounted. */
const COUNTED = "(?:|\uE001)";

const toCounted = (source: string): string => {
  const atoms = splitAtoms(source);
  const isRepeated = (index: number): boolean => /^(?:[*+]|\{\d)/.test(atoms[index + 1] ?? "");
  const count = (atom: string, index: number): string => {
    if (!isRepeated(index)) return atom;
    return atom === ")" ? `${COUNTED})` : `(?:${atom}${COUNTED})`;
  };
  return atoms.map(count).join("");
};

/** Creates a test of whether an expression reads a text within a limit. */
const createCheck = ({ source, flags }: Expression, limit: number) => {
  // A sticky one is tried at one place only.
  const start = flags.includes("y") ? "(?<![^])" : "";
  const pattern = `${start}(?:${toCounted(source)})|${END}`;
  const limited = createLimited(pattern, flags.replaceAll(/[gy]/g, ""), limit);
  return (text: string): boolean => limited.test(text + END);
};

/** The largest limit that is tried; V8 takes up to 2 ** 30. */
const MAX_LIMIT = 2 ** 25;

/** @returns twice as often as an expression goes back, at most. */
const countSteps = (expression: Expression, text: string): number => {
  let limit = MAX_STEPS * LENGTH;
  while (limit < MAX_LIMIT && !createCheck(expression, limit)(text)) limit *= 2;
  return limit;
};

const findSlow = (expression: Expression): string | undefined => {
  const isShort = createCheck(expression, MAX_STEPS * LENGTH);
  const slow = listUnits(expression).find(([start, unit]) => {
    const create = (length: number): string => start + unit.repeat(length / unit.length);
    if (isShort(create(LENGTH))) return false;
    const limit = MAX_GROWTH * countSteps(expression, create(LENGTH));
    return limit > MAX_LIMIT || !createCheck(expression, limit)(create(FACTOR * LENGTH));
  });
  return slow && JSON.stringify(slow);
};

it("no regular expression goes back in a text more often than the length of the text allows", () => {
  const expressions = listForeignExpressions();
  expect(expressions.length).toBeGreaterThan(400);
  const slow = expressions.flatMap((expression) => {
    const text = findSlow(expression);
    return text === undefined ? [] : [[expression.place, expression.source, text]];
  });
  expect(slow).toEqual([]);
});

it.each([
  "(?:a+)+b",
  "\\s+$",
  "a[^]*b",
  "a\\w+?b",
  "(a|a)*b",
  "(?:ab)*c",
  "\\uE200[^\\uE201]*\\uE201",
  "sk-(?=[\\w-]*\\d)[\\w-]{20,}",
])("an expression that reads a text again and again is found: %s", (source) => {
  expect(findSlow({ place: "", source, flags: "" })).toBeDefined();
});

it("every regular expression that is made of a text is listed, with the reason why it holds", () => {
  expect(listBuiltExpressions("src")).toEqual(BUILT.map(({ place, code }) => [place, code]));
});
