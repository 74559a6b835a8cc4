import { createParleyPeer } from "../peers/parley.mjs";
import { createDataDir, startPostgres } from "../start/databases.mjs";
import { startParley, startParleyWorker } from "../start/start-servers.mjs";
import { runCell } from "./run-cell.mjs";
import { getMedian } from "./statistics.mjs";

const WORKERS = 2;
const WARM_UP_TURNS = 2_000;
const LOADS = {
  plain: { concurrency: 16, tokens: 200 },
  pause: { concurrency: 16, tokens: 20, tool: "client" },
};

/** Starts Parley as one process, or as one that serves and others that work. */
const openSystem = async (open, provider, workers) => {
  const database = await open(startPostgres());
  const data = await open(createDataDir());
  const options = {
    providerUrl: provider.base,
    databaseUrl: database.url,
    dataDir: data.path,
    workerConcurrency: "128",
  };
  const server = await open(startParley({ ...options, role: workers > 0 ? "web" : "all" }));
  const pids = [server.pid, database.pid];
  for (let worker = 0; worker < workers; worker++) {
    pids.push((await open(startParleyWorker(options))).pid);
  }
  const system = {
    peer: createParleyPeer(server.base, server.apiKey),
    roots: pids,
    helpers: [provider.pid],
  };
  for (const load of Object.values(LOADS)) await runCell(system, { ...load, turns: WARM_UP_TURNS });
  return system;
};

/**
 * Compares one process with a web server and two workers.
 *
 * @returns {Promise<string>} the report
 */
export const runProcesses = async (open, provider, { repeat, seconds }) => {
  const one = await openSystem(open, provider, 0);
  const several = await openSystem(open, provider, WORKERS);
  const lines = [];
  for (const [name, load] of Object.entries(LOADS)) {
    const samples = { one: [], several: [] };
    for (let round = 0; round < repeat; round++) {
      for (const [kind, system] of Object.entries({ one, several })) {
        await runCell(system, { ...load, turns: WARM_UP_TURNS / 4 });
        const cell = await runCell(system, { ...load, forMs: seconds * 1e3 });
        samples[kind].push((cell.cpuSeconds * 1e3) / cell.turns);
      }
    }
    const ratios = samples.several.map((value, round) => value / samples.one[round]);
    const list = (values) => values.map((value) => value.toFixed(2)).join(", ");
    lines.push(
      `  ${name}: one process ${list(samples.one)} ms, web and ${WORKERS} workers ${list(samples.several)} ms; × ${getMedian(ratios).toFixed(2)} (${list(ratios)})`,
    );
  }
  return [`CPU per turn, 16 at once, PostgreSQL (wanted: plain × ≤ 1.25):`, ...lines].join("\n");
};
