/** Compares versions of numbers with dots between them; a number that is missing counts as 0. */
export const compareVersions = (one: string, other: string): number => {
  const [first, second] = [toNumbers(one), toNumbers(other)];
  const length = Math.max(first.length, second.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (first[at] ?? 0) - (second[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

const toNumbers = (version: string): number[] => version.split(".").map(Number);
