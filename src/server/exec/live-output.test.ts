import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ToolProgress } from "@/server/tools/tool-context";
import { showLive } from "./live-output";
import type { Command } from "./command";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Shows pieces of an output, each after the one before was shown. @returns what a watcher has in the end. */
const show = (pieces: Buffer[]): { text: string; resets: number } => {
  let write: (bytes: Buffer) => void = () => undefined;
  const shown = { text: "", resets: 0 };
  const emit = (progress: ToolProgress): void => {
    if (progress.type === "append") shown.text += progress.text;
    else Object.assign(shown, { text: "", resets: shown.resets + 1 });
  };
  const subscribe: Command["subscribe"] = (listener) => {
    write = listener;
    return () => undefined;
  };
  const stop = showLive({ command: { screen: undefined, subscribe }, emit });
  for (const piece of pieces) {
    write(piece);
    vi.advanceTimersByTime(1_000);
  }
  stop();
  return shown;
};

it("appends what is new, and a character only when it is whole", () => {
  const euro = Buffer.from("€");
  expect(show([Buffer.from("a"), euro.subarray(0, 2), euro.subarray(2), Buffer.from("b")])).toEqual(
    { text: "a€b", resets: 0 },
  );
});

it("starts over with the newest when more came than it keeps, without halves of characters", () => {
  const { text, resets } = show([Buffer.from("first\n"), Buffer.from(`${"€".repeat(5_000)}end`)]);
  expect(resets).toBe(1);
  // 8 KB, without the byte of a character that is cut.
  expect(text).toMatch(/^\[… earlier output is not shown live …\]\n€{2729}end$/);
});

it("starts over when a watcher would have too much, and goes on from there", () => {
  const lines = Array.from({ length: 9 }, (_, at) => Buffer.from(`${at}${"x".repeat(4_998)}\n`));
  const { text, resets } = show(lines);
  expect(resets).toBe(1);
  expect(text.length).toBeLessThan(32 * 1024);
  expect(text).toContain("\n8x");
  expect(text).not.toContain("\n4x");
});
