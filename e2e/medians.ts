/** How often a measurement is repeated, by turns with what it is compared with. */
export const ROUNDS = 5;

/** The value in the middle; of two, the lower one. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

/** @returns the median, the spread and the number of values as a text. */
export const describeValues = (values: readonly number[], digits = 0): string => {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(
    (value) => value.toFixed(digits),
  );
  return `${middle} (${least} to ${most}, ${values.length} runs)`;
};
