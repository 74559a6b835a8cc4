import { readdirSync, readFileSync } from "node:fs";

/** Linux reports CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Indexes of fields in `/proc/<pid>/stat`, after the program's name. */
const PARENT = 1;
const CPU_TICKS = [11, 12, 13, 14];

const readStat = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    // It has exited since the list was read.
    return undefined;
  }
};

/** @returns {number} id of the parent process */
export const readParentId = (pid) => Number(readStat(pid)?.[PARENT]);

const readTree = (roots) => {
  const stats = new Map();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? readStat(name) : undefined;
    if (stat) stats.set(Number(name), stat);
  }
  const tree = new Map();
  const add = (pid) => {
    if (tree.has(pid) || !stats.has(pid)) return;
    tree.set(pid, stats.get(pid));
    for (const [child, stat] of stats) if (Number(stat[PARENT]) === pid) add(child);
  };
  roots.forEach(add);
  return tree;
};

/**
 * Measures the CPU time of process trees, including children that have exited.
 *
 * @param {number[]} roots
 * @returns {number} seconds
 */
export const measureCpuSeconds = (roots) => {
  let ticks = 0;
  for (const stat of readTree(roots).values()) {
    for (const index of CPU_TICKS) ticks += Number(stat[index]);
  }
  return ticks / TICKS_PER_SECOND;
};

/**
 * Measures the memory of process trees. Counts pages that several processes share once.
 *
 * @param {number[]} roots
 * @returns {number} megabytes
 */
export const measureMemoryMegabytes = (roots) => {
  let kilobytes = 0;
  for (const pid of readTree(roots).keys()) {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]);
  }
  return kilobytes / 1024;
};

/** @returns {number} seconds of CPU time that all processors have used since the machine started */
export const measureMachineCpuSeconds = () => {
  const [, user, nice, system, , , irq, softIrq] = readFileSync("/proc/stat", "utf8")
    .split("\n", 1)[0]
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + irq + softIrq) / TICKS_PER_SECOND;
};
