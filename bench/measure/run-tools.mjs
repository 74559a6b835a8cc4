import { requestJson } from "../peers/http-client.mjs";
import { createParleyPeer } from "../peers/parley.mjs";
import { createDataDir } from "../start/databases.mjs";
import { startParley } from "../start/start-servers.mjs";
import { startMcpServer } from "./mcp-server.mjs";
import { runCell } from "./run-cell.mjs";
import { getMedian } from "./statistics.mjs";

const MCP_TOOLS = 500;
const RECIPES = 200;
/** Pairs of starts, one after the other. */
const STARTS = 15;
const LOAD = { concurrency: 16, turns: 200, tokens: 200 };
/** Each compares two servers, one after the other. */
const MIN_ROUNDS = 7;
/** Before each measurement, as V8 forgets what it has compiled when a server has nothing to do. */
const WARM_UP = { ...LOAD, turns: 100 };
/** What few tools a chat has chosen of all. */
const CHOSEN = ["current_time"];

/** Adds the tools of an MCP server and recipes to a server, and waits until they are offered. */
const addTools = async ({ base, apiKey }, url) => {
  const headers = { authorization: `Bearer ${apiKey}` };
  const request = (method, path, body) =>
    requestJson({ base, method, path: `/api/v1${path}`, headers, body });
  for (let index = 0; index < RECIPES; index++) {
    await request("POST", "/config/recipes", {
      name: `recipe_${index}`,
      description: "Runs a command of the workspace",
      parameters: { type: "object", properties: { id: { type: "string" } } },
      example: { id: "a" },
      steps: [["true"]],
    });
  }
  await request("POST", "/config/mcp-servers", {
    name: "bench",
    transport: { type: "http", url, allow_private: true },
  });
  const { data } = await request("GET", "/tools");
  const added = data.filter(({ name }) => /^(?:bench_tool|recipe)_\d+$/.test(name)).length;
  if (added < MCP_TOOLS + RECIPES) throw new Error(`only ${added} tools were added`);
};

/**
 * Measures the CPU time of the main thread from the start of the server to its first answer to `/readyz`. The time itself
 * varies by a second with the database, and the CPU time of the process by what V8 compiles and collects in threads.
 *
 * @returns {Promise<number>} milliseconds
 */
const measureStart = async (options) => {
  const server = await startParley({ ...options, logLevel: "info" });
  const [, ms] = await server.waitForOutput(/"mainThreadCpuMs":(\d+)/);
  await server.stop();
  return Number(ms);
};

/**
 * Measures starts and turns of a server with many MCP tools and recipes, and of one without, by turns.
 *
 * @returns {Promise<string>}
 */
export const runTools = async (open, provider, { repeat }) => {
  const mcp = await open(startMcpServer(MCP_TOOLS));
  const create = async () => {
    const data = await open(createDataDir());
    return {
      providerUrl: provider.base,
      dataDir: data.path,
      workerConcurrency: `${LOAD.concurrency}`,
    };
  };
  const [plain, full] = [await create(), await create()];
  const first = await startParley(full);
  await addTools(first, mcp.url);
  await first.stop();
  await measureStart(plain);
  const starts = { few: [], many: [], added: [] };
  for (let start = 0; start < STARTS; start++) {
    const pair = { few: await measureStart(plain), many: await measureStart(full) };
    starts.few.push(pair.few);
    starts.many.push(pair.many);
    starts.added.push(pair.many - pair.few);
  }

  const [without, withAll] = [await open(startParley(plain)), await open(startParley(full))];
  const systems = {
    "without them": [without, undefined],
    "with all of them offered": [withAll, undefined],
    "without them, one tool chosen": [without, CHOSEN],
    "with all of them, one tool chosen": [withAll, CHOSEN],
  };
  const cpu = new Map(Object.keys(systems).map((name) => [name, []]));
  // The first round warms up.
  for (let round = 0; round <= Math.max(repeat, MIN_ROUNDS); round++) {
    for (const [name, [server, chosen]] of Object.entries(systems)) {
      const target = { roots: [server.pid], helpers: [provider.pid] };
      const peer = createParleyPeer(server.base, server.apiKey, chosen);
      await runCell({ ...target, peer }, WARM_UP);
      const { cpuSeconds, turns } = await runCell({ ...target, peer }, LOAD);
      if (round > 0) cpu.get(name).push((cpuSeconds * 1e3) / turns);
    }
  }
  const compare = (withTools, withoutTools) => {
    const ratios = cpu.get(withTools).map((ms, round) => ms / cpu.get(withoutTools)[round]);
    const ms = getMedian(cpu.get(withTools));
    return `CPU per turn ${withTools}: ${ms.toFixed(2)} ms, × ${getMedian(ratios).toFixed(3)} of one ${withoutTools} (at most 1.05)`;
  };
  const [few, all, fewChosen, allChosen] = Object.keys(systems);
  return [
    `${MCP_TOOLS} MCP tools and ${RECIPES} recipes:`,
    `main thread until ready: ${getMedian(starts.many)} ms, without them ${getMedian(starts.few)} ms; difference of pairs ${getMedian(starts.added)} ms (at most 20)`,
    compare(all, few),
    compare(allChosen, fewChosen),
  ].join("\n");
};
