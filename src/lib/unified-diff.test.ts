import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createUnifiedDiff } from "./unified-diff";

const lines = (...numbers: number[]) => numbers.map((number) => `${number}\n`).join("");
const megabytes = (letter: string) => `${letter.repeat(99)}\n`.repeat(20_000);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe("createUnifiedDiff", () => {
  it.each<[what: string, before: string, after: string, diff: string]>([
    ["the same text", "a\n", "a\n", ""],
    ["nothing and nothing", "", "", ""],
    ["a new text", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"],
    ["a removed text", "a\n", "", "@@ -1,1 +0,0 @@\n-a\n"],
    ["a changed line", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"],
    [
      "an added last line break",
      "a",
      "a\n",
      "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n",
    ],
    [
      "a removed last line break",
      "a\n",
      "a",
      "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n",
    ],
    [
      "three lines of context",
      lines(...upTo(9)),
      lines(1, 2, 3, 4, 50, 6, 7, 8, 9),
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+50\n 6\n 7\n 8\n",
    ],
    [
      "changes close together as one hunk",
      lines(...upTo(8)),
      lines(10, 2, 3, 4, 5, 6, 7, 80),
      "@@ -1,8 +1,8 @@\n-1\n+10\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+80\n",
    ],
    [
      "changes far apart as two hunks",
      lines(...upTo(9)),
      lines(10, 2, 3, 4, 5, 6, 7, 8, 90),
      "@@ -1,4 +1,4 @@\n-1\n+10\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+90\n",
    ],
  ])("shows %s", (_what, before, after, diff) => {
    expect(createUnifiedDiff(before, after)).toBe(diff);
  });

  it("applies to the one text and gives the other, with the shortest change", () => {
    const text = fc
      .array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 30 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applyPatch(before, createUnifiedDiff(before, after))).toBe(after);
      }),
    );
    const changed = createUnifiedDiff(
      lines(...upTo(100)),
      lines(...upTo(100).filter((n) => n !== 50)),
    );
    expect(changed.match(/^[-+]\d/gm)).toEqual(["-5"]);
  });

  it.each([
    ["two texts of 2 MB", [megabytes("a"), megabytes("b")]],
    ["a new text of 2 MB", ["", megabytes("b")]],
    ["a removed text of 2 MB", [megabytes("a"), ""]],
    ["501 changed lines", [lines(...upTo(501)), lines(...upTo(501).map((n) => -n))]],
  ] as [string, [string, string]][])(
    "replaces the whole text when more than 1,000 lines change: %s",
    (_what, [before, after]) => {
      const diff = createUnifiedDiff(before, after);
      expect(diff.match(/^@@/gm)).toHaveLength(1);
      expect(applyPatch(before, diff) === after).toBe(true);
    },
    // A search of such texts would take hours.
    20_000,
  );
});

/** Applies a patch by the rules of `patch`. */
const applyPatch = (before: string, diff: string): string => {
  const source = before.match(/[^\n]*\n/g) ?? [];
  const result: string[] = [];
  let at = 0;
  for (const line of diff.match(/[^\n]*\n/g) ?? []) {
    const hunk = /^@@ -(\d+),(\d+)/.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
      result.push(...source.slice(at, start));
      at = start;
    } else if (line.startsWith("+")) {
      result.push(line.slice(1));
    } else {
      expect(source[at]).toBe(line.slice(1));
      if (line.startsWith(" ")) result.push(line.slice(1));
      at++;
    }
  }
  return [...result, ...source.slice(at)].join("");
};
