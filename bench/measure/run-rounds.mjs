import { loads } from "../rows.mjs";
import { runCell } from "./run-cell.mjs";
import { runGrowth } from "./run-growth.mjs";

/** Turns of each kind before anything is measured: V8 goes on compiling for as long. */
const WARM_TURNS = 2_000;
const GROWTH_TURNS = 20;

const WARM_LOADS = [
  { atOnce: 16, turns: WARM_TURNS, tokens: 200 },
  { atOnce: 16, turns: WARM_TURNS, tokens: 20, pauses: true },
];

/**
 * Measures all systems in turn, load by load, so that what else the machine does meets them alike.
 *
 * @param targets as in run-cell.mjs and run-growth.mjs
 * @param {{ repeat: number, seconds: number, rows: Set<string>, onCell: (line: string) => void }} options
 * @returns each system's samples of each row, and the share of a processor that other programs used
 */
export const runRounds = async (targets, { repeat, seconds, rows, onCell }) => {
  const samples = new Map(targets.map(({ peer }) => [peer.name, new Map()]));
  const others = { cpuSeconds: 0, seconds: 0 };
  const keep = ({ peer }, id, value) => {
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
    const cell = await run(target, load);
    for (const [id, figure] of Object.entries(figures)) {
      if (rows.has(id)) keep(target, id, figure(cell));
    }
  };

  for (const target of targets) for (const load of WARM_LOADS) await run(target, load);
  const wanted = loads(seconds).filter(({ figures }) =>
    Object.keys(figures).some((id) => rows.has(id)),
  );
  for (let round = 0; round < repeat; round++) {
    for (const load of wanted) for (const target of targets) await measure(target, load);
    if (!rows.has("growth")) continue;
    for (const target of targets) {
      keep(target, "growth", (await runGrowth(target, GROWTH_TURNS)) * 1e6);
    }
  }
  return { samples, otherCores: others.cpuSeconds / others.seconds };
};
