import { getPercentile } from "./measure/statistics.mjs";

/**
 * The limit of a figure: a multiple of the baseline's, an addition to it, or an absolute maximum.
 *
 * @typedef {{ times: number } | { above: number } | { max: number }} Limit
 */

/**
 * One row of the table, with another limit for the embedded database if that has one.
 *
 * @typedef {{ id: string, title: string, unit: string, limit: Limit, embedded?: Limit }} Row
 */

const P95 = 0.95;
const RELAYED_TOKENS = 2_000;
const FIRST_TOKEN_TURNS = 60;

/** @type {Row[]} */
export const ROWS = [
  {
    id: "relay",
    title: "CPU per relayed token, 64 chats × 2,000",
    unit: "µs",
    limit: { times: 0.17 },
  },
  {
    id: "plain",
    title: "CPU per turn of 200 tokens, 16 at once",
    unit: "ms",
    limit: { times: 0.3 },
    embedded: { times: 0.5 },
  },
  {
    id: "pause",
    title: "CPU per pause and resume, 16 at once",
    unit: "ms",
    limit: { times: 0.7 },
    embedded: { times: 1.3 },
  },
  {
    id: "pause64",
    title: "CPU per pause and resume, 64 at once",
    unit: "ms",
    limit: { times: 0.7 },
    embedded: { times: 1.3 },
  },
  {
    id: "tool",
    title: "CPU per turn with a tool of the server, 16 at once",
    unit: "ms",
    limit: { times: 0.65 },
    embedded: { times: 1.2 },
  },
  {
    id: "plain1",
    title: "CPU per turn of 200 tokens, one at a time",
    unit: "ms",
    limit: { times: 0.55 },
  },
  {
    id: "tool1",
    title: "CPU per turn with a tool of the server, one at a time",
    unit: "ms",
    limit: { times: 1 },
    embedded: { times: 1.4 },
  },
  {
    id: "pause1",
    title: "CPU per pause and resume, one at a time",
    unit: "ms",
    limit: { times: 1 },
    embedded: { times: 1.5 },
  },
  {
    id: "first",
    title: "first token p95, one chat",
    unit: "ms",
    limit: { above: 30 },
  },
  {
    id: "first64",
    title: "first token p95, 64 turns at once",
    unit: "ms",
    limit: { times: 0.16 },
  },
  {
    id: "first64default",
    title: "first token p95, 64 turns, 16 of them at once",
    unit: "ms",
    limit: { times: 1 },
  },
  {
    id: "growth",
    title: "CPU of a turn per message of history, 10 → 5,000",
    unit: "µs",
    limit: { max: 8 },
  },
  {
    id: "bytes",
    title: "bytes per token to a watcher",
    unit: "B",
    limit: { max: 60 },
  },
  {
    id: "chatWatcher",
    title: "memory of an idle watcher of a chat",
    unit: "KB",
    limit: { times: 1 },
  },
  {
    id: "listWatcher",
    title: "memory of an idle watcher of all chats",
    unit: "KB",
    limit: { times: 1 },
  },
];

/** Rows that only a server with the default concurrency is measured in. */
export const DEFAULT_CONCURRENCY_ROWS = new Set(["first64default"]);

const getFirstTokenP95 = ({ firstTextMs }) => getPercentile(firstTextMs, P95);
const getCpuMsPerTurn = ({ cpuSeconds, turns }) => (cpuSeconds * 1e3) / turns;

/**
 * Creates the loads of all rows except `growth` and those of watchers.
 *
 * @param {number} seconds duration of loads without a number of turns
 */
export const createLoads = (seconds) => [
  {
    load: { concurrency: 64, turns: 64, tokens: RELAYED_TOKENS },
    figures: {
      relay: ({ cpuSeconds, turns }) => (cpuSeconds * 1e6) / (turns * RELAYED_TOKENS),
      first64: getFirstTokenP95,
      bytes: ({ bytes, turns }) => bytes / (turns * RELAYED_TOKENS),
    },
  },
  {
    load: { concurrency: 16, forMs: seconds * 1e3, tokens: 200 },
    figures: { plain: getCpuMsPerTurn },
  },
  {
    load: { concurrency: 16, forMs: seconds * 1e3, tokens: 20, tool: "client" },
    figures: { pause: getCpuMsPerTurn },
  },
  {
    load: { concurrency: 64, forMs: seconds * 1e3, tokens: 20, tool: "client" },
    figures: { pause64: getCpuMsPerTurn },
  },
  {
    load: { concurrency: 16, forMs: seconds * 1e3, tokens: 20, tool: "current_time" },
    figures: { tool: getCpuMsPerTurn },
  },
  {
    load: { concurrency: 1, forMs: seconds * 1e3, tokens: 200 },
    figures: { plain1: getCpuMsPerTurn },
  },
  {
    load: { concurrency: 1, forMs: seconds * 1e3, tokens: 20, tool: "current_time" },
    figures: { tool1: getCpuMsPerTurn },
  },
  {
    load: { concurrency: 1, forMs: seconds * 1e3, tokens: 20, tool: "client" },
    figures: { pause1: getCpuMsPerTurn },
  },
  {
    load: { concurrency: 64, turns: 64, tokens: 200 },
    figures: { first64default: getFirstTokenP95 },
  },
  {
    load: { concurrency: 1, turns: FIRST_TOKEN_TURNS, tokens: 200 },
    figures: { first: getFirstTokenP95 },
  },
];
