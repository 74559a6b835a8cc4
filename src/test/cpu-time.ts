import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Below this, a measurement says little: the system counts CPU time in steps of up to 4 ms. */
const MIN_MEASURED_MS = 50;

/** @returns milliseconds of CPU time of this thread since an earlier reading, to which other programs do not add. */
export const readCpuMs = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

const measureRepeated = async (body: () => unknown, times: number): Promise<number> => {
  const before = process.threadCpuUsage();
  for (let time = 0; time < times; time++) await body();
  return readCpuMs(before);
};

/** Measures a body that runs as often as it takes for an exact result. @returns milliseconds of one run. */
export const measureCpuMs = async (body: () => unknown): Promise<number> => {
  let [times, measured] = [1, await measureRepeated(body, 1)];
  while (measured < MIN_MEASURED_MS) {
    times *= 2;
    measured = await measureRepeated(body, times);
  }
  return measured / times;
};

const ROUNDS = 5;
const formatRatio = (ratio: number | undefined): string => (ratio ?? NaN).toFixed(3);

/** Prints the median of samples with their spread, by which a failure can be judged. @returns the median. */
export const reportMedian = (what: string, samples: readonly number[]): number => {
  const sorted = samples.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const [low, middle, high] = [sorted[0], median, sorted.at(-1)].map(formatRatio);
  process.stdout.write(`${what}: median ${middle}, ${low} to ${high} in ${sorted.length} rounds\n`);
  return median;
};

/** Repeats a measurement. @returns the median, which it prints. */
export const measureMedian = async (
  what: string,
  measure: () => Promise<number>,
  rounds = ROUNDS,
): Promise<number> => {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) samples.push(await measure());
  return reportMedian(what, samples);
};

/**
 * Measures how the time of a work grows with its size. Both sizes are measured by turns, so that what else the machine
 * does slows both down alike.
 *
 * @returns the time of one work of ten times the size, in multiples of ten works of the size: 1 where it grows with the
 * size, 10 with its square.
 */
export const measureGrowth = (
  what: string,
  work: (size: number) => unknown,
  size: number,
): Promise<number> =>
  measureMedian(`growth of ${what}`, async () => {
    const smallMs = await measureCpuMs(() => work(size));
    return (await measureCpuMs(() => work(10 * size))) / (10 * smallMs);
  });

/** Between a growth with the size and one with its square. */
export const MAX_GROWTH = 4;

const REFERENCE_TEXTS = 24_000;

/** Measures a fixed work that takes about 10 ms on a machine of 2026, with which times on other machines are compared. */
export const measureReferenceMs = (): Promise<number> =>
  measureCpuMs(() => {
    const texts = Array.from(
      { length: REFERENCE_TEXTS },
      (_, index) => `${(index * 7_919) % REFERENCE_TEXTS} tide`,
    );
    return (JSON.parse(JSON.stringify(texts.sort())) as string[]).join("");
  });

/** Collects the garbage of earlier tests, which would else be collected during a measurement. */
export const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};
