import { cpuSeconds, machineCpuSeconds } from "./process-tree.mjs";
import { runTurn } from "./run-turn.mjs";

/**
 * @typedef {{
 *   turns: number,
 *   seconds: number,
 *   cpuSeconds: number,
 *   firstTextMs: number[],
 *   bytes: number,
 *   otherCpuSeconds: number,
 * }} Cell
 */

const cpuOfDriver = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/**
 * Runs turns, each in a chat of its own, so many at a time, until the time is over or the number
 * is reached.
 *
 * @param {{ peer: import("../peers/peer.mjs").Peer, roots: number[], helpers: number[] }} target
 *   `roots` are the processes whose CPU time is measured, `helpers` those of ours beside it.
 * @param {import("./run-turn.mjs").Workload & { atOnce: number, forMs?: number, turns?: number }} load
 * @returns {Promise<Cell>}
 */
export const runCell = async ({ peer, roots, helpers }, load) => {
  const { atOnce, forMs = Infinity, turns = Infinity } = load;
  const before = { cpu: cpuSeconds(roots), ours: cpuOfDriver() + cpuSeconds(helpers) };
  const machineBefore = machineCpuSeconds();
  const startedAt = performance.now();
  const done = [];
  let begun = 0;
  const work = async () => {
    while (begun < turns && performance.now() - startedAt < forMs) {
      begun += 1;
      done.push(await runTurn(peer, load));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));

  const cpu = cpuSeconds(roots) - before.cpu;
  const ours = cpuOfDriver() + cpuSeconds(helpers) - before.ours;
  return {
    turns: done.length,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: cpu,
    firstTextMs: done.map(({ firstTextMs }) => firstTextMs),
    bytes: done.reduce((sum, { bytes }) => sum + bytes, 0),
    otherCpuSeconds: machineCpuSeconds() - machineBefore - cpu - ours,
  };
};
