import { expect, it } from "vitest";
import { startProgram } from "@/test/start-program";

/** Multiples of a bare pass of the library: 2 on a quiet machine, and more while other tests run. */
const MAX_RATIO = 2.5;

it("reads a block, in any pieces, for about twice the cost of a pass of the library", async () => {
  const program = await startProgram("xml-reader-cost", []);
  await program.waitForLines(1);
  await program.kill();
  const costs = JSON.parse(program.lines[0] ?? "") as Record<string, number>;
  expect(Object.keys(costs).length).toBeGreaterThan(0);
  expect(Object.entries(costs).filter(([, ratio]) => ratio > MAX_RATIO)).toEqual([]);
}, 60_000);
