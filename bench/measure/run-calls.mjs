import { requestJson } from "../peers/http-client.mjs";
import { openEmbedded, openOnPostgres } from "../systems.mjs";
import { countStatements } from "./count-statements.mjs";
import { measureCpuSeconds } from "./process-tree.mjs";
import { getMedian, getPercentile } from "./statistics.mjs";

/** Turns with one call, per measurement, and how many run at the same time. */
const ONE = { calls: 1, turns: 160, concurrency: 16 };
/** Turns with many calls, which some programs answer. */
const MANY = { calls: 50, turns: 12, concurrency: 4 };
const RUNNERS = 5;
const TOKENS = 20;
/** Measurements of one kind differ by a tenth, more if other programs run. */
const MIN_ROUNDS = 8;
const CLAIMERS = 1_000;
const WAIT_SECONDS = 30;
const WATCH_SECONDS = 60;

const TOOL = { name: "client", description: "A tool that a program runs" };

const createClient = ({ base, apiKey }) => {
  const request = (method, path, { body, ...headers } = {}) =>
    requestJson({
      base,
      method,
      path: `/api/v1${path}`,
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      body,
    });
  return {
    post: (path, body, headers) => request("POST", path, { body, ...headers }),
    put: (path, body) => request("PUT", path, { body }),
    get: (path, headers) => request("GET", path, headers),
  };
};

const WAIT = { prefer: `wait=${WAIT_SECONDS}` };

const toResult = (id) => ({ tool_call_id: id, output: "42" });
const toPath = (chatId, id) => `/chats/${chatId}/tool-calls/${id}`;
/** @param {string} call the path of the call */
const answerCall = ({ post }, call, claim) =>
  post(`${call}/result`, { output: "42", ...(claim && { token: claim.token }) });

/** Lets some programs answer calls, each one after the other. */
const share = (ids, answer) =>
  Promise.all(
    Array.from({ length: RUNNERS }, async (_, runner) => {
      const own = ids.filter((_, index) => index % RUNNERS === runner);
      for (const id of own) await answer(id, `runner-${runner}`);
    }),
  );

/** How clients answer the calls of a step. */
const ANSWERS = {
  step: ({ post }, chatId, ids) =>
    post(`/chats/${chatId}/tool-results`, { results: ids.map(toResult) }),
  call: (client, chatId, ids) => share(ids, (id) => answerCall(client, toPath(chatId, id))),
  claim: (client, chatId, ids) =>
    share(ids, async (id, holder) => {
      const call = toPath(chatId, id);
      const { claim } = await client.post(`${call}/claim`, { holder });
      await answerCall(client, call, claim);
    }),
  /** As runners do it: each takes any call. */
  runner: (client, _chatId, ids) =>
    share(ids, async (_id, holder) => {
      const body = { holder, wait_seconds: WAIT_SECONDS };
      const { data } = await client.post("/tool-calls/claim", body);
      for (const { chat_id: chatId, tool_call_id: id, claim } of data)
        await answerCall(client, toPath(chatId, id), claim);
    }),
};

/** Runs a turn that waits for calls, and answers them. */
const runTurn = async (client, { calls, answer }) => {
  const content = `hi @@tokens=${TOKENS}@@ @@tool=${TOOL.name}@@ @@calls=${calls}@@`;
  const chat = await client.post("/chats", { content, dynamic_tools: [TOOL] }, WAIT);
  const ids = chat.required_action?.tool_calls.map((call) => call.tool_call_id) ?? [];
  if (ids.length !== calls) throw new Error(`the chat waits for ${ids.length} calls`);
  await ANSWERS[answer](client, chat.id, ids);
  const after = await client.get(`/chats/${chat.id}`, WAIT);
  if (after.status !== "waiting") throw new Error(`the chat is ${after.status}`);
};

