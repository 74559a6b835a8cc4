import { cpuSeconds } from "./process-tree.mjs";
import { runTurn } from "./run-turn.mjs";

/** All tokens in one piece: what differs between the chats is their history alone. */
const TURN = { tokens: 20, burst: true };
const WARM_TURNS = 4;

const cpuPerTurn = async ({ peer, roots }, chat, turns) => {
  for (let turn = 0; turn < WARM_TURNS; turn++) await runTurn(peer, TURN, chat);
  const before = cpuSeconds(roots);
  for (let turn = 0; turn < turns; turn++) await runTurn(peer, TURN, chat);
  return (cpuSeconds(roots) - before) / turns;
};

/**
 * What one more turn costs for each message that the chat has.
 *
 * @param target as in run-cell.mjs, with `histories`: a short and a long chat, and how many
 *   messages the long one has more
 * @param {number} turns in each chat
 * @returns {Promise<number>} seconds of CPU time per message
 */
export const runGrowth = async (target, turns) => {
  const { short, long, added } = target.histories;
  const cheap = await cpuPerTurn(target, short, turns);
  const dear = await cpuPerTurn(target, long, turns);
  return (dear - cheap) / added;
};
