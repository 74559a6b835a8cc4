import { measureCpuSeconds, measureMachineCpuSeconds } from "./process-tree.mjs";
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

const measureOwnCpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/**
 * Runs turns concurrently, each in a new chat, for a time or a number of turns.
 *
 * @param {{ peer: import("../peers/peer.mjs").Peer, roots: number[], helpers: number[] }} target
 *   `roots` are the processes under test, `helpers` those of the benchmark
 * @param {import("./run-turn.mjs").Workload & { concurrency: number, forMs?: number, turns?: number }} load
 * @returns {Promise<Cell>}
 */
export const runCell = async ({ peer, roots, helpers }, load) => {
  const { concurrency, forMs = Infinity, turns = Infinity } = load;
  const before = {
    cpu: measureCpuSeconds(roots),
    own: measureOwnCpuSeconds() + measureCpuSeconds(helpers),
  };
  const machineBefore = measureMachineCpuSeconds();
  const startedAt = performance.now();
  const completed = [];
  let started = 0;
  const work = async () => {
    while (started < turns && performance.now() - startedAt < forMs) {
      started += 1;
      completed.push(await runTurn(peer, load));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));

  const cpu = measureCpuSeconds(roots) - before.cpu;
  const own = measureOwnCpuSeconds() + measureCpuSeconds(helpers) - before.own;
  return {
    turns: completed.length,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: cpu,
    firstTextMs: completed.map(({ firstTextMs }) => firstTextMs),
    bytes: completed.reduce((sum, { bytes }) => sum + bytes, 0),
    otherCpuSeconds: measureMachineCpuSeconds() - machineBefore - cpu - own,
  };
};
