import { measureMemoryMegabytes } from "./process-tree.mjs";
import { runCell } from "./run-cell.mjs";

const TURNS = 200;
const MAX_MB = 450;
/** Variation by garbage collection. */
const MAX_GROWTH = 0.05;

/** Measures the memory of a server that has just started, after 200 turns and after 200 more. */
export const runMemory = async (target) => {
  const megabytes = [];
  for (let half = 0; half < 2; half++) {
    await runCell(target, { concurrency: 16, turns: TURNS, tokens: 200 });
    megabytes.push(measureMemoryMegabytes(target.roots));
  }
  return { turns: TURNS, megabytes, maxMegabytes: MAX_MB, maxGrowth: MAX_GROWTH };
};
