// npm run bench: compares the cost of Parley with that of the AI SDK alone, see README.md.
import { runCell } from "./measure/run-cell.mjs";
import { runMemory } from "./measure/run-memory.mjs";
import { runRounds } from "./measure/run-rounds.mjs";
import { readOptions, USAGE } from "./options.mjs";
import { formatComparison, formatMemoryReport } from "./report.mjs";
import { ROWS } from "./rows.mjs";
import { buildServers } from "./start/build-servers.mjs";
import { startProvider } from "./start/start-servers.mjs";
import { openBaseline, openEmbedded, openOnPostgres } from "./systems.mjs";

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
  await runCell(system, { concurrency: 16, turns: 32, tokens: 20, pauses: true });
  console.log("Every token of 64 turns and 32 pauses arrived once.");
};

const runComparison = async (open, options) => {
  const { rows, profile } = options;
  const provider = await open(startProvider());
  const nodeOptions = profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [];
  const settings = { nodeOptions, histories: rows.has("growth") };
  const systems = [];
  let memory;
  if (options.embedded) {
    const embedded = await openEmbedded(open, provider, settings);
    if (rows.has("memory")) memory = await runMemory(embedded);
    systems.unshift(embedded);
  }
  const hasComparedRows = ROWS.some(({ id }) => rows.has(id));
  if (hasComparedRows && options.postgres)
    systems.unshift(await openOnPostgres(open, provider, settings));
  if (hasComparedRows) {
    systems.unshift(await openBaseline(open, provider));
    const { samples, otherCores } = await runRounds(systems, { ...options, onCell: console.error });
    for (const { peer } of systems.slice(1))
      console.log(`\n${formatComparison(samples, peer.name)}`);
    console.log(`\n${NOTES}\nOther programs used ${otherCores.toFixed(2)} processors meanwhile.`);
  }
  if (memory) console.log(`\n${formatMemoryReport(memory)}`);
};

const main = async (options) => {
  await buildServers({ baseline: !options.smoke });
  const { open, closeAll } = createResources();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => closeAll().finally(() => process.exit(1)));
  }
  try {
    await (options.smoke ? runSmokeTest(open) : runComparison(open, options));
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
