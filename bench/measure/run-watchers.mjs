import { measureMemoryMegabytes } from "./process-tree.mjs";

const WATCHERS = 1_000;
/** The first ones allocate what all share. */
const FIRST_WATCHERS = 50;
/** Buffers of the connections are freed by then. */
const IDLE_MS = 10_000;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Measures the memory that each idle stream keeps. The database's processes are not counted: they know no
 * watchers.
 *
 * @param target as in run-cell.mjs
 * @param {"chat" | "watch"} kind of Parley's streams
 * @returns {Promise<number>} kilobytes
 */
export const runWatchers = async ({ peer, roots: [server] }, kind) => {
  const open = await peer.prepareWatchers(WATCHERS, kind);
  const closeFirst = await open(FIRST_WATCHERS);
  await wait(IDLE_MS);
  const before = measureMemoryMegabytes([server]);
  const close = await open(WATCHERS - FIRST_WATCHERS);
  await wait(IDLE_MS);
  const after = measureMemoryMegabytes([server]);
  close();
  closeFirst();
  return ((after - before) * 1024) / (WATCHERS - FIRST_WATCHERS);
};
