// npm run bench: compares the cost of Parley with that of the AI SDK alone, see README.md.
import { runAgents } from "./measure/run-agents.mjs";
import { runCalls } from "./measure/run-calls.mjs";
import { runCell } from "./measure/run-cell.mjs";
import { runFlush } from "./measure/run-flush.mjs";
import { runInsertCost } from "./measure/run-insert-cost.mjs";
import { runLarge } from "./measure/run-large.mjs";
import { runProcesses } from "./measure/run-processes.mjs";
import { runMemory } from "./measure/run-memory.mjs";
import { runTools } from "./measure/run-tools.mjs";
import { runSandbox } from "./measure/run-sandbox.mjs";
import { runRounds } from "./measure/run-rounds.mjs";
import { readOptions, USAGE } from "./options.mjs";
import { formatComparison, formatLargeReport, formatMemoryReport } from "./report.mjs";
import { DEFAULT_CONCURRENCY_ROWS, ROWS } from "./rows.mjs";
import { buildServers } from "./start/build-servers.mjs";
import { startProvider } from "./start/start-servers.mjs";
import {
  openBaseline,
  openEmbedded,
  openLargeEmbedded,
  openLargeOnPostgres,
  openOnPostgres,
} from "./systems.mjs";

/** More than the concurrent turns of any row. */
const WORKER_CONCURRENCY = "128";

const NOTES = `Medians. CPU includes the server and its database. Titles are off (PARLEY_TITLES=off), as each is
one more model call per new chat, which the baseline does not make.`;

/** Stops resources in the reverse order of their start. */
const createResources = () => {
  const resources = [];
  let closing;
  const close = async () => {
    for (const { stop } of resources.reverse()) await stop();
  };
  return {
    open: async (opening) => {
      const resource = await opening;
      resources.push(resource);
      return resource;
    },
    closeAll: () => (closing ??= close()),
  };
};

const runSmokeTest = async (open) => {
  const provider = await open(startProvider());
  const system = await openEmbedded(open, provider, { histories: false });
  await runCell(system, { concurrency: 16, turns: 64, tokens: 200 });
  await runCell(system, { concurrency: 16, turns: 32, tokens: 20, tool: "client" });
  console.log("Every token of 64 turns and 32 pauses arrived once.");
};

/** Whether nothing is measured that needs a server. */
const isSandboxOnly = ({ rows }) => rows.size === 1 && rows.has("sandbox");

/** Runs what is not compared with the baseline. */
const runAlone = async (open, options) => {
  const { rows } = options;
  if (rows.has("insert")) console.log(`\n${await runInsertCost(open, options)}`);
  if (rows.has("sandbox")) console.log(`\n${await runSandbox()}`);
  if (rows.has("tools")) {
    console.log(`\n${await runTools(open, await open(startProvider()), options)}`);
  }
  if (rows.has("agents")) {
    console.log(`\n${await runAgents(open, await open(startProvider()), options)}`);
  }
  if (rows.has("calls")) {
    console.log(`\n${await runCalls(open, await open(startProvider()), options)}`);
  }
  if (rows.has("flush")) {
    console.log(`\n${await runFlush(open, await open(startProvider()), options)}`);
  }
  if (rows.has("processes")) {
    console.log(`\n${await runProcesses(open, await open(startProvider()), options)}`);
  }
};

const runComparison = async (open, options) => {
  const { rows, profile } = options;
  await runAlone(open, options);
  if (isSandboxOnly(options)) return;
  const provider = await open(startProvider());
  const nodeOptions = profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [];
  const workerConcurrency = WORKER_CONCURRENCY;
  const settings = { nodeOptions, histories: rows.has("growth"), workerConcurrency };
  const comparedRows = rows.intersection(new Set(ROWS.map(({ id }) => id)));
  const usualRows = comparedRows.difference(DEFAULT_CONCURRENCY_ROWS);
  const defaultRows = comparedRows.intersection(DEFAULT_CONCURRENCY_ROWS);
  const systems = [];
  /** Starts a server for each group of rows that is measured. */
  const openServers = async (openSystem) => {
    if (usualRows.size > 0) {
      systems.push({ ...(await openSystem(open, provider, settings)), rows: usualRows });
    }
    if (defaultRows.size > 0) {
      const defaults = { nodeOptions, histories: false, workerConcurrency: undefined };
      systems.push({ ...(await openSystem(open, provider, defaults)), rows: defaultRows });
    }
  };
  let memory;
  if (options.embedded && rows.has("memory")) {
    // In a server of its own, as the other loads would count.
    const system = await openEmbedded(open, provider, { ...settings, histories: false });
    memory = await runMemory(system);
  }
  if (comparedRows.size > 0) {
    systems.push({ ...(await openBaseline(open, provider)), rows });
    if (options.postgres) await openServers(openOnPostgres);
    if (options.embedded) await openServers(openEmbedded);
    const { samples, otherCores } = await runRounds(systems, { ...options, onCell: console.error });
    const names = new Set(systems.slice(1).map(({ peer }) => peer.name));
    for (const name of names) console.log(`\n${formatComparison(samples, name)}`);
    console.log(`\n${NOTES}\nOther programs used ${otherCores.toFixed(2)} processors meanwhile.`);
  }
  if (memory) console.log(`\n${formatMemoryReport(memory)}`);
};

const runLargeData = async (open, options) => {
  const provider = await open(startProvider());
  const openings = [
    ...(options.postgres ? [openLargeOnPostgres] : []),
    ...(options.embedded ? [openLargeEmbedded] : []),
  ];
  for (const openLarge of openings) {
    const { name, server, data } = await openLarge(open, provider);
    console.log(`\n${formatLargeReport(name, await runLarge(server, data))}`);
    await server.stop();
  }
};

/** Whether anything is measured that the baseline is compared with. */
const isComparison = ({ smoke, large, rows }) =>
  !smoke && !large && ROWS.some(({ id }) => rows.has(id));

const chooseRun = ({ smoke, large }) => {
  if (smoke) return runSmokeTest;
  return large ? runLargeData : runComparison;
};

const main = async (options) => {
  if (!isSandboxOnly(options)) {
    await buildServers({ baseline: isComparison(options) });
  }
  const { open, closeAll } = createResources();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => closeAll().finally(() => process.exit(1)));
  }
  try {
    await chooseRun(options)(open, options);
  } finally {
    await closeAll();
  }
};

let options;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${error.message}\n\n${USAGE}`);
  process.exit(2);
}
await main(options);
process.exit(0);
