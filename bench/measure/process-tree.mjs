import { readdirSync, readFileSync } from "node:fs";

/** Linux counts CPU time in hundredths of a second for programs that ask. */
const TICKS_PER_SECOND = 100;

/** Where `/proc/<pid>/stat` has what, counted behind the program's name. */
const PARENT = 1;
const CPU_TICKS = [11, 12, 13, 14];

const readStat = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    // It has ended since the list was made.
    return undefined;
  }
};

/** @returns {number} */
export const parentOf = (pid) => Number(readStat(pid)?.[PARENT]);

const treeOf = (roots) => {
  const stats = new Map();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? readStat(name) : undefined;
    if (stat) stats.set(Number(name), stat);
  }
  const tree = new Map();
  const take = (pid) => {
    if (tree.has(pid) || !stats.has(pid)) return;
    tree.set(pid, stats.get(pid));
    for (const [child, stat] of stats) if (Number(stat[PARENT]) === pid) take(child);
  };
  roots.forEach(take);
  return tree;
};

/**
 * CPU time that process trees have used, ended children included.
 *
 * @param {number[]} roots
 * @returns {number} seconds
 */
export const cpuSeconds = (roots) => {
  let ticks = 0;
  for (const stat of treeOf(roots).values()) {
    for (const place of CPU_TICKS) ticks += Number(stat[place]);
  }
  return ticks / TICKS_PER_SECOND;
};

/**
 * Memory of process trees; pages that several of them share are counted once.
 *
 * @param {number[]} roots
 * @returns {number} megabytes
 */
export const memoryMegabytes = (roots) => {
  let kilobytes = 0;
  for (const pid of treeOf(roots).keys()) {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]);
  }
  return kilobytes / 1024;
};

/** @returns {number} seconds that all processors of the machine have worked */
export const machineCpuSeconds = () => {
  const [, user, nice, system, , , irq, softIrq] = readFileSync("/proc/stat", "utf8")
    .split("\n", 1)[0]
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + irq + softIrq) / TICKS_PER_SECOND;
};
