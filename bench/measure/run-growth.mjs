import { measureCpuSeconds } from "./process-tree.mjs";
import { runTurn } from "./run-turn.mjs";

/** All tokens in one chunk, so that the chats differ in their history only. */
const TURN = { tokens: 20, burst: true };
const WARM_TURNS = 4;

const measureCpuPerTurn = async ({ peer, roots }, chat, turns) => {
  for (let turn = 0; turn < WARM_TURNS; turn++) await runTurn(peer, TURN, chat);
  const before = measureCpuSeconds(roots);
  for (let turn = 0; turn < turns; turn++) await runTurn(peer, TURN, chat);
  return (measureCpuSeconds(roots) - before) / turns;
};

/**
 * Measures the CPU time that each message of the history adds to a turn.
 *
 * @param target as in run-cell.mjs, with `histories`: a short and a long chat, and their
 *   difference in messages
 * @param {number} turns in each chat
 * @returns {Promise<number>} seconds of CPU time per message
 */
export const runGrowth = async (target, turns) => {
  const { short, long, added } = target.histories;
  const shortCpu = await measureCpuPerTurn(target, short, turns);
  const longCpu = await measureCpuPerTurn(target, long, turns);
  return (longCpu - shortCpu) / added;
};
