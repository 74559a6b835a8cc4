import { describe, expect, it } from "vitest";
import { diffResult } from "./diff-result";

const summary = 'Edited "a.txt".';
const many = (count: number, line: string) => `${line}\n`.repeat(count);

describe("diffResult", () => {
  it("gives the person the diff and the model one line", () => {
    expect(diffResult(summary, "a\n", "b\n")).toMatchObject({
      forLlm: summary,
      forUser: "```diff\n@@ -1,1 +1,1 @@\n-a\n+b\n```",
      silent: false,
      isError: false,
    });
  });

  it("says when nothing changed", () => {
    const result = diffResult(summary, "a\n", "a\n");
    expect(result.forLlm).toBe(`${summary} The content is the same as before.`);
    expect(result.forUser).toBeUndefined();
  });

  it.each([
    ["removed", "a\n", "a", "-a\n+a\n\\ No newline at end of file\n"],
    ["added", "a", "a\n", "-a\n\\ No newline at end of file\n+a\n"],
  ])("shows a last line break that was %s", (_what, before, after, lines) => {
    expect(diffResult(summary, before, after).forUser).toContain(lines);
  });

  it("cannot be closed by a fence in the text", () => {
    const { forUser } = diffResult(summary, "", "```\nfoo\n````\n");
    expect(forUser).toMatch(/^`{5}diff\n[^]*\n`{5}$/);
  });

  it.each([
    ["64 KB", "a".repeat(64 * 1024), "a".repeat(64 * 1024 + 1)],
    ["64 KB in wide characters", "é".repeat(32 * 1024), `${"é".repeat(32 * 1024)}a`],
    ["2,000 lines", many(2_000, "a"), many(2_001, "a")],
  ])("compares up to %s and not beyond, on either side", (_what, fits, isOver) => {
    expect(diffResult(summary, fits, "b").forUser).toBeDefined();
    for (const result of [diffResult(summary, isOver, "b"), diffResult(summary, "b", isOver)]) {
      expect(result).toMatchObject({ silent: true, isError: false });
      expect(result.forUser).toBeUndefined();
      expect(result.forLlm).toMatch(/^Edited "a.txt"\. .*too large/);
    }
  });

  it("shows 16 KB at most, cut at a line", () => {
    const { forUser = "", forLlm } = diffResult(summary, "", many(1_000, "é".repeat(20)));
    const [diff = "", rest] = forUser.split("```diff\n")[1]?.split("```") ?? [];
    expect(Buffer.byteLength(diff)).toBeLessThanOrEqual(16 * 1024);
    expect(Buffer.byteLength(diff)).toBeGreaterThan(16 * 1024 - 50);
    expect(diff.endsWith(`+${"é".repeat(20)}\n`)).toBe(true);
    expect(rest).toContain("not shown");
    expect(forLlm).toBe(`${summary} The user sees only the beginning of the changes.`);
  });

  it("is quick for texts that have nothing in common", () => {
    const before = Array.from({ length: 2_000 }, (_, index) => `a${index}\n`).join("");
    const after = Array.from({ length: 2_000 }, (_, index) => `b${index}\n`).join("");
    expect(diffResult(summary, before, after).forUser).toContain("-a0");
  }, 2_000);
});
