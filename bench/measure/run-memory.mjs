import { memoryMegabytes } from "./process-tree.mjs";
import { runCell } from "./run-cell.mjs";

const TURNS = 200;
const MOST_MB = 450;
/** What garbage collection may leave by chance. */
const GROWTH = 0.05;

/** Memory of a server that has just started, after some turns and after as many more. */
export const runMemory = async (target) => {
  const megabytes = [];
  for (let half = 0; half < 2; half++) {
    await runCell(target, { atOnce: 16, turns: TURNS, tokens: 200 });
    megabytes.push(memoryMegabytes(target.roots));
  }
  return { turns: TURNS, megabytes, most: MOST_MB, growth: GROWTH };
};