/** @returns milliseconds of CPU time of a turn, of the server and its database. */
const measure = async ({ client, roots }, { turns, concurrency, ...turn }) => {
  const before = measureCpuSeconds(roots);
  let started = 0;
  const work = async () => {
    while (started < turns) {
      started += 1;
      await runTurn(client, turn);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return ((measureCpuSeconds(roots) - before) * 1e3) / turns;
};

/** What is compared with the results of a step in one request. */
const COMPARED = [
  { title: "1 call, by its own result", load: ONE, answer: "call", max: 1.1 },
  { title: "1 call, claimed and answered", load: ONE, answer: "claim", max: 1.3 },
  { title: "1 call, taken by a program that waits", load: ONE, answer: "runner", max: 1.3 },
  { title: `${MANY.calls} calls, by ${RUNNERS} programs`, load: MANY, answer: "call", max: 2 },
  { title: `${MANY.calls} calls, claimed by ${RUNNERS}`, load: MANY, answer: "claim" },
];

const describe = ({ title, max }, pairs) => {
  const ratios = pairs.map(({ step, other }) => other / step);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const figure = (name) => mean(pairs.map((pair) => pair[name])).toFixed(1);
  const spread = `${getPercentile(ratios, 0.1).toFixed(2)} to ${getPercentile(ratios, 0.9).toFixed(2)}`;
  const limit = max === undefined ? "" : ` (at most ${max})`;
  return `${title}: ${figure("other")} ms, in one request ${figure("step")} ms, × ${mean(ratios).toFixed(2)}${limit}, median ${getMedian(ratios).toFixed(2)}, most from ${spread}`;
};

const measurePairs = async (system, { repeat, name }) => {
  const pairs = new Map(COMPARED.map((row) => [row, []]));
  for (let round = -1; round < Math.max(repeat, MIN_ROUNDS); round++) {
    for (const row of COMPARED) {
      const run = (answer) => measure(system, { ...row.load, answer });
      // By turns, as other programs and the size of the tables count for the second one, too.
      const order = round % 2 === 0 ? ["step", row.answer] : [row.answer, "step"];
      const cpu = {};
      for (const answer of order) cpu[answer] = await run(answer);
      const pair = { step: cpu.step, other: cpu[row.answer] };
      console.error(
        `${name}: ${row.title} ${pair.other.toFixed(1)} ms, ${pair.step.toFixed(1)} ms`,
      );
      // The first round warms up.
      if (round >= 0) pairs.get(row).push(pair);
    }
  }
  return [...pairs].map(([row, ofRow]) => describe(row, ofRow));
};

const TOOLSET = { version: "1", offered_to: "chosen", when_absent: "offer", tools: [TOOL] };

/** Lets programs wait for calls, again and again. @returns what stops them, and how often they have asked. */
const startClaimers = (client) => {
  let isOver = false;
  let requests = 0;
  const loops = Array.from({ length: CLAIMERS }, async (_, index) => {
    while (!isOver) {
      requests += 1;
      const body = { holder: `claimer-${index}`, toolset: "bench", wait_seconds: WAIT_SECONDS };
      await client.post("/tool-calls/claim", body);
    }
  });
  return {
    count: () => requests,
    stop: () => {
      isOver = true;
      return Promise.all(loops);
    },
  };
};

const describeClaimers = async ({ client, roots }, { database, count }) => {
  await client.put("/toolsets/bench", TOOLSET);
  const idle = await count(database, WATCH_SECONDS);
  const claimers = startClaimers(client);
  // Until all of them have asked once.
  await new Promise((resolve) => setTimeout(resolve, WAIT_SECONDS * 1_000));
  const [cpu, before] = [measureCpuSeconds(roots), claimers.count()];
  const waiting = await count(database, WATCH_SECONDS);
  const asked = claimers.count() - before;
  const used = measureCpuSeconds(roots) - cpu;
  await claimers.stop();
  const names = [...waiting.keys()].filter(
    (name) => waiting.get(name) > 1.5 * (idle.get(name) ?? 0) + 1,
  );
  return [
    `${CLAIMERS} programs that wait, ${WATCH_SECONDS} s: ${asked} requests, ${used.toFixed(1)} s of CPU time. Statements that an idle server has not:`,
    ...names.map((name) => `  ${name}: ${waiting.get(name) - (idle.get(name) ?? 0)}`),
  ].join("\n");
};

/**
 * Measures what the ways to answer calls cost, by turns with results that are sent together, and what programs cost that wait.
 *
 * @returns {Promise<string>}
 */
export const runCalls = async (open, provider, { repeat, postgres, embedded, profile }) => {
  const reports = [];
  const nodeOptions = profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [];
  const settings = { histories: false, workerConcurrency: `${ONE.concurrency}`, nodeOptions };
  for (const openSystem of [
    ...(postgres ? [openOnPostgres] : []),
    ...(embedded ? [openEmbedded] : []),
  ]) {
    const { peer, server, roots, database } = await openSystem(open, provider, settings);
    const system = { client: createClient(server), roots };
    const lines = await measurePairs(system, { repeat, name: peer.name });
    if (database) lines.push(await describeClaimers(system, { database, count: countStatements }));
    reports.push([`${peer.name}:`, ...lines].join("\n"));
  }
  return reports.join("\n\n");
};
