import { expect, it } from "vitest";
import { reportMedian } from "@/test/cpu-time";
import { startProgram } from "@/test/start-program";

/** Multiples of a bare pass of the library: 3 to 5, as the library is written to tag by tag. */
const MAX_RATIO = 6;

it("reads a block, in any pieces, for a few times the cost of a pass of the library", async () => {
  const program = await startProgram("xml-reader-cost", []);
  await program.waitForLines(1);
  await program.kill();
  const costs = Object.entries(JSON.parse(program.lines[0] ?? "") as Record<string, number[]>);
  expect(costs.length).toBeGreaterThan(0);
  for (const [what, ratios] of costs) {
    expect.soft(reportMedian(what, ratios), what).toBeLessThanOrEqual(MAX_RATIO);
  }
});
