const sort = (numbers) => [...numbers].sort((a, b) => a - b);

/**
 * @param {number[]} numbers
 * @param {number} share 0.95 for the 95th percentile
 */
export const getPercentile = (numbers, share) =>
  sort(numbers)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))] ?? Number.NaN;

/** @param {number[]} numbers */
export const getMedian = (numbers) => {
  const all = sort(numbers);
  const middle = Math.floor(all.length / 2);
  if (all.length % 2 === 1) return all[middle];
  return (all[middle - 1] + all[middle]) / 2;
};
