import { percentile } from "./measure/statistics.mjs";

/**
 * What a figure may be. `times` is a share of the baseline's, `above` is added to it, `most` stands
 * alone.
 *
 * @typedef {{ times: number } | { above: number } | { most: number }} Limit
 */

/**
 * One line of the table.
 *
 * @typedef {{ id: string, title: string, unit: string, limit: Limit }} Row
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
    limit: { times: 0.6 },
  },
  {
    id: "plain",
    title: "CPU per turn of 200 tokens, 16 at once",
    unit: "ms",
    limit: { times: 0.8 },
  },
  {
    id: "pause",
    title: "CPU per pause and resume, 16 at once",
    unit: "ms",
    limit: { times: 1.2 },
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
    limit: { times: 0.2 },
  },
  {
    id: "growth",
    title: "CPU of a turn per message of history, 10 → 5,000",
    unit: "µs",
    limit: { most: 8 },
  },
  {
    id: "bytes",
    title: "bytes per token to a watcher",
    unit: "B",
    limit: { most: 60 },
  },
];

const firstTokenP95 = ({ firstTextMs }) => percentile(firstTextMs, P95);
const cpuMsPerTurn = ({ cpuSeconds, turns }) => (cpuSeconds * 1e3) / turns;

/**
 * The loads that fill the rows, all but `growth`.
 *
 * @param {number} seconds how long those last that have no number of turns
 */
export const loads = (seconds) => [
  {
    load: { atOnce: 64, turns: 64, tokens: RELAYED_TOKENS },
    figures: {
      relay: ({ cpuSeconds, turns }) => (cpuSeconds * 1e6) / (turns * RELAYED_TOKENS),
      first64: firstTokenP95,
      bytes: ({ bytes, turns }) => bytes / (turns * RELAYED_TOKENS),
    },
  },
  {
    load: { atOnce: 16, forMs: seconds * 1e3, tokens: 200 },
    figures: { plain: cpuMsPerTurn },
  },
  {
    load: { atOnce: 16, forMs: seconds * 1e3, tokens: 20, pauses: true },
    figures: { pause: cpuMsPerTurn },
  },
  {
    load: { atOnce: 1, turns: FIRST_TOKEN_TURNS, tokens: 200 },
    figures: { first: firstTokenP95 },
  },
];
