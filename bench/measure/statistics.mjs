const sorted = (numbers) => [...numbers].sort((a, b) => a - b);

/**
 * @param {number[]} numbers
 * @param {number} share 0.95 is the number below which 95 of 100 lie
 */
export const percentile = (numbers, share) =>
  sorted(numbers)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))] ?? Number.NaN;

/** @param {number[]} numbers */
export const median = (numbers) => {
  const all = sorted(numbers);
  const middle = Math.floor(all.length / 2);
  if (all.length % 2 === 1) return all[middle];
  return (all[middle - 1] + all[middle]) / 2;
};
