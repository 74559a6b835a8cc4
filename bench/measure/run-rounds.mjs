import { createLoads } from "../rows.mjs";
import { runCell } from "./run-cell.mjs";
import { runGrowth } from "./run-growth.mjs";
import { runWatchers } from "./run-watchers.mjs";

/** Turns of each kind before the first measurement, as V8 optimizes code for as long. */
const WARM_UP_TURNS = 2_000;
const GROWTH_TURNS = 20;

/** Measured once, before the loads, which leave free memory to the servers. */
const WATCHER_ROWS = [
  ["chatWatcher", "chat"],
  ["listWatcher", "watch"],
];

const WARM_UP_LOADS = [
  { concurrency: 16, turns: WARM_UP_TURNS, tokens: 200 },
  { concurrency: 16, turns: WARM_UP_TURNS, tokens: 20, tool: "client" },
];

/**
 * Measures all systems alternately, load by load, so that other programs affect them equally.
 *
 * @param targets as in run-cell.mjs and run-growth.mjs, each with its `rows`
 * @param {{ repeat: number, seconds: number, onCell: (line: string) => void }} options
 * @returns each system's samples of each row, and the share of a processor that other programs used
 */
export const runRounds = async (targets, { repeat, seconds, onCell }) => {
  const samples = new Map(targets.map(({ peer }) => [peer.name, new Map()]));
  const others = { cpuSeconds: 0, seconds: 0 };
  const addSample = ({ peer }, id, value) => {
    const ofPeer = samples.get(peer.name);
    ofPeer.set(id, [...(ofPeer.get(id) ?? []), value]);
    onCell(`${peer.name}: ${id} ${value.toFixed(2)}`);
  };

  const run = async (target, load) => {
    const cell = await runCell(target, load);
    others.cpuSeconds += cell.otherCpuSeconds;
    others.seconds += cell.seconds;
    return cell;
  };
  const measure = async (target, { load, figures }) => {
    // While the others were measured, V8 has returned memory and has to compile code again.
    await run(target, load);
    const cell = await run(target, load);
    for (const [id, figure] of Object.entries(figures)) {
      if (target.rows.has(id)) addSample(target, id, figure(cell));
    }
  };

  const withRow = (...ids) => targets.filter(({ rows }) => ids.some((id) => rows.has(id)));
  for (const [id, kind] of WATCHER_ROWS) {
    for (const target of withRow(id)) addSample(target, id, await runWatchers(target, kind));
  }
  for (const target of targets) for (const load of WARM_UP_LOADS) await run(target, load);
  for (let round = 0; round < repeat; round++) {
    for (const load of createLoads(seconds)) {
      for (const target of withRow(...Object.keys(load.figures))) await measure(target, load);
    }
    for (const target of withRow("growth")) {
      addSample(target, "growth", (await runGrowth(target, GROWTH_TURNS)) * 1e6);
    }
  }
  return { samples, otherCores: others.cpuSeconds / others.seconds };
};
