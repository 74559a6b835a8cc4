import { openOnPostgres } from "../systems.mjs";
import { buildSlowDisk } from "../start/slow-disk.mjs";
import { runCell } from "./run-cell.mjs";
import { getMedian } from "./statistics.mjs";

const CONCURRENCY = 64;
const WARM_UP_TURNS = 1_000;
/** Milliseconds; a server whose flushes take no time is the base. */
const FLUSHES = [0, 0.2, 1, 5];
const LOAD = { concurrency: CONCURRENCY, tokens: 200 };

const COUNTERS = `SELECT xact_commit::int AS commits, (SELECT wal_sync::int FROM pg_stat_wal) AS flushes
  FROM pg_stat_database WHERE datname = current_database()`;
/** The server's processes report what they have counted once a second. */
const REPORT_MS = 1_500;

const readCounters = async ({ query }) => {
  await new Promise((resolve) => setTimeout(resolve, REPORT_MS));
  await query("SELECT pg_stat_clear_snapshot()", []);
  return (await query(COUNTERS, [])).rows[0];
};

const measure = async (system, forMs) => {
  const before = await readCounters(system.database);
  const cell = await runCell(system, { ...LOAD, forMs });
  const after = await readCounters(system.database);
  return {
    rate: cell.turns / cell.seconds,
    cpuMs: (cell.cpuSeconds * 1e3) / cell.turns,
    commits: (after.commits - before.commits) / cell.turns,
    flushes: (after.flushes - before.flushes) / cell.turns,
  };
};

/**
 * Measures plain turns on servers that differ in how long a flush of the disk takes.
 *
 * @returns {Promise<string>} the report
 */
export const runFlush = async (open, provider, { repeat, seconds }) => {
  const disk = buildSlowDisk();
  if (!disk)
    return "Flushes were not measured: there is no C compiler (cc), which builds the slow disk.";
  await open(disk);
  const systems = [];
  for (const flushMs of FLUSHES) {
    const server = { settings: { fsync: "on" }, env: disk.createEnv(flushMs) };
    const options = { histories: false, nodeOptions: [], workerConcurrency: "128", server };
    const system = await openOnPostgres(open, provider, options);
    await runCell(system, { ...LOAD, turns: WARM_UP_TURNS });
    systems.push({ flushMs, system, samples: [] });
  }
  for (let round = 0; round < repeat; round++) {
    for (const { system, samples } of systems) {
      // V8 compiles its code again after a time without load.
      await runCell(system, { ...LOAD, turns: WARM_UP_TURNS / 2 });
      samples.push(await measure(system, seconds * 1e3));
    }
  }
  const base = getMedian(systems[0].samples.map(({ rate }) => rate));
  const lines = systems.map(({ flushMs, samples }) => {
    const median = (key) => getMedian(samples.map((sample) => sample[key]));
    const rates = samples.map(({ rate }) => rate.toFixed(0)).join(", ");
    return `  flush of ${flushMs} ms: ${rates} turns/s, ${(median("rate") / base).toFixed(2)} of those without; ${median("cpuMs").toFixed(2)} ms CPU, ${median("commits").toFixed(2)} commits and ${median("flushes").toFixed(2)} flushes per turn`;
  });
  return [`Plain turns, ${CONCURRENCY} at once, PostgreSQL:`, ...lines].join("\n");
};
